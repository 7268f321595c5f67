import type { FailureOutcome, Outcome, Prediction, Truth } from '../../shared/domain.ts';
import { accuracy, isCorrect, type Share } from './accuracy.ts';

/** What a finished trial contributes. */
export interface OutcomeTrial {
  readonly outcome: Outcome;
  readonly truth: Truth;
  readonly prediction: Prediction;
}

export interface OutcomeSummary {
  /** Number of trials. */
  readonly n: number;
  /** Number that ended in a decision. */
  readonly decided: number;
  /** Number of trials per kind of failure; all kinds are present. n = decided + their sum. */
  readonly failures: Readonly<Record<FailureOutcome, number>>;
  /** Number of trials whose truth is unknown; no accuracy counts them, whatever their outcome. */
  readonly withoutTruth: number;
  /** Accuracy over the decided trials with a known truth: how good the decisions are. */
  readonly accuracyDecided: Share;
  /** Accuracy over all trials with a known truth, failures as not correct: how good the whole system is. */
  readonly accuracyAll: Share;
}

/**
 * Outcomes of trials with both accuracies. Neither goes without the other: over decided trials alone, a
 * system that fails on hard cases looks better than it is. Failures are counted as themselves and never
 * given a prediction. A decided trial without prediction counts as not correct where the truth is known.
 *
 * `level`: confidence level of the Wilson intervals, 0-1 exclusive, else RangeError.
 */
export function summarizeOutcomes(trials: readonly OutcomeTrial[], level = 0.95): OutcomeSummary {
  const count = (outcome: Outcome): number => trials.filter((trial) => trial.outcome === outcome).length;
  const known = trials.filter(({ truth }) => truth !== null);
  const knownDecided = known.filter(({ outcome }) => outcome === 'decided');
  const correct = knownDecided.filter(
    ({ truth, prediction }) => truth !== null && prediction !== null && isCorrect(truth, prediction),
  ).length;
  return {
    n: trials.length,
    decided: count('decided'),
    failures: {
      undecided: count('undecided'),
      malformed: count('malformed'),
      invalid_label: count('invalid_label'),
      truncated: count('truncated'),
      overflow: count('overflow'),
      timeout: count('timeout'),
      backend_error: count('backend_error'),
      cancelled: count('cancelled'),
    },
    withoutTruth: trials.length - known.length,
    accuracyDecided: accuracy(correct, knownDecided.length, level),
    accuracyAll: accuracy(correct, known.length, level),
  };
}
