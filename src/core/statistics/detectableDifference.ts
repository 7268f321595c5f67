import { mcnemarPowers, type PairedDesign } from './mcnemarPower.ts';

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
