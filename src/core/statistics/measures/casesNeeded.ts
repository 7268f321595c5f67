// How many cases it takes to find a difference, in words.
import { rightWords } from '../../../shared/decidedBy.ts';
import { count } from '../../../shared/sizes.ts';
import type { Comparison, Measure } from '../../../shared/statistics.ts';
import { barePoints, percent, pointsOf } from '../../figures/shares.ts';
import { casesForDifference } from '../mcnemarPower.ts';
import { normalQuantile } from '../normalQuantile.ts';

/** How often a difference is to be found. */
const power = 0.8;

/** Points below which a difference is too near to none to ask how many cases would show it. */
const leastSeen = 0.01;
/** More cases than this are no plan. */
const mostCases = 100_000;

/** A difference that people plan for, whatever was seen. */
const planned = 0.1;

/** Cases that find a difference of a size four times in five, to two digits; null where no more than there are, or too many. */
function casesToFind(size: number, least: number, cases: number): number | null {
  if (size < leastSeen || size >= least) return null;
  const needed = Number((cases * (least / size) ** 2).toPrecision(2));
  return needed > mostCases ? null : needed;
}

/** With how many cases a difference that people plan for would be found; null where these are enough, or too many are needed. */
export function casesForPlan(least: number, cases: number): string | null {
  const needed = casesToFind(planned, least, cases);
  if (needed === null) return null;
  return `A difference of ${pointsOf(planned)} would be found four times in five with about ${count(needed)} cases.`;
}

/** With how many cases a difference that people plan for would be found, by the width of an interval; null as of `casesForPlan`. */
export function casesByInterval({ low, high, level, cases }: Pick<Measure, 'low' | 'high' | 'level' | 'cases'>): string | null {
  if (low === null || high === null) return null;
  const least = ((high - low) / 2) * (1 + normalQuantile(power) / normalQuantile((1 + level) / 2));
  const needed = casesToFind(planned, least, cases);
  return needed === null ? null : `${pointsOf(planned)} would take about ${count(needed)} cases`;
}

/** @param least of `smallest_detectable_difference`; `most` too, of several pairs @param unshown the pair that it is of, where its difference is not shown */
export function foundDifference(least: number, unshown: Comparison | null = null, most = least): string {
  const size = pointsOf(most);
  const range = pointsOf(least) === size ? size : `${barePoints(least)} to ${size}, depending on the pair,`;
  const found = `a difference of ${range} would be found four times in five, smaller ones less often`;
  const needed = unshown && neededCases(unshown, {});
  return needed === null ? found : `${found}; one ${needed}`;
}

/**
 * How many cases a difference as large as the one seen takes, and one of 10 points. Where some difference could be found, null if
 * `casesToFind` has none for the first; where none could, by the power at the share of cases on which one of the two is right, null
 * without a case that both have.
 */
export function neededCases(pair: Comparison, labelled: Parameters<typeof rightWords>[0]): string | null {
  const { a, b, difference, paired_cases: cases, smallest_detectable_difference: least } = pair;
  const seen = Math.abs(difference.value ?? 0);
  if (least === null) return cases === 0 ? null : neededByPower(pair, seen, rightWords(labelled).is);
  const [needed, forPlan] = [casesToFind(seen, least, cases), casesToFind(planned, least, cases)];
  if (needed === null) return null;
  const more =
    forPlan === null || pointsOf(seen) === pointsOf(planned) ? '' : `, and one of ${pointsOf(planned)} about ${count(forPlan)}`;
  return `between ${a} and ${b} as large as that seen (${pointsOf(seen)}) takes about ${count(needed)} cases${more}`;
}

function neededByPower(
  { a, b, mcnemar, paired_cases: cases, detectable_at: alpha }: Comparison,
  seen: number,
  is: string,
): string {
  const discordance = (mcnemar.a_only + mcnemar.b_only) / cases;
  const about = (difference: number) => {
    const design = { difference, discordance: Math.max(discordance, difference), alpha };
    const needed = Number(casesForDifference(power, design).toPrecision(2));
    return needed > mostCases ? `more than ${count(mostCases)}` : `about ${count(needed)}`;
  };
  const asHere = `if only one of the two ${is} in ${percent(discordance)} of cases, as here`;
  const ofPlan = pointsOf(planned);
  const isAllowed = discordance >= planned;
  if (seen < leastSeen || pointsOf(seen) === ofPlan) {
    const where = isAllowed
      ? asHere
      : `if only one of the two ${is} in ${percent(planned)} of cases, the fewest that allow it (here ${percent(discordance)})`;
    return `between ${a} and ${b} of ${ofPlan} takes ${about(planned)} cases, ${where}`;
  }
  const ofSeen = `between ${a} and ${b} as large as that seen (${pointsOf(seen)}) takes ${about(seen)} cases`;
  const also = `, and one of ${ofPlan} ${about(planned)}`;
  return isAllowed
    ? `${ofSeen}${also}, ${asHere}`
    : `${ofSeen}, ${asHere}${also}, if that is so in ${percent(planned)}, the fewest that allow it`;
}
