// The trials of an arm that are not plainly decided, by what became of them.
import { type UnsettledTrials, unsettledKinds } from '../../shared/unsettled.ts';

/** Ids of cases that a report names. */
export const mostNamed = 20;

interface Started {
  readonly case_id: string;
  readonly status: 'running' | 'done';
  readonly outcome: string | null;
  /** 1: decided, although a turn was lost. */
  readonly incomplete: number;
}

function kindOf({ status, outcome, incomplete }: Started): UnsettledTrials['kind'] | null {
  if (status === 'running') return 'not_ended';
  if (outcome === 'decided') return incomplete === 1 ? 'turn_lost' : null;
  return unsettledKinds.find((kind) => kind === outcome) ?? null;
}

/** The trials not plainly decided, by fate. @param onTrial ids in order @param times planned a case; 0 for an imported arm */
export function unsettledTrials(onTrial: readonly string[], times: number, started: readonly Started[]): UnsettledTrials[] {
  const byCase = Map.groupBy(started, (trial) => trial.case_id);
  const found = onTrial.flatMap((id) => {
    const mine = byCase.get(id) ?? [];
    const lacking = Array.from({ length: Math.max(0, times - mine.length) }, () => 'not_begun' as const);
    return [...lacking, ...mine.map(kindOf)].flatMap((kind) => (kind === null ? [] : [{ kind, case: id }]));
  });
  const byKind = Map.groupBy(found, ({ kind }) => kind);
  return unsettledKinds.flatMap((kind) => {
    const trials = byKind.get(kind) ?? [];
    const cases = [...new Set(trials.map((trial) => trial.case))];
    return trials.length === 0 ? [] : [{ kind, trials: trials.length, cases: cases.length, first: cases.slice(0, mostNamed) }];
  });
}
