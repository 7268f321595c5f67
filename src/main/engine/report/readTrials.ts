import { lastAttempt } from '../../../core/record/fold.ts';
import type { CountedAnswer } from '../../../core/statistics/answerCounts.ts';
import { pleadingOf } from '../../../core/statistics/pleading.ts';
import { type TrialPath, trialPath } from '../../../core/statistics/trialPath.ts';
import type { EventKind } from '../../../shared/events.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

/** Events that a way to a verdict is read from. */
export const pathKinds = [
  'trial-open',
  'side-assign',
  'utterance-make',
  'belief-update',
  'ruling-give',
] as const satisfies readonly EventKind[];

/** What is read from the chains of an experiment, each once. */
export interface TrialReadings {
  /** The ways to the verdicts of decided trials, by trial. Trials without a ruling of their own have none. */
  readonly paths: ReadonlyMap<string, TrialPath>;
  /** Requests of the last attempts of ended trials, by arm. */
  readonly answers: ReadonlyMap<string, readonly CountedAnswer[]>;
}

/** What is counted of a request: a whole one, held for each trial, would fill the memory. */
const countedOf = ({ key, done, method, rejected, flags }: CountedAnswer): CountedAnswer => ({
  key,
  done,
  method,
  rejected,
  flags,
});

/**
 * Reads the ended trials.
 * @param claimsOf role -> label that it argues for by the rules of an arm
 * @param onRead told how many trials are read
 */
export function readTrials(
  store: Store,
  lines: readonly TrialLine[],
  claimsOf: (arm: string) => Readonly<Record<string, string>>,
  onRead: (done: number, of: number) => void,
): TrialReadings {
  const ended = lines.filter(({ status }) => status === 'done');
  const paths = new Map<string, TrialPath>();
  const answers = new Map<string, CountedAnswer[]>();
  ended.forEach(({ trial, arm, outcome }, index) => {
    const events = lastAttempt(parseChain(store.events.ofKinds(trial, [...pathKinds, 'call-answer'])));
    const mine = answers.get(arm) ?? [];
    for (const { kind, payload } of events) if (kind === 'call-answer') mine.push(countedOf(payload));
    if (mine.length > 0) answers.set(arm, mine);
    const path = outcome === 'decided' ? trialPath(events) : null;
    if (path !== null) paths.set(trial, { ...path, pleading: pleadingOf(events, claimsOf(arm)) });
    onRead(index + 1, ended.length);
  });
  return { paths, answers };
}
