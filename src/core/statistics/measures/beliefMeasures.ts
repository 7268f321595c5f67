// The quality of the distributions behind verdicts.

import type { Belief } from '../../../shared/domain.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { pairBelief } from '../../beliefs/verbalBelief.ts';
import { prepareAreaUnderCurve, prepareOneVersusRestArea } from '../areaUnderCurve.ts';
import { brierLoss, brierSkill, labelSetBrierLoss, logLoss, rankOfTruth } from '../beliefScores.ts';
import { type BelievedCase, distributionOver } from '../distribution.ts';
import { prepareLabelMiscalibration, prepareMiscalibration } from '../miscalibration.ts';
import { mostLabels } from './labelMeasures.ts';
import { type PlannedMeasure, plannedItems, plannedMean, plannedShare, plannedSums } from './planned.ts';
import { type CasedTrials, type MeasuredTrial, ofReading } from './trials.ts';

export const noBelief = 'no decided trial with a known truth and a distribution over the labels';
const noSetBelief = 'no decided trial with a known truth and a probability for each label';
const ranksUpTo = [1, 3];
/** docs/statistics.md has the simulation. */
const noMiscalibrationInterval =
  'no interval: over few cases it is still a little too large on average; the difference of two has one';

/** Null where a belief is not one of these labels: one from elsewhere need not be. */
function unlessForeign<Read>(read: () => Read): Read | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The distribution behind a verdict; one stated number on two labels leaves the rest to the other label. */
function beliefOf({ belief, confidence, prediction }: MeasuredTrial, labels: readonly string[]): Belief | null {
  if (belief !== null || confidence === null || typeof prediction !== 'string') return belief;
  return labels.length === 2 && labels.includes(prediction) ? pairBelief(labels, prediction, confidence).belief : null;
}

/** The probability that a decided trial gives a label, 0-1; null where it has no distribution over these labels. */
export function probabilityOf(trial: MeasuredTrial, labels: readonly string[], label: string): number | null {
  const belief = trial.outcome === 'decided' ? beliefOf(trial, labels) : null;
  const shares = belief === null ? null : unlessForeign(() => distributionOver(labels, belief));
  return shares?.[labels.indexOf(label)] ?? null;
}

/** The verdict's distribution and the truth of a trial; null unless it is decided and has both. */
export const readBelieved =
  (labels: readonly string[]) =>
  (trial: MeasuredTrial): BelievedCase | null => {
    const { outcome, truth } = trial;
    const belief = beliefOf(trial, labels);
    const usable =
      outcome === 'decided' &&
      typeof truth === 'string' &&
      labels.includes(truth) &&
      belief !== null &&
      unlessForeign(() => distributionOver(labels, belief)) !== null;
    return usable ? { truth, belief } : null;
  };

/** The same, read once for each trial. */
export const believedReader = (labels: readonly string[]) => readOnce(readBelieved(labels));

/** The Brier loss of each decided trial with a known truth and a distribution, of several labels a probability for each, 0-1; null for others. */
export function lossReader(labels: readonly string[], multiLabel: boolean): (trial: MeasuredTrial) => number | null {
  if (!multiLabel) return ofReading(believedReader(labels), (believed) => brierLoss(believed, labels));
  return ({ outcome, truth, belief }) =>
    outcome !== 'decided' || !Array.isArray(truth) || belief === null
      ? null
      : unlessForeign(() => labelSetBrierLoss({ truth, belief }, labels));
}

/** The label whose probability is followed where there are two: the positive one, or the last. */
export const followedLabel = (labels: readonly string[], positive: string | null): string =>
  positive !== null && labels.includes(positive) ? positive : (labels.at(-1) ?? '');

/**
 * How good the distributions behind the verdicts are: Brier, log loss, area under the curve, miscalibration, and with more than two labels where
 * the true label ranks; of several labels the Brier score alone, since ranks say nothing there. Over decided trials with a known truth and
 * a belief; others are not in `n`.
 */
export function beliefMeasures(
  trials: CasedTrials,
  labels: readonly string[],
  positive: string | null,
  multiLabel = false,
): PlannedMeasure[] {
  const lossOf = lossReader(labels, multiLabel);
  if (multiLabel) return [plannedMean({ name: 'brier', over: 'believed' }, trials, lossOf, noSetBelief)];
  const read = believedReader(labels);
  const believedOnes = (items: readonly MeasuredTrial[]) => items.flatMap((trial) => read(trial) ?? []);
  const followed = followedLabel(labels, positive);
  // Of two labels one says it all.
  const prepared =
    (ofOne: typeof prepareAreaUnderCurve, ofAll: typeof prepareOneVersusRestArea) => (items: readonly MeasuredTrial[]) => {
      const believed = believedOnes(items);
      if (labels.length !== 2) return ofAll(believed, labels);
      return ofOne(
        believed.map(({ belief }) => belief[followed] ?? 0),
        believed.map(({ truth }) => truth === followed),
      );
    };
  const ranks = ofReading(read, (believed) => rankOfTruth(believed, labels));
  const addLoss = (trial: MeasuredTrial, add: (column: number, amount?: number) => void): boolean => {
    const [loss, believed] = [lossOf(trial), read(trial)];
    if (loss === null || believed === null) return false;
    add(0, loss);
    add(1 + labels.indexOf(believed.truth));
    return true;
  };
  const over = 'believed' as const;
  const mean = (name: string, measure: (trial: MeasuredTrial) => number | null) =>
    plannedMean({ name, over }, trials, measure, noBelief);
  const isRead = (trial: MeasuredTrial) => read(trial) !== null;
  const area = { prepare: prepared(prepareAreaUnderCurve, prepareOneVersusRestArea), none: noBelief };
  const miscalibration = {
    ...{ prepare: prepared(prepareMiscalibration, prepareLabelMiscalibration), none: noBelief },
    noInterval: noMiscalibrationInterval,
  };
  const measures = [
    mean('brier', lossOf),
    plannedSums({ name: 'brier_skill', over }, trials, 1 + labels.length, addLoss, { measure: brierSkill, none: noBelief }),
    mean(
      'log_loss',
      ofReading(read, (believed) => logLoss(believed, labels)),
    ),
    plannedItems({ name: 'area_under_curve', over }, trials, isRead, area),
    ...(labels.length > mostLabels ? [] : [plannedItems({ name: 'miscalibration', over }, trials, isRead, miscalibration)]),
  ];
  if (labels.length <= 2) return measures;
  const first = ranksUpTo.filter((k) => k < labels.length);
  const isAmong = (k: number) => ofReading(ranks, (rank) => rank <= k);
  return [
    ...measures,
    ...first.map((k) => plannedShare({ name: `accuracy_at_${k}`, over }, trials, isAmong(k), noBelief)),
    mean(
      'mean_reciprocal_rank',
      ofReading(ranks, (rank) => 1 / rank),
    ),
  ];
}
