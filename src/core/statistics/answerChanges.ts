import type { Prediction, Truth } from '../../shared/domain.ts';
import { isCorrect } from './accuracy.ts';

/** A trial with a first answer, a verdict and a known truth. */
export interface AnswerChange {
  readonly truth: NonNullable<Truth>;
  readonly initial: NonNullable<Prediction>;
  readonly verdict: NonNullable<Prediction>;
}

/** Trials by whether the first answer and the verdict are right; n is the sum of the four. */
export interface AnswerChanges {
  readonly n: number;
  /** Wrong at first, right in the end. */
  readonly corrected: number;
  /** Right at first, wrong in the end. */
  readonly degraded: number;
  readonly stayedRight: number;
  readonly stayedWrong: number;
}

/** Which of the four a trial is. */
export function answerChange({ truth, initial, verdict }: AnswerChange): Exclude<keyof AnswerChanges, 'n'> {
  const right = isCorrect(truth, verdict);
  if (isCorrect(truth, initial)) return right ? 'stayedRight' : 'degraded';
  return right ? 'corrected' : 'stayedWrong';
}

/**
 * Counts what deliberation did to the first answers: the 2 x 2 table of right and wrong, before and after.
 * Source: Debate-Feedback, table 5 (corrections and degradations). Several labels are right as a whole or wrong.
 */
export function answerChanges(trials: Iterable<AnswerChange>): AnswerChanges {
  const counts = { n: 0, corrected: 0, degraded: 0, stayedRight: 0, stayedWrong: 0 };
  for (const trial of trials) {
    counts.n += 1;
    counts[answerChange(trial)] += 1;
  }
  return counts;
}
