// Accuracy over decided trials, and over all of them.
import { isCorrect } from '../accuracy.ts';
import { type PlannedMeasure, plannedShare } from './planned.ts';
import type { CasedTrials, MeasuredTrial } from './trials.ts';

const noTruth = 'no finished trial of a case with a known truth';
export const noDecided = 'no decided trial of a case with a known truth';

/** Whether a decided trial with a known truth is right; null for all other trials. */
export function decidedRightly({ outcome, truth, prediction }: MeasuredTrial): boolean | null {
  if (outcome !== 'decided' || truth === null) return null;
  return prediction !== null && isCorrect(truth, prediction);
}

/** Accuracy twice: neither goes without the other. */
export function accuracyMeasures(trials: CasedTrials): [all: PlannedMeasure, decided: PlannedMeasure] {
  return [
    plannedShare(
      { name: 'accuracy', over: 'all' },
      trials,
      (trial) => (trial.truth === null ? null : (decidedRightly(trial) ?? false)),
      noTruth,
    ),
    plannedShare({ name: 'accuracy', over: 'decided' }, trials, decidedRightly, noDecided),
  ];
}
