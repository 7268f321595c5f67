import { type CaseKind, caseKinds } from '../../../shared/domain.ts';
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
export const all = settings();
/** One setting per protocol, parameter choice and form of the verdict: enough where kind and labels do not matter. */
export const perParameters = all.filter(
  ({ protocol, bound, multiLabel }, index) =>
    all.findIndex(
      (other) =>
        other.protocol === protocol &&
        other.multiLabel === multiLabel &&
        JSON.stringify(other.bound.params) === JSON.stringify(bound.params),
    ) === index,
);

export function prepare({ protocol, bound, kind, labels, multiLabel }: Setting) {
  const kase = caseOf(kind, labels, multiLabel);
  const templates = protocol.armTemplates(bound.params, multiLabel);
  const terms = termsFor({ ...protocol, templates }, examplesOf(bound.shots, kase.labels), retries);
  return { kase, terms };
}

export const baseKey = ({ key }: PreparedCall) => key.replace(/\/attempt-\d+$/, '');
export const askedKeys = (calls: readonly PreparedCall[]) => [...new Set(calls.map(baseKey))];
export const textOf = (call: PreparedCall) => call.request.messages.map(({ content }) => content).join('\n');
export const withoutTimes = (record: MemoryRecord) => record.events.map(({ kind, payload }) => ({ kind, payload }));
