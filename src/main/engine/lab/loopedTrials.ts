import { lastAttempt } from '../../../core/record/fold.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';

/** Whether the answer that a truncated trial ended with repeated itself: the last one that was refused as too long. */
function endedInLoop(events: readonly RecordEvent[]): boolean {
  const cut = lastAttempt(events).flatMap(({ kind, payload }) =>
    (kind === 'call-answer' || kind === 'answer-share') && payload.rejected === 'truncated' ? [payload.done] : [],
  );
  return cut.at(-1) === 'loop';
}

/** How many of these trials ended as truncated because answers repeated themselves until they were cut. */
export const countLooped = (store: Store, rows: readonly Pick<TrialRow, 'trial' | 'outcome'>[]): number =>
  rows.filter(({ trial, outcome }) => outcome === 'truncated' && endedInLoop(parseChain(store.events.chain(trial)))).length;
