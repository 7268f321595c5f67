// How well two sides agree on labels, by their confusion matrix.
import { recall } from './classScores.ts';
import { type Confusion, chanceDisagreement, classCounts, marginals } from './confusion.ts';

/**
 * Balanced accuracy: mean recall of the classes that are the truth of some case, 0-1; null without cases.
 * Guessing gives 1 / number of classes however skewed they are.
 *
 * Source: K. H. Brodersen, C. S. Ong, K. E. Stephan and J. M. Buhmann, The Balanced Accuracy and Its Posterior
 * Distribution, ICPR 2010; for more than two classes as scikit-learn's `balanced_accuracy_score`. Classes without a
 * case are left out. With one class in the truth it is that class's recall. Example: recalls 0.9 and 0.5 give 0.7.
 */
export function balancedAccuracy(matrix: Confusion): number | null {
  const recalls = matrix.labels.flatMap((label) => recall(classCounts(matrix, label)) ?? []);
  return recalls.length === 0 ? null : recalls.reduce((sum, value) => sum + value, 0) / recalls.length;
}

/**
 * Cohen's kappa, unweighted: agreement beyond what the two sides' own frequencies would give by chance,
 * (p_o - p_e) / (1 - p_e) = 1 - (1 - p_o) / (1 - p_e), with p_o the share of agreement and p_e = sum over labels
 * of row share x column share; up to 1, 0 for chance. Null without cases and where p_e is 1 (both always say the same one label).
 *
 * Source: J. Cohen, A Coefficient of Agreement for Nominal Scales, Educational and Psychological Measurement 20
 * (1960), 37-46. Symmetric in its two sides: they may be truth and prediction, or the predictions of two arms over
 * the cases that both decided (one in the place of the truth).
 * Example: counts [[6, 2], [1, 3]]: p_o = 9/12, p_e = (8 * 7 + 4 * 5) / 144 = 76/144, kappa = 32/68 = 0.4706.
 */
export function cohenKappa(matrix: Confusion): number | null {
  const { agreed, rows, columns } = marginals(matrix);
  const byChance = chanceDisagreement(rows, columns);
  return byChance === 0 ? null : 1 - ((matrix.n - agreed) * matrix.n) / byChance;
}

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
