// Interval of the difference of two shares of the same cases.
import { wilson } from './wilson.ts';

/** Cases with a property by the first and the second, by the first only, by the second only, and by neither: whole numbers from 0. */
interface FourCounts {
  readonly both: number;
  readonly first: number;
  readonly second: number;
  readonly neither: number;
}

/**
 * 95% interval of (share of the first) - (share of the second), -1 to 1, from Wilson's intervals of the two and their correlation phi,
 * with Newcombe's correction for continuity: R. G. Newcombe, Improved confidence intervals for the difference between binomial
 * proportions based on paired data, Statistics in Medicine 17 (1998), 2635-2650, method 10. Null without a case.
 */
export function pairedShares({ both, first, second, neither }: FourCounts) {
  const level = 0.95;
  const n = both + first + second + neither;
  const [one, other] = [wilson(both + first, n, level), wilson(both + second, n, level)];
  if (one === null || other === null) return null;
  const [p, q] = [(both + first) / n, (both + second) / n];
  const margins = (both + first) * (second + neither) * (both + second) * (first + neither);
  const product = both * neither - first * second;
  const corrected = product > 0 ? Math.max(0, product - n / 2) : product;
  const phi = margins === 0 ? 0 : corrected / Math.sqrt(margins);
  const reach = (x: number, y: number) => Math.sqrt(Math.max(0, x * x - 2 * phi * x * y + y * y));
  return {
    value: p - q,
    low: p - q - reach(p - one.low, other.high - q),
    high: p - q + reach(one.high - p, q - other.low),
    level,
  };
}
