import type { SeatWeight } from '../../shared/commandOutputs.ts';
import { wilson } from './wilson.ts';

/** What one seat of a bench found of a case with a known truth. */
export interface SeatAnswer {
  readonly role: string;
  readonly right: boolean;
}

/**
 * What the vote of each seat should count, from how often it was right: ln((K - 1) p / (1 - p)) over K labels, with
 * p = (right + 1) / (n + K), so that no weight is infinite and a seat without an answer weighs 0. A seat that is no better than
 * chance weighs 0, never less.
 *
 * With independent seats whose errors are spread evenly over the other labels, the largest sum of these weights is the likeliest
 * label. Source for two labels: S. Nitzan and J. Paroush, Optimal Decision Rules in Uncertain Dichotomous Choice Situations,
 * International Economic Review 23 (1982), 289-297; for K labels by the same likelihood ratio. RangeError below two labels.
 * Example: 8 of 10 right over two labels: ln(9/3) = 1.0986.
 * @param seats in the order of the bench
 */
export function seatWeights(seats: readonly string[], answers: readonly SeatAnswer[], labels: number): SeatWeight[] {
  if (!(Number.isSafeInteger(labels) && labels >= 2)) throw new RangeError(`${labels} labels are too few for a vote`);
  return seats.map((role) => {
    const own = answers.filter((answer) => answer.role === role);
    const [n, right] = [own.length, own.filter((answer) => answer.right).length];
    const p = (right + 1) / (n + labels);
    const interval = wilson(right, n);
    return {
      role,
      n,
      right,
      accuracy: n === 0 ? null : right / n,
      low: interval?.low ?? null,
      high: interval?.high ?? null,
      weight: Math.max(0, Math.log(((labels - 1) * p) / (1 - p))),
    };
  });
}
