import { type BootstrapInterval, type BootstrapSettings, bootstrapMany } from './bootstrap.ts';
import { type CaseStatistic, differenceStatistic } from './caseStatistic.ts';

/** A statistic of two arms over the cases that both have, and its difference. */
export interface PairedDifference {
  readonly first: BootstrapInterval;
  readonly second: BootstrapInterval;
  /** first - second. */
  readonly difference: BootstrapInterval;
}

/**
 * The difference of a statistic between two arms, first minus second, with a bootstrap interval over the cases that both
 * have. A resample takes the same cases in both arms, so that what makes a case hard for both falls out of the difference.
 * For p-values see `mcnemarExact` and `wilcoxonSignedRank`.
 *
 * Both statistics are over the same cases in the same order, else RangeError; `commonCases` finds them. Null where
 * `shouldStop` said so.
 */
export function pairedDifference(
  first: CaseStatistic,
  second: CaseStatistic,
  settings: BootstrapSettings,
): PairedDifference | null {
  const [one, other, difference] = bootstrapMany([first, second, differenceStatistic(first, second)], settings) ?? [];
  return one && other && difference ? { first: one, second: other, difference } : null;
}

/**
 * The cases that two arms share, as their places in both lists, in the order of the first.
 * RangeError where a list names a case twice: replicates of a case belong to one place.
 */
export function commonCases(first: readonly string[], second: readonly string[]): { first: number; second: number }[] {
  const places = placesOf(second);
  return [...placesOf(first)].flatMap(([name, place]) => {
    const other = places.get(name);
    return other === undefined ? [] : [{ first: place, second: other }];
  });
}

function placesOf(names: readonly string[]): Map<string, number> {
  const places = new Map(names.map((name, place) => [name, place]));
  const repeated = names.find((name, place) => places.get(name) !== place);
  if (repeated !== undefined) throw new RangeError(`case ${JSON.stringify(repeated)} is listed twice`);
  return places;
}
