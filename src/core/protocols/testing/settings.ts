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

function settings(): Setting[] {
  return protocols.flatMap((protocol) =>
    pairwiseParameters(protocol.paramsSchema).flatMap((params) =>
      caseKinds.flatMap((kind) =>
        labelChoices.flatMap(({ labels, multiLabel }) => {
          const bound = protocol.bind(params);
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
