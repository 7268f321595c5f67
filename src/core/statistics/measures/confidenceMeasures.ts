// Whether stated confidence fits with being right.
import type { ReliabilityBin } from '../../../shared/statistics.ts';
import { debiasedCalibrationError } from '../brierDecomposition.ts';
import { expectedCalibrationError, prepareExpectedCalibrationError } from '../expectedCalibrationError.ts';
import { preparePearsonCorrelation } from '../pearsonCorrelation.ts';
import { reliabilityBins } from '../reliabilityBins.ts';
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
export const isStated = (trial: MeasuredTrial): boolean => trial.confidence !== null && decidedRightly(trial) !== null;

const prepared =
  <Result>(prepare: (confidences: readonly number[], right: readonly boolean[]) => Result) =>
  (trials: readonly MeasuredTrial[]): Result =>
    prepare(
      trials.map(({ confidence }) => confidence ?? 0),
      trials.map((trial) => decidedRightly(trial) === true),
    );

/** How the stated confidence fits with being right: calibration error and correlations, over decided trials that stated one. */
export function confidenceMeasures(trials: CasedTrials, multiLabel = false): PlannedMeasure[] {
  const none = multiLabel ? noConfidenceOfSets : noConfidence;
  const planned = (name: string, prepare: Parameters<typeof plannedItems>[3]['prepare'], more: { noInterval?: string } = {}) =>
    plannedItems({ name, over: 'stated' }, trials, isStated, { prepare, none, ...more });
  return [
    planned('expected_calibration_error', prepared(prepareExpectedCalibrationError), { noInterval }),
    planned(
      'debiased_calibration_error',
      prepared((x, right) => (weights) => debiasedCalibrationError(expectedCalibrationError(x, right, 15, weights).bins)),
      { noInterval },
    ),
    planned(
      'confidence_correctness_pearson',
      prepared((x, right) => preparePearsonCorrelation(x, Uint8Array.from(right, Number))),
    ),
    planned(
      'confidence_correctness_spearman',
      prepared((x, right) => prepareSpearmanCorrelation(x, Uint8Array.from(right, Number))),
    ),
  ];
}

/** The points of a reliability diagram of the stated confidence. */
export const reliability = ({ trials }: CasedTrials): readonly ReliabilityBin[] =>
  reliabilityBins(
    trials.filter(isStated).map((trial) => ({ belief: trial.confidence ?? 0, isMet: decidedRightly(trial) === true })),
  );
