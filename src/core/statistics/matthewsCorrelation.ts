import { type Confusion, chanceDisagreement, marginals } from './confusion.ts';

/**
 * Matthews correlation coefficient for any number of classes (R_K), -1 to 1, 0 for chance:
 * (c n - sum t_k p_k) / sqrt((n² - sum t_k²) (n² - sum p_k²)), with n cases, c of them right, t_k true and p_k
 * predicted cases of class k. With more than two classes the least possible value is above -1.
 *
 * Source: J. Gorodkin, Comparing Two K-Category Assignments by a K-Category Correlation Coefficient, Computational
 * Biology and Chemistry 28 (2004), 367-374. Null where all truths or all predictions are of one class: the
 * correlation with a constant is undefined, and scikit-learn's `matthews_corrcoef` says 0 there.
 * Example: counts [[6, 2], [1, 3]]: (9 * 12 - 8 * 7 - 4 * 5) / sqrt((144 - 80) (144 - 74)) = 32 / sqrt(4480) = 0.4781.
 */
export function matthewsCorrelation(matrix: Confusion): number | null {
  const { agreed, rows, columns } = marginals(matrix);
  const spreadOfTruths = chanceDisagreement(rows, rows);
  const spreadOfPredictions = chanceDisagreement(columns, columns);
  if (spreadOfTruths === 0 || spreadOfPredictions === 0) return null;
  const covariance = agreed * matrix.n - rows.reduce((sum, count, index) => sum + count * (columns[index] ?? 0), 0);
  // Only rounding goes beyond the bounds.
  return Math.max(-1, Math.min(1, covariance / Math.sqrt(spreadOfTruths) / Math.sqrt(spreadOfPredictions)));
}
