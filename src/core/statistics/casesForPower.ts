import { mcnemarPower, type PairedDesign } from './mcnemarPower.ts';

/** How many numbers of cases in a row must reach the power: the exact test's power goes up in saw-teeth. */
const row = 50;

/**
 * The number of cases from which McNemar's exact test has a power: the smallest n such that n and the 49 numbers after
 * it all reach `power`. Null where `most` cases do not reach it, and for a difference of 0, which is not to be found.
 *
 * Found by doubling and halving to a first crossing, then one by one about it. See `mcnemarPower` for formula, source and
 * ranges; `power` 0-1 exclusive, else RangeError. Example: discordance 1, difference 1, power 0.8: 6 cases.
 */
export function casesForPower(power: number, design: PairedDesign, most = 100_000): number | null {
  if (!(power > 0 && power < 1)) throw new RangeError(`power ${power} is not between 0 and 1`);
  if (design.difference === 0) return null;
  const reached = (cases: number) => mcnemarPower(cases, design) >= power;
  let enough = 1;
  while (!reached(enough)) {
    if (enough >= most) return null;
    enough = Math.min(most, enough * 2);
  }
  let tooFew = Math.floor(enough / 2);
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2);
    if (reached(middle)) enough = middle;
    else tooFew = middle;
  }
  let first = Math.max(1, enough - row);
  for (let cases = first; cases < first + row; cases++) if (!reached(cases)) first = cases + 1;
  return first <= most ? first : null;
}
