// The power of McNemar's exact test, and the difference that it finds.
import { binomialCdf } from './binomialCdf.ts';
import { normalQuantile } from './normalQuantile.ts';

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

/** Counts less likely than this, as a share of the likeliest, are left out: far under the rounding of their sum. */
const negligible = 1e-22;

/**
 * The binomial probabilities P(X = k) of `n` trials of probability `p` each, negligible ones left out.
 *
 * Formula: from the mode outwards by P(k + 1) / P(k) = (n - k) / (k + 1) * p / (1 - p), then divided by their sum, so
 * that nothing overflows whatever n is. `n`: a whole number from 0; `p`: 0-1; else RangeError. Time and space grow with
 * sqrt(n p (1 - p)). Example: n = 2, p = 0.5 gives from 0: 0.25, 0.5, 0.25.
 * @returns those of the counts `from`, `from` + 1, …, 0-1 each; they sum to 1
 */
export function binomialProbabilities(n: number, p: number) {
  if (!(Number.isSafeInteger(n) && n >= 0)) throw new RangeError(`${n} trials: not a whole number from 0`);
  if (!(p >= 0 && p <= 1)) throw new RangeError(`probability ${p} is not between 0 and 1`);
  if (p === 0 || p === 1) return { from: p * n, probabilities: Float64Array.of(1) };
  const odds = p / (1 - p);
  const mode = Math.min(n, Math.floor((n + 1) * p));
  const below: number[] = [];
  for (let k = mode, value = 1; k > 0; k--) {
    value *= k / ((n - k + 1) * odds);
    if (value < negligible) break;
    below.push(value);
  }
  const above: number[] = [];
  for (let k = mode, value = 1; k < n; k++) {
    value *= ((n - k) / (k + 1)) * odds;
    if (value < negligible) break;
    above.push(value);
  }
  const shares = [...below.reverse(), 1, ...above];
  const sum = shares.reduce((total, share) => total + share, 0);
  return { from: mode - below.length, probabilities: Float64Array.from(shares, (share) => share / sum) };
}

/**
 * The smallest difference of two arms' shares of right cases that McNemar's exact test over `cases` cases finds with
 * probability `power`, to 1e-9; above 0, at most the discordance. Null where even a difference as large as the
 * discordance is not found so often.
 *
 * The power goes up with the size of the difference, so the difference is halved in. See `mcnemarPower` for formula,
 * source and ranges; `power` 0-1 exclusive and above the power at no difference, else RangeError.
 */
export function detectableDifference(
  cases: number,
  power: number,
  { discordance, alpha }: Omit<PairedDesign, 'difference'>,
): number | null {
  if (!(power > 0 && power < 1)) throw new RangeError(`power ${power} is not between 0 and 1`);
  const powerAt = mcnemarPowers(cases, { discordance, ...(alpha === undefined ? {} : { alpha }) });
  if (powerAt(0) >= power) throw new RangeError(`power ${power} is reached where there is no difference at all`);
  if (powerAt(discordance) < power) return null;
  let tooSmall = 0;
  let enough = discordance;
  while (enough - tooSmall > 1e-9) {
    const middle = (tooSmall + enough) / 2;
    if (powerAt(middle) >= power) enough = middle;
    else tooSmall = middle;
  }
  return enough;
}

/**
 * Cases with which McNemar's exact test finds a difference with probability `power`, by halving: the power goes up in saw-teeth, so
 * that a few cases less can reach it too. `difference` above 0; `power` 0-1 exclusive. See `mcnemarPower` for the rest.
 */
export function casesForDifference(power: number, design: PairedDesign): number {
  if (!(power > 0 && power < 1 && design.difference > 0))
    throw new RangeError(`power ${power} for a difference of ${design.difference}`);
  const isEnough = (cases: number) => mcnemarPower(cases, design) >= power;
  let enough = 1;
  while (!isEnough(enough)) enough *= 2;
  let tooFew = Math.floor(enough / 2);
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (isEnough(middle)) enough = middle;
    else tooFew = middle;
  }
  return enough;
}

/**
 * Cases with which two arms that are equally often right are shown, with probability `power`, to differ by less than the margin:
 * discordance (z(1 - alpha/2) + z(q))² / margin², where q is the power for non-inferiority, which takes one end of the interval, and
 * (1 + power) / 2 for equivalence, which takes both. The normal approximation of that interval: where both are equally often right,
 * the variance of the difference in a case is the discordance. `margin` above 0; `alpha`, two-sided, and `power` 0-1 exclusive.
 */
export function casesForMargin(
  margin: number,
  power: number,
  { discordance, alpha, ends }: { readonly discordance: number; readonly alpha: number; readonly ends: 1 | 2 },
): number {
  const reached = ends === 1 ? power : (1 + power) / 2;
  return Math.ceil(discordance * ((normalQuantile(1 - alpha / 2) + normalQuantile(reached)) / margin) ** 2);
}
