import { paired } from './probabilities.ts';

/**
 * The joint distribution of two whose chance of agreeing is the highest that their own distributions allow: min(p, q) on
 * the diagonal, and of what is left (p - min) (q - min) / (1 - sum min) beside it.
 *
 * Source: the maximal coupling (W. Doeblin 1938; T. Lindvall, Lectures on the Coupling Method, 1992). "SocraSynth and
 * EVINCE" takes the mutual information of two stated distributions and does not say of which joint one.
 *
 * @returns rows by class of the first, columns by class of the second. Throws RangeError on different numbers of classes.
 */
export function maximalCoupling(first: readonly number[], second: readonly number[]): number[][] {
  const pairs = paired(first, second);
  const common = pairs.map(([p, q]) => Math.min(p, q));
  const left = pairs.map(([p], index) => p - (common[index] ?? 0));
  const missing = pairs.map(([, q], index) => q - (common[index] ?? 0));
  const apart = left.reduce((sum, mass) => sum + mass, 0);
  return left.map((mass, row) =>
    missing.map((gap, column) => (row === column ? (common[row] ?? 0) : 0) + (apart > 0 ? (mass * gap) / apart : 0)),
  );
}
