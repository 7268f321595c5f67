/**
 * The quantile at `share` of numbers in ascending order: linear between the two nearest, at place share * (n - 1).
 *
 * Source: definition 7 of R. J. Hyndman and Y. Fan, Sample Quantiles in Statistical Packages, The American Statistician
 * 50 (1996), 361-365, numpy's default. `sorted`: ascending and not empty; `share`: 0-1; else RangeError.
 * Example: [1, 2, 4] at 0.75 is at place 1.5, so 3.
 */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  if (!(share >= 0 && share <= 1)) throw new RangeError(`a quantile is at a share from 0 to 1, not at ${share}`);
  const place = share * (sorted.length - 1);
  const lower = sorted[Math.floor(place)];
  const upper = sorted[Math.ceil(place)];
  if (lower === undefined || upper === undefined) throw new RangeError('no numbers, no quantile');
  const part = place - Math.floor(place);
  // From the nearer end, so that a part of 1 would give exactly `upper`.
  return part < 0.5 ? lower + (upper - lower) * part : upper - (upper - lower) * (1 - part);
}
