// Areas under the receiver operating characteristic curve.
import { alikePairs } from './alikePairs.ts';
import { type BelievedCase, eachAgainstRest } from './distribution.ts';
import { type TieGroups, tieGroups } from './tieGroups.ts';
import { equalWeights, type Weights } from './weights.ts';

/**
 * Area under the receiver operating characteristic curve, 0-1: the probability that a positive case has a higher
 * score than a negative one, equal scores counting one half,
 * (pairs with the positive one higher + pairs of equal scores / 2) / all pairs; null where one of the two classes
 * has no case.
 *
 * Source: J. A. Hanley and B. J. McNeil, The Meaning and Use of the Area under a ROC Curve, Radiology 143 (1982),
 * 29-36; the Mann-Whitney U over its maximum. For two labels the score is P(positive label).
 * `scores`: finite numbers on any scale; `positives`: as many; `weights`: see `Weights`; else RangeError.
 * Example: scores [0.8, 0.6, 0.6] of which the first two are positive: pairs (0.8, 0.6) and (0.6, 0.6) give 1.5 / 2.
 */
export function areaUnderCurve(
  scores: ArrayLike<number>,
  positives: ArrayLike<boolean>,
  weights: Weights = equalWeights(scores.length),
): number | null {
  return prepareAreaUnderCurve(scores, positives)(weights);
}

/** `areaUnderCurve` of the same cases under many weights: sorts once, then takes time in proportion to the cases. */
export function prepareAreaUnderCurve(
  scores: ArrayLike<number>,
  positives: ArrayLike<boolean>,
): (weights: Weights) => number | null {
  if (scores.length !== positives.length) throw new RangeError(`there are ${scores.length} scores for ${positives.length} cases`);
  const { x, y, under } = alikePairs(scores, Uint8Array.from(positives, Number));
  const groups = tieGroups(x);
  const areaUnder = areaOf(
    groups,
    Uint8Array.from(groups.order, (index) => y[index] ?? 0),
  );
  return (weights) => areaUnder(under(weights));
}

/** @param isPositive in the order of the groups */
function areaOf({ order, ends }: TieGroups, isPositive: Uint8Array): (weights: Weights) => number | null {
  const isLast = new Uint8Array(order.length);
  for (const end of ends) isLast[end - 1] = 1;
  return (weights) => {
    let positivesBelow = 0;
    let allBelow = 0;
    let twiceWon = 0;
    let positive = 0;
    let all = 0;
    for (let place = 0; place < order.length; place++) {
      const weight = weights[order[place] as number] as number;
      // Without a branch, since which one it is looks random to the processor.
      positive += weight * (isPositive[place] as number);
      all += weight;
      if (isLast[place] === 0) continue;
      // Of pairs with a negative one below, and of those within the group half.
      twiceWon += positive * (2 * (allBelow - positivesBelow) + all - positive);
      positivesBelow += positive;
      allBelow += all;
      positive = 0;
      all = 0;
    }
    const negativesBelow = allBelow - positivesBelow;
    const pairs = positivesBelow * negativesBelow;
    return pairs === 0 ? null : twiceWon / (2 * pairs);
  };
}

/**
 * Area under the curve for more than two labels: each label against the rest by its own probability, and the
 * unweighted mean of these areas.
 *
 * Source: F. Provost and P. Domingos, Well-Trained PETs, 2000, with equal weights; scikit-learn's `roc_auc_score` with
 * `multi_class='ovr'`, `average='macro'`. A label that no case, or every case, has as its truth has no area: it is left
 * out of the mean and not counted as 0; scikit-learn then gives nan. With two labels both areas are the same.
 * Throws RangeError on a belief that is no distribution over `labels`, on a truth that is not one of them, and on weights that
 * do not fit. Example: areas 1, 0.5 and undefined give 0.75.
 * Prepared for many weights of the same cases: sorts once for each label.
 */
export function prepareOneVersusRestArea(
  cases: readonly BelievedCase[],
  labels: readonly string[],
): (weights: Weights) => number | null {
  const areas = eachAgainstRest(cases, labels, prepareAreaUnderCurve);
  return (weights) => {
    const defined = areas.flatMap((area) => area(weights) ?? []);
    return defined.length === 0 ? null : defined.reduce((sum, area) => sum + area, 0) / defined.length;
  };
}
