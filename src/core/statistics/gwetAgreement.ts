import { type Confusion, marginals } from './confusion.ts';

/**
 * Gwet's first-order agreement coefficient (AC1) of two raters, (p_a - p_e) / (1 - p_e), with p_a the share of agreement,
 * p_e = sum over labels of π (1 - π) / (q - 1), π the mean of the two raters' shares of a label, and q labels; up to 1, 0 for
 * chance. Unlike kappa it does not fall where nearly all cases have one label. Null without cases and with one label.
 *
 * Source: K. L. Gwet, Computing inter-rater reliability and its variance in the presence of high agreement, British Journal of
 * Mathematical and Statistical Psychology 61 (2008), 29-48. Example: counts [[118, 5], [2, 0]]: p_a = 0.944, π = 0.972 and 0.028,
 * p_e = 0.054432, AC1 = 0.9408.
 */
export function gwetAgreement(matrix: Confusion): number | null {
  const labels = matrix.labels.length;
  if (matrix.n === 0 || labels < 2) return null;
  const { agreed, rows, columns } = marginals(matrix);
  const byChance = rows.reduce((sum, row, index) => {
    const share = (row + (columns[index] ?? 0)) / (2 * matrix.n);
    return sum + (share * (1 - share)) / (labels - 1);
  }, 0);
  return (agreed / matrix.n - byChance) / (1 - byChance);
}
