// Sets of labels that hold the true one with a stated probability.
import { isSame } from './sameNumber.ts';

/**
 * The least probability that a label needs to be in a set, by split conformal prediction: of the probabilities of the true labels
 * of n calibration cases the k-th highest, k = ceil((n + 1) (1 - alpha)). If new cases are exchangeable with these, the set of a
 * new case holds its true label with a probability of at least 1 - alpha, for good and bad beliefs; these only make it small or
 * large.
 *
 * Source: V. Vovk, A. Gammerman and G. Shafer, Algorithmic Learning in a Random World, 2005; with 1 - P(label) as the score,
 * M. Sadinle, J. Lei and L. Wasserman, Least Ambiguous Set-Valued Classifiers with Bounded Error Levels, JASA 114 (2019), 223-234.
 * Null where n is too small for any threshold (k > n: fewer than 9 cases at alpha 0.1). Example: alpha 0.25 and probabilities
 * 0.9, 0.6, 0.8: k = 3, 0.6.
 */
export function conformalThreshold(ofTruth: readonly number[], alpha: number): number | null {
  const wanted = (ofTruth.length + 1) * (1 - alpha);
  const k = isSame(wanted, Math.round(wanted)) ? Math.round(wanted) : Math.ceil(wanted);
  return ofTruth.toSorted((one, other) => other - one)[k - 1] ?? null;
}

/** Places of the labels in the set: those at least as probable as the threshold. It can be empty. */
export const conformalSet = (probabilities: readonly number[], least: number): number[] =>
  [...probabilities.keys()].filter((place) => {
    const probability = probabilities[place] ?? 0;
    return probability >= least || isSame(probability, least);
  });
