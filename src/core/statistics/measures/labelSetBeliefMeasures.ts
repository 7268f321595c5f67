// The quality of beliefs where several labels can apply.
import { labelSetBrierLoss } from '../labelSetBrier.ts';
import { type PlannedMeasure, plannedMean } from './planned.ts';
import type { CasedTrials, MeasuredTrial } from './trials.ts';

const noBelief = 'no decided trial with a known truth and a probability for each label';

/** The Brier loss over the labels of each decided trial with a known truth and a probability for each of them, 0-1; null for others. */
export function labelSetLoss(labels: readonly string[]): (trial: MeasuredTrial) => number | null {
  return ({ outcome, truth, belief }) => {
    if (outcome !== 'decided' || !Array.isArray(truth) || belief === null) return null;
    try {
      return labelSetBrierLoss({ truth, belief }, labels);
    } catch (error) {
      // Beliefs from elsewhere need not be of these labels.
      if (error instanceof RangeError) return null;
      throw error;
    }
  };
}

/** How good the probabilities of the labels behind the verdicts are, for cases of several labels. Ranks say nothing there. */
export const labelSetBeliefMeasures = (trials: CasedTrials, labels: readonly string[]): PlannedMeasure[] => [
  plannedMean({ name: 'brier', over: 'believed' }, trials, labelSetLoss(labels), noBelief),
];
