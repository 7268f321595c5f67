// Whether stated confidence fits with being right.
import type { ReliabilityBin } from '../expectedCalibrationError.ts';
import { expectedCalibrationError, prepareExpectedCalibrationError } from '../expectedCalibrationError.ts';
import { preparePearsonCorrelation } from '../pearsonCorrelation.ts';
import { prepareSpearmanCorrelation } from '../spearmanCorrelation.ts';
import { decidedRightly } from './accuracyMeasures.ts';
import { type PlannedMeasure, plannedItems } from './planned.ts';
import type { CasedTrials, MeasuredTrial } from './trials.ts';

const noConfidence = 'no decided trial with a known truth and a stated confidence';
const noConfidenceOfSets =
  'no confidence in a set of labels is stated, only how likely each label is by itself: see the Brier score';
/** Simulated over 100 cases of a calibrated arm, a bootstrap interval of the error never held the true one. */
const noInterval =
  'no interval: the error cannot be negative, so it is too large on average, in resamples more than in the data; their interval would not cover it';
const isStated = (trial: MeasuredTrial): boolean => trial.confidence !== null && decidedRightly(trial) !== null;

const columnsOf = (trials: readonly MeasuredTrial[]) => ({
  confidences: trials.map(({ confidence }) => confidence ?? 0),
  right: trials.map((trial) => decidedRightly(trial) === true),
});
const zeroOrOne = (right: readonly boolean[]): Uint8Array => Uint8Array.from(right, Number);

/** How the stated confidence fits with being right: calibration error and correlations, over decided trials that stated one. */
export function confidenceMeasures(trials: CasedTrials, multiLabel = false): PlannedMeasure[] {
  const none = multiLabel ? noConfidenceOfSets : noConfidence;
  const planned = (name: string, prepare: Parameters<typeof plannedItems>[3]['prepare'], more: { noInterval?: string } = {}) =>
    plannedItems({ name, over: 'stated' }, trials, isStated, { prepare, none, ...more });
  return [
    planned(
      'expected_calibration_error',
      (items) => {
        const { confidences, right } = columnsOf(items);
        return prepareExpectedCalibrationError(confidences, right);
      },
      { noInterval },
    ),
    planned('confidence_correctness_pearson', (items) => {
      const { confidences, right } = columnsOf(items);
      return preparePearsonCorrelation(confidences, zeroOrOne(right));
    }),
    planned('confidence_correctness_spearman', (items) => {
      const { confidences, right } = columnsOf(items);
      return prepareSpearmanCorrelation(confidences, zeroOrOne(right));
    }),
  ];
}

/** The bins of the calibration error: points of a reliability diagram. */
export function reliability({ trials }: CasedTrials): readonly ReliabilityBin[] {
  const { confidences, right } = columnsOf(trials.filter(isStated));
  return expectedCalibrationError(confidences, right).bins;
}
