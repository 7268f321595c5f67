import { sumCounts } from '../../../core/statistics/answerCounts.ts';
import type { ReportedTrial } from '../../../core/statistics/measures/heldTrials.ts';
import type { RoundCounts } from '../../../core/statistics/measures/reportNotes.ts';
import { pleadingOf } from '../../../core/trajectory/pleading.ts';
import { trajectoryOf } from '../../../core/trajectory/trajectory.ts';
import { unheardIn, type VerdictPath, verdictPath } from '../../../core/trajectory/verdictPath.ts';
import type { AnswerCounts } from '../../../shared/statistics.ts';
import type { Store } from '../store/store.ts';

/** What statistics read of the trajectories of an experiment. */
export interface TrialReadings {
  /** The paths to the verdicts of decided trials, by trial. Trials without their own ruling have none. */
  readonly paths: ReadonlyMap<string, VerdictPath>;
  /** How the answers to the requests of ended trials were read, by arm; arms without requests are not in it. */
  readonly answers: ReadonlyMap<string, AnswerCounts>;
  /** Rounds of debates that are rated, by arm, and how many of them did not pass. */
  readonly rounds: ReadonlyMap<string, RoundCounts>;
  /** How many judges voted for each label, by trial; trials without several judges are not in it. */
  readonly votes: ReadonlyMap<string, Readonly<Record<string, number>>>;
}

/**
 * Reads the ended trials.
 * @param claimsOf role -> label that it argues for by the rules of an arm
 * @param onRead called with how many trials are read
 */
export function readTrials(
  store: Store,
  lines: readonly ReportedTrial[],
  claimsOf: (arm: string) => Readonly<Record<string, string>>,
  onRead: (done: number, of: number) => void,
): TrialReadings {
  const ended = lines.filter(({ status }) => status === 'done');
  const paths = new Map<string, VerdictPath>();
  const answers = new Map<string, AnswerCounts>();
  const rounds = new Map<string, RoundCounts>();
  const votes = new Map<string, Readonly<Record<string, number>>>();
  const isBare = store.trajectories.bareAmong(ended[0]?.experiment ?? '');
  const nothing = trajectoryOf([]);
  ended.forEach((line, index) => {
    const { trial, arm, outcome, change } = line;
    const trajectory = isBare(line) ? nothing : store.trajectories.of(trial);
    const before = answers.get(arm);
    if (trajectory.answers.requests > 0) {
      answers.set(arm, before === undefined ? trajectory.answers : sumCounts([before, trajectory.answers]));
    }
    const { settled, unreliable } = rounds.get(arm) ?? { settled: 0, unreliable: 0 };
    const failed = trajectory.rounds.filter(({ result }) => result === 'unreliable').length;
    rounds.set(arm, { settled: settled + trajectory.rounds.length, unreliable: unreliable + failed });
    const path = outcome === 'decided' ? verdictPath(trajectory) : null;
    const silenced = change?.speech ?? change?.replaced?.speech;
    const unheard = silenced === undefined ? null : unheardIn(trajectory, silenced);
    if (path !== null)
      paths.set(trial, { ...path, pleading: pleadingOf(trajectory, claimsOf(arm)), ...(unheard === null ? {} : { unheard }) });
    const bench = trajectory.ruling?.votes ?? null;
    // Debaters who agree are no judges.
    if (bench !== null && bench.asked > 1 && bench.decidedBy !== 'agreement') votes.set(trial, bench.counts);
    onRead(index + 1, ended.length);
  });
  return { paths, answers, rounds, votes };
}
