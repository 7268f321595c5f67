import { tieGroups } from './tieGroups.ts';
import { equalWeights, requireWeights, type Weights } from './weights.ts';

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
  const { order, ends } = tieGroups(scores);
  const isPositive = Uint8Array.from(order, (index) => (positives[index] ? 1 : 0));
  return (weights) => {
    requireWeights(weights, order.length);
    let positivesBelow = 0;
    let negativesBelow = 0;
    let twiceWon = 0;
    let place = 0;
    for (const end of ends) {
      let positive = 0;
      let negative = 0;
      for (; place < end; place++) {
        const weight = weights[order[place] ?? 0] ?? 0;
        if (isPositive[place] === 1) positive += weight;
        else negative += weight;
      }
      twiceWon += positive * (2 * negativesBelow + negative);
      positivesBelow += positive;
      negativesBelow += negative;
    }
    const pairs = positivesBelow * negativesBelow;
    return pairs === 0 ? null : twiceWon / (2 * pairs);
  };
}
