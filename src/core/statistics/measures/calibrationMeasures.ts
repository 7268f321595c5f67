// Whether beliefs are as high as outcomes are frequent: recalibration, the parts of the Brier score and the error, label by label.
import type { ReliabilityBin } from '../../../shared/statistics.ts';
import { brierDecomposition, debiasedCalibrationError } from '../brierDecomposition.ts';
import type { BelievedCase } from '../distribution.ts';
import { expectedCalibrationError } from '../expectedCalibrationError.ts';
import { isCertain, logisticRecalibration, type NoFit, waldInterval } from '../logisticRecalibration.ts';
import { reliabilityBins } from '../reliabilityBins.ts';
import type { Weights } from '../weights.ts';
import { believedReader, followedLabel, noBelief, readBelieved } from './beliefMeasures.ts';
import { mostLabels } from './labelMeasures.ts';
import { type FormulaEstimate, type PlannedMeasure, plannedItems, plannedMean, plannedShare, withoutValue } from './planned.ts';
import { type CasedTrials, type MeasuredTrial, ofReading } from './trials.ts';

/** Bins of equal frequency, equal beliefs never split: those of the calibration error. */
const bins = 15;

const gaps: Readonly<Record<NoFit, string>> = {
  'one-outcome': 'all outcomes are alike, so that the best intercept is infinite',
  'no-slope': 'all beliefs are alike, or all are 0 or 1: a slope needs beliefs between 0 and 1 that differ',
  separated: 'a threshold of the belief separates the outcomes without an error, so that the best slope is infinite',
};
const noBinnedInterval =
  'no interval: squared distances in bins are too large on average, in resamples more than in the data; their interval would not cover the true value';

type Fits = ReturnType<typeof logisticRecalibration>;

// By themselves, so that what is planned does not hold the trials.
const formulaOf =
  (fit: Fits[keyof Fits]) =>
  (level: number): FormulaEstimate => {
    if (typeof fit === 'string') return { value: null, low: null, high: null, interval_method: null, why_null: gaps[fit] };
    const interval = waldInterval(fit, level);
    return interval === null
      ? { value: fit.value, low: null, high: null, interval_method: null, why_null: 'no interval of one case' }
      : { value: fit.value, ...interval, interval_method: 'sandwich', why_null: null };
  };

function recalibration(trials: CasedTrials, label: string, read: ReturnType<typeof believedReader>): PlannedMeasure[] {
  // Column by column: a group can have 100,000 trials.
  const [beliefs, outcomes, weights, caseOf]: [number[], boolean[], number[], number[]] = [[], [], [], []];
  trials.trials.forEach((trial, index) => {
    const found = read(trial);
    if (found === null) return;
    beliefs.push(found.belief[label] ?? 0);
    outcomes.push(found.truth === label);
    weights.push(trials.share[index] ?? 0);
    caseOf.push(trials.caseOf[index] ?? 0);
  });
  const fits = logisticRecalibration({ beliefs, outcomes, weights, caseOf });
  const cases = new Set(caseOf).size;
  const planned = (name: string, fit: Fits[keyof Fits]): PlannedMeasure => ({
    ...withoutValue({ name, over: 'believed', label }, noBelief),
    ...(beliefs.length === 0 ? {} : { n: beliefs.length, cases, byFormula: formulaOf(fit) }),
  });
  return [
    planned('calibration_in_the_large', fits.inTheLarge),
    planned('calibration_intercept', fits.intercept),
    planned('calibration_slope', fits.slope),
  ];
}

/** Mean belief in a label, the share of the same trials that have it, and the first less the second. */
function meanAgainstShare(trials: CasedTrials, label: string, read: ReturnType<typeof believedReader>): PlannedMeasure[] {
  const about = (name: string) => ({ name, over: 'believed' as const, label });
  const beliefIn = ({ belief }: BelievedCase) => belief[label] ?? 0;
  const excess = (found: BelievedCase) => beliefIn(found) - Number(found.truth === label);
  return [
    plannedMean(about('mean_probability'), trials, ofReading(read, beliefIn), noBelief),
    plannedShare(
      about('observed_share'),
      trials,
      ofReading(read, ({ truth }) => truth === label),
      noBelief,
    ),
    plannedMean(about('probability_excess'), trials, ofReading(read, excess), noBelief),
  ];
}

