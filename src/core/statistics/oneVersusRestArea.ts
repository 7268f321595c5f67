// Area under the curve for more than two labels.
import { prepareAreaUnderCurve } from './areaUnderCurve.ts';
import { type BelievedCase, distributionOver, placeOfTruth } from './distribution.ts';
import { equalWeights, type Weights } from './weights.ts';

export interface OneVersusRestArea {
  /** Mean of the defined areas, 0-1; null where none is. */
  readonly value: number | null;
  /** Area of each label against all others, in the order of the labels; null where it is undefined. */
  readonly areas: readonly (number | null)[];
}

const meanOfDefined = (areas: readonly (number | null)[]): number | null => {
  const defined = areas.filter((area) => area !== null);
  return defined.length === 0 ? null : defined.reduce((sum, area) => sum + area, 0) / defined.length;
};

/**
 * Area under the curve for more than two labels: each label against the rest by its own probability, and the
 * unweighted mean of these areas.
 *
 * Source: F. Provost and P. Domingos, Well-Trained PETs, 2000, with equal weights; scikit-learn's `roc_auc_score` with
 * `multi_class='ovr'`, `average='macro'`. A label that no case, or every case, has as its truth has no area: it is left
 * out of the mean and not counted as 0; scikit-learn then gives nan. With two labels both areas are the same.
 * Throws RangeError on a belief that is no distribution over `labels`, on a truth that is not one of them, and on weights that
 * do not fit. Example: areas 1, 0.5 and undefined give 0.75.
 */
export function oneVersusRestArea(
  cases: readonly BelievedCase[],
  labels: readonly string[],
  weights: Weights = equalWeights(cases.length),
): OneVersusRestArea {
  const areas = prepareAreas(cases, labels).map((area) => area(weights));
  return { value: meanOfDefined(areas), areas };
}

/** `oneVersusRestArea(...).value` of the same cases under many weights: sorts once for each label. */
export function prepareOneVersusRestArea(
  cases: readonly BelievedCase[],
  labels: readonly string[],
): (weights: Weights) => number | null {
  const areas = prepareAreas(cases, labels);
  return (weights) => meanOfDefined(areas.map((area) => area(weights)));
}

function prepareAreas(cases: readonly BelievedCase[], labels: readonly string[]): ((weights: Weights) => number | null)[] {
  const beliefs = cases.map(({ belief }) => distributionOver(labels, belief));
  const truths = cases.map(({ truth }) => placeOfTruth(labels, truth));
  return labels.map((_, place) =>
    prepareAreaUnderCurve(
      beliefs.map((belief) => belief[place] ?? 0),
      truths.map((truth) => truth === place),
    ),
  );
}
