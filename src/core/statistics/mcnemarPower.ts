import { binomialCdf } from './binomialCdf.ts';
import { binomialProbabilities } from './binomialProbabilities.ts';

/** What is compared: two arms over the same cases, each right or wrong. */
export interface PairedDesign {
  /** Share of cases that exactly one arm gets right, 0-1. */
  readonly discordance: number;
  /** Share that only the first gets right minus share that only the second does, in size at most the discordance. */
  readonly difference: number;
  /** Two-sided level of the test, 0-1 exclusive; 0.05 by default. */
  readonly alpha?: number;
}

/**
 * The power of McNemar's exact two-sided test over `cases` cases, 0-1: the probability that its p-value is at most alpha
 * where the arms differ as `design` says.
 *
 * Formula: sum over m of P(M = m) (P(X <= k_m) + P(X >= m - k_m)), M binomial of `cases` with the discordance, X binomial
 * of m with (discordance + difference) / (2 discordance), k_m the largest k with 2 P(B <= k) <= alpha, B binomial of m
 * with 1/2. Nothing is approximated, so it goes up in saw-teeth with the cases.
 *
 * Source: S. W. Duffy, Asymptotic and Exact Power for the McNemar Test and Its Analogue with R Controls per Case,
 * Biometrics 40 (1984), 1005-1015. `cases`: a whole number from 0; else RangeError.
 * Example: 6 cases, discordance 1, difference 1: only 6 of 6 rejects (p = 2/64), and that is certain, so 1.
 */
export function mcnemarPower(cases: number, { difference, ...design }: PairedDesign): number {
  return mcnemarPowers(cases, design)(difference);
}

/** The same for many differences: what the test rejects does not depend on them and is found once. */
export function mcnemarPowers(
  cases: number,
  { discordance, alpha = 0.05 }: Omit<PairedDesign, 'difference'>,
): (difference: number) => number {
  if (!(Number.isSafeInteger(cases) && cases >= 0)) throw new RangeError(`${cases} cases: not a whole number from 0`);
  if (!(discordance >= 0 && discordance <= 1)) throw new RangeError(`discordance ${discordance} is not between 0 and 1`);
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`level ${alpha} is not between 0 and 1`);
  const { from, probabilities } = binomialProbabilities(cases, discordance);
  let critical = -1;
  const criticals = Int32Array.from(probabilities, (_, place) => {
    critical = criticalCount(from + place, alpha, critical);
    return critical;
  });
  return (difference) => {
    if (!(Math.abs(difference) <= discordance)) {
      throw new RangeError(`difference ${difference} cannot be larger than the discordance, ${discordance}`);
    }
    if (discordance === 0) return 0;
    const onlyFirst = Math.min(1, (discordance + difference) / (2 * discordance));
    let power = 0;
    criticals.forEach((most, place) => {
      if (most < 0) return;
      const rejected = binomialCdf(most, from + place, onlyFirst) + binomialCdf(most, from + place, 1 - onlyFirst);
      power += (probabilities[place] ?? 0) * rejected;
    });
    return Math.min(1, power);
  };
}

/** The largest count of the rarer kind that rejects, -1 where none does; it never falls as discordant cases are added. */
function criticalCount(discordant: number, alpha: number, atLeast: number): number {
  const rejects = (count: number) => 2 * binomialCdf(count, discordant, 0.5) <= alpha;
  let rejected = atLeast;
  let step = 1;
  while (rejects(rejected + step)) {
    rejected += step;
    step *= 2;
  }
  for (; step >= 1; step /= 2) if (rejects(rejected + step)) rejected += step;
  return rejected;
}