/** Whether beliefs in the positive of two labels are too high or too low on the whole; none where no trial stated one. */
export function calibrationInTheLarge(trials: CasedTrials, labels: readonly string[], positive: string): PlannedMeasure[] {
  if (labels.length !== 2) return [];
  const read = readBelieved(labels);
  return [...meanAgainstShare(trials, positive, read), ...recalibration(trials, positive, read).slice(0, 1)].filter(
    ({ n }) => n > 0,
  );
}

const binned = {
  expected_calibration_error: (found) => found.value,
  debiased_calibration_error: (found) => debiasedCalibrationError(found.bins),
  brier_binned: (found) => brierDecomposition(found.bins)?.binned ?? null,
  brier_reliability: (found) => brierDecomposition(found.bins)?.reliability ?? null,
  brier_resolution: (found) => brierDecomposition(found.bins)?.resolution ?? null,
  brier_uncertainty: (found) => brierDecomposition(found.bins)?.uncertainty ?? null,
} as const satisfies Record<string, (found: ReturnType<typeof expectedCalibrationError>) => number | null>;

type Binned = (typeof binned)[keyof typeof binned];

const ofBins = (measure: Binned, beliefs: Float64Array, outcomes: readonly boolean[]) => (weights: Weights) =>
  measure(expectedCalibrationError(beliefs, outcomes, bins, weights));

function ofLabel(trials: CasedTrials, label: string, read: ReturnType<typeof believedReader>): PlannedMeasure[] {
  const prepare = (measure: Binned) => (items: readonly MeasuredTrial[]) => {
    const believed = items.flatMap((trial) => read(trial) ?? []);
    return ofBins(
      measure,
      Float64Array.from(believed, ({ belief }) => belief[label] ?? 0),
      believed.map(({ truth }) => truth === label),
    );
  };
  return [
    ...meanAgainstShare(trials, label, read),
    ...recalibration(trials, label, read),
    plannedShare(
      { name: 'certain_belief', over: 'believed', label },
      trials,
      ofReading(read, ({ belief }) => isCertain(belief[label] ?? 0)),
      noBelief,
    ),
    ...Object.entries(binned).map(([name, measure]) =>
      plannedItems({ name, over: 'believed', label }, trials, (trial) => read(trial) !== null, {
        prepare: prepare(measure),
        none: noBelief,
        noInterval: noBinnedInterval,
      }),
    ),
  ];
}

/** Calibration of P(positive label), or of P(last label) without one; of each label where there are more than two. */
export function calibrationMeasures(trials: CasedTrials, labels: readonly string[], positive: string | null): PlannedMeasure[] {
  if (labels.length > mostLabels) return [];
  const read = believedReader(labels);
  const reported = labels.length === 2 ? [followedLabel(labels, positive)] : labels;
  return reported.flatMap((label) => ofLabel(trials, label, read));
}

/**
 * Bins of the probability of one of two labels, and the share that has it.
 * Undefined where no trial stated one.
 */
export function labelReliability(
  { trials }: CasedTrials,
  labels: readonly string[],
  positive: string | null,
): { label: string; bins: ReliabilityBin[] } | undefined {
  if (labels.length !== 2) return undefined;
  const label = followedLabel(labels, positive);
  const read = readBelieved(labels);
  const believed = trials
    .flatMap((trial) => read(trial) ?? [])
    .map(({ belief, truth }) => ({ belief: belief[label] ?? 0, isMet: truth === label }));
  const found = reliabilityBins(believed);
  return found.length === 0 ? undefined : { label, bins: found };
}
