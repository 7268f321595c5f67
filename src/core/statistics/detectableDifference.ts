import { mcnemarPowers, type PairedDesign } from './mcnemarPower.ts';
import { normalQuantile } from './normalQuantile.ts';

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
