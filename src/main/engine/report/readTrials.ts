import { lastAttempt } from '../../../core/record/fold.ts';
import type { CountedAnswer } from '../../../core/statistics/answerCounts.ts';
import { pleadingOf } from '../../../core/trajectory/pleading.ts';
import { type Trajectory, trajectoryKinds, trajectoryOf } from '../../../core/trajectory/trajectory.ts';
import { type VerdictPath, verdictPath } from '../../../core/trajectory/verdictPath.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';

/** The trajectory of a trial's last attempt. */
export const readTrajectory = (store: Store, trial: string): Trajectory =>
  trajectoryOf(lastAttempt(parseChain(store.events.ofKinds(trial, trajectoryKinds))));

/** What is read from the chains of an experiment, each once. */
export interface TrialReadings {
  /** The paths to the verdicts of decided trials, by trial. Trials without a ruling of their own have none. */
  readonly paths: ReadonlyMap<string, VerdictPath>;
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
  const paths = new Map<string, VerdictPath>();
  const answers = new Map<string, CountedAnswer[]>();
  ended.forEach(({ trial, arm, outcome }, index) => {
    const events = lastAttempt(parseChain(store.events.ofKinds(trial, [...trajectoryKinds, 'call-answer'])));
    const mine = answers.get(arm) ?? [];
    for (const { kind, payload } of events) if (kind === 'call-answer') mine.push(countedOf(payload));
    if (mine.length > 0) answers.set(arm, mine);
    if (outcome === 'decided') {
      const trajectory = trajectoryOf(events);
      const path = verdictPath(trajectory);
      if (path !== null) paths.set(trial, { ...path, pleading: pleadingOf(trajectory, claimsOf(arm)) });
    }
    onRead(index + 1, ended.length);
  });
  return { paths, answers };
}
