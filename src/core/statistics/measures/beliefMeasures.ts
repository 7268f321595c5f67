// The quality of the distributions behind verdicts.

import type { Belief } from '../../../shared/domain.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { pairBelief } from '../../beliefs/verbalBelief.ts';
import { prepareAreaUnderCurve } from '../areaUnderCurve.ts';
import { brierLoss } from '../brierScore.ts';
import { brierSkill } from '../brierSkill.ts';
import { type BelievedCase, distributionOver } from '../distribution.ts';
import { logLoss } from '../logLoss.ts';
import { prepareLabelMiscalibration, prepareMiscalibration } from '../miscalibration.ts';
import { prepareOneVersusRestArea } from '../oneVersusRestArea.ts';
import { rankOfTruth } from '../rankOfTruth.ts';
import { mostLabels } from './labelMeasures.ts';
import { type PlannedMeasure, plannedItems, plannedMean, plannedShare, plannedSums } from './planned.ts';
import { type CasedTrials, type MeasuredTrial, ofReading } from './trials.ts';

export const noBelief = 'no decided trial with a known truth and a distribution over the labels';
const ranksUpTo = [1, 3];
/** docs/statistics.md has the simulation. */
const noMiscalibrationInterval =
  'no interval: over few cases it is still a little too large on average; the difference of two has one';

/** Whether a belief is a distribution over the labels: one from elsewhere need not be. */
function isDistribution(labels: readonly string[], belief: Belief): boolean {
  try {
    distributionOver(labels, belief);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The distribution behind a verdict; one stated number on two labels leaves the rest to the other label. */
function beliefOf({ belief, confidence, prediction }: MeasuredTrial, labels: readonly string[]): Belief | null {
  if (belief !== null || confidence === null || typeof prediction !== 'string') return belief;
  return labels.length === 2 && labels.includes(prediction) ? pairBelief(labels, prediction, confidence).belief : null;
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
      isDistribution(labels, belief);
    return usable ? { truth, belief } : null;
  };

/** The same, read once for each trial. */
export const believedReader = (labels: readonly string[]) => readOnce(readBelieved(labels));

/** The Brier loss of each decided trial with a known truth and a distribution, 0-1; null for others. */
export const lossReader = (labels: readonly string[]): ((trial: MeasuredTrial) => number | null) =>
  ofReading(believedReader(labels), (believed) => brierLoss(believed, labels));

/** The label whose probability is followed where there are two: the positive one, or the last. */
export const followedLabel = (labels: readonly string[], positive: string | null): string =>
  positive !== null && labels.includes(positive) ? positive : (labels.at(-1) ?? '');

/**
 * How good the distributions behind the verdicts are: Brier, log loss, area under the curve, miscalibration, and with more than two labels where
 * the true label ranks. Over decided trials with a known truth and a belief; others are not in `n`.
 */
export function beliefMeasures(trials: CasedTrials, labels: readonly string[], positive: string | null): PlannedMeasure[] {
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
  const lossOf = lossReader(labels);
  const addLoss = (trial: MeasuredTrial, add: (column: number, amount?: number) => void): boolean => {
    const [loss, believed] = [lossOf(trial), read(trial)];
    if (loss === null || believed === null) return false;
    add(0, loss);
    add(1 + labels.indexOf(believed.truth));
    return true;
  };
  return [
    plannedMean({ name: 'brier', over: 'believed' }, trials, lossOf, noBelief),
    plannedSums({ name: 'brier_skill', over: 'believed' }, trials, 1 + labels.length, addLoss, {
      measure: brierSkill,
      none: noBelief,
    }),
    plannedMean(
      { name: 'log_loss', over: 'believed' },
      trials,
      ofReading(read, (believed) => logLoss(believed, labels)),
      noBelief,
    ),
    plannedItems({ name: 'area_under_curve', over: 'believed' }, trials, (trial) => read(trial) !== null, {
      prepare: prepared(prepareAreaUnderCurve, prepareOneVersusRestArea),
      none: noBelief,
    }),
    ...(labels.length > mostLabels
      ? []
      : [
          plannedItems({ name: 'miscalibration', over: 'believed' }, trials, (trial) => read(trial) !== null, {
            prepare: prepared(prepareMiscalibration, prepareLabelMiscalibration),
            none: noBelief,
            noInterval: noMiscalibrationInterval,
          }),
        ]),
    ...(labels.length <= 2
      ? []
      : [
          ...ranksUpTo
            .filter((k) => k < labels.length)
            .map((k) =>
              plannedShare(
                { name: `accuracy_at_${k}`, over: 'believed' },
                trials,
                ofReading(ranks, (rank) => rank <= k),
                noBelief,
              ),
            ),
          plannedMean(
            { name: 'mean_reciprocal_rank', over: 'believed' },
            trials,
            ofReading(ranks, (rank) => 1 / rank),
            noBelief,
          ),
        ]),
  ];
}
