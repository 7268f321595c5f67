// Area under the curve for more than two labels.
import { prepareAreaUnderCurve } from './areaUnderCurve.ts';
import { type BelievedCase, eachAgainstRest } from './distribution.ts';
import type { Weights } from './weights.ts';

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
