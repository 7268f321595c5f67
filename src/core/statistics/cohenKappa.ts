import { type Confusion, chanceDisagreement, marginals } from './confusion.ts';

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
