// The binomial distribution, count by count.
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
