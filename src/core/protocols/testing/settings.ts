import { type CaseKind, caseKinds } from '../../../shared/domain.ts';
import type { PreparedCall } from '../../record/effects.ts';
import { type BoundProtocol, protocols, type RegisteredProtocol } from '../index.ts';
import { caseOf, examplesOf, labelCounts } from './cases.ts';
import { type MemoryRecord, termsFor } from './memoryTrial.ts';
import { pairwiseParameters } from './parameterChoices.ts';

export const retries = 1;

export interface Setting {
  readonly protocol: RegisteredProtocol;
  readonly bound: BoundProtocol;
  readonly kind: CaseKind;
  readonly labels: number;
  readonly name: string;
}

/** Calls of one trial above which not everything is tried with everything. */
export const manyCalls = 15;

function settings(): Setting[] {
  return protocols.flatMap((protocol) =>
    pairwiseParameters(protocol.paramsSchema).flatMap((params, choice) =>
      caseKinds.flatMap((kind, kindNumber) =>
        labelCounts.flatMap((labels, labelNumber) => {
          const bound = protocol.bind(params);
          const usual = kind === 'tabular' && labels === 2;
          const turn = usual || (choice + kindNumber + labelNumber) % caseKinds.length === 0;
          if (!turn && bound.plannedCalls(caseOf('text', 2)).max > manyCalls) return [];
          const { labels: names, multiLabel } = caseOf(kind, labels);
          if (bound.refusal({ kind, labels: names, multiLabel }) !== null) return [];
          return [{ protocol, bound, kind, labels, name: `${protocol.id} ${JSON.stringify(params)} ${kind} ${labels} labels` }];
        }),
      ),
    ),
  );
}

/** Every protocol with every choice of parameters, kind and number of labels that it accepts. */
export const all = settings();
/** One setting per protocol and parameter choice: enough where kind and labels do not matter. */
export const perParameters = all.filter(
  ({ protocol, bound }, index) =>
    all.findIndex(
      (other) => other.protocol === protocol && JSON.stringify(other.bound.params) === JSON.stringify(bound.params),
    ) === index,
);

export function prepare({ protocol, bound, kind, labels }: Setting) {
  const kase = caseOf(kind, labels);
  const terms = termsFor(protocol, examplesOf(bound.shots, kase.labels), retries);
  return { kase, terms };
}

export const baseKey = ({ key }: PreparedCall) => key.replace(/\/attempt-\d+$/, '');
export const askedKeys = (calls: readonly PreparedCall[]) => [...new Set(calls.map(baseKey))];
export const textOf = (call: PreparedCall) => call.request.messages.map(({ content }) => content).join('\n');
export const withoutTimes = (record: MemoryRecord) => record.events.map(({ kind, payload }) => ({ kind, payload }));
