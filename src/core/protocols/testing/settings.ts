import { type CaseKind, caseKinds } from '../../../shared/domain.ts';
import { exhaustive } from '../../../shared/exhaustive.fixture.ts';
import type { PreparedCall } from '../../record/effects.ts';
import { type BoundProtocol, protocols, type RegisteredProtocol } from '../index.ts';
import { caseOf, examplesOf, labelCounts, labelCountsOfSets } from './cases.ts';
import { type MemoryRecord, termsFor } from './memoryTrial.ts';
import { pairwiseParameters } from './parameterChoices.ts';

export const retries = 1;

export interface Setting {
  readonly protocol: RegisteredProtocol;
  readonly bound: BoundProtocol;
  readonly kind: CaseKind;
  readonly labels: number;
  readonly multiLabel: boolean;
  readonly name: string;
}

const labelChoices = [
  ...labelCounts.map((labels) => ({ labels, multiLabel: false })),
  ...labelCountsOfSets.map((labels) => ({ labels, multiLabel: true })),
];

/** Calls of one trial above which not everything is tried with everything. */
export const manyCalls = 15;

function settings(): Setting[] {
  return protocols.flatMap((protocol) =>
    pairwiseParameters(protocol.paramsSchema).flatMap((params, choice) =>
      caseKinds.flatMap((kind, kindNumber) =>
        labelChoices.flatMap(({ labels, multiLabel }, labelNumber) => {
          const bound = protocol.bind(params);
          const usual = kind === 'tabular' && labels === 2;
          const turn = usual || (choice + kindNumber + labelNumber) % caseKinds.length === 0;
          if (!turn && bound.plannedCalls(caseOf('text', 2)).max > manyCalls) return [];
          const { labels: names } = caseOf(kind, labels, multiLabel);
          if (bound.refusal({ kind, labels: names, multiLabel }) !== null) return [];
          const of = `${labels} labels${multiLabel ? ', several a case' : ''}`;
          const name = `${protocol.id} ${JSON.stringify(params)} ${kind} ${of}`;
          return [{ protocol, bound, kind, labels, multiLabel, name }];
        }),
      ),
    ),
  );
}

/** Every protocol with every choice of parameters, kind and number of labels that it accepts. */
const product = settings();

/** What a setting tries together: each value of a parameter with every other one, with the kind and with the form of the case. */
function pairsOf({ bound, kind, labels, multiLabel }: Setting): string[] {
  const values = Object.entries(bound.params as object).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const form = `${labels} labels ${multiLabel}`;
  const withCase = values.flatMap((value) => [`${value}, ${kind}`, `${value}, ${form}`]);
  return [kind, form, ...withCase, ...values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one}, ${other}`))];
}

/** Few of the settings, in which every pair of the others occurs: greedy, in a fixed order. */
function pairwise(settings: readonly Setting[]): Setting[] {
  const candidates = settings.map((setting) => ({ setting, pairs: pairsOf(setting), gain: 0 }));
  const wanted = new Set(candidates.flatMap(({ pairs }) => pairs));
  const chosen: Setting[] = [];
  while (wanted.size > 0) {
    for (const candidate of candidates) candidate.gain = candidate.pairs.filter((pair) => wanted.has(pair)).length;
    const best = candidates.reduce((one, other) => (other.gain > one.gain ? other : one));
    for (const pair of best.pairs) wanted.delete(pair);
    chosen.push(best.setting);
  }
  return chosen;
}

/** The settings that are tried: pairwise for each protocol, or all. */
export const all = exhaustive
  ? product
  : protocols.flatMap((each) => pairwise(product.filter(({ protocol }) => protocol === each)));
const byParameters = Map.groupBy(product, ({ protocol, bound, multiLabel }) =>
  JSON.stringify([protocol.id, multiLabel, bound.params]),
);
/** One setting per protocol, parameter choice and form of the verdict: enough where kind and labels do not matter. */
export const perParameters = [...byParameters.values()].flatMap(([first]) => first ?? []);

/** Of each protocol and form of verdict this many settings, from the first to the last choice of parameters; or all. */
function spread(most: number): Setting[] {
  if (exhaustive) return perParameters;
  const alike = Map.groupBy(perParameters, ({ protocol, multiLabel }) => `${protocol.id} ${multiLabel}`);
  return [...alike.values()].flatMap((settings) => {
    const places = new Set(Array.from({ length: most }, (_, turn) => Math.round((turn * (settings.length - 1)) / (most - 1))));
    return settings.filter((_, place) => places.has(place));
  });
}

/** What parameters matter to, but not their pairs. */
export const some = spread(6);
/** What parameters hardly matter to. */
export const few = spread(2);

export function prepare({ protocol, bound, kind, labels, multiLabel }: Setting) {
  const kase = caseOf(kind, labels, multiLabel);
  const terms = termsFor(protocol, examplesOf(bound.shots, kase.labels), retries);
  return { kase, terms };
}

export const baseKey = ({ key }: PreparedCall) => key.replace(/\/attempt-\d+$/, '');
export const askedKeys = (calls: readonly PreparedCall[]) => [...new Set(calls.map(baseKey))];
export const textOf = (call: PreparedCall) => call.request.messages.map(({ content }) => content).join('\n');
export const withoutTimes = (record: MemoryRecord) => record.events.map(({ kind, payload }) => ({ kind, payload }));
