// Groups in which an arm's probabilities are too high or too low, and how a family of comparisons is named.
import type { StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { groupName, titleIn } from '../cases/columnNames.ts';
import { percent } from '../figures/shares.ts';
import { holm } from '../statistics/adjustedPValues.ts';
import { fewestInGroup } from '../statistics/measures/fairness.ts';
import { chanceText } from '../statistics/measures/shownComparisons.ts';
import { meanProbability, pFromInterval } from './calibrationTables.ts';
import { measureNamed } from './cells.ts';

export interface FairnessPart {
  readonly heading: string;
  readonly lines: readonly string[];
  /** What folds the lines away on a screen; absent: they are in view. */
  readonly fold?: string;
}

export const mostLeftOut = 5;

type Counted = readonly [number: number, one: string, several: string];

/** `11 comparisons (3 rates, 4 arms; 1 of the 12 is not tested)`: how many, and of how many of each kind. */
export function familyText(family: Counted, kinds: readonly Counted[]): string {
  const [size] = family;
  const product = kinds.reduce((whole, [number]) => whole * number, 1);
  const untested = product - size;
  const of = [
    ...(product === 1
      ? []
      : [kinds.flatMap((kind) => (kind[0] === 1 && kinds.length > 2 ? [] : [quantity(...kind)])).join(', ')]),
    ...(untested > 0 ? [`${count(untested)} of the ${count(product)} ${untested === 1 ? 'is' : 'are'} not tested`] : []),
  ].join('; ');
  return `${quantity(...family)}${of === '' ? '' : ` (${of})`}`;
}

/**
 * Groups in which the probabilities of the positive label are too high or too low on average: those where the interval of the difference
 * leaves out 0 and the two-sided p, from the interval of the intercept alone (0 where they are equal), is at most 0.05 after Holm's
 * correction over all groups of all arms, without groups of fewer than `fewestInGroup` cases.
 * Null without such an interval, and over a part. @param isPlain in words that need no statistics
 */
export function groupCalibration(
  { arms, positive, part, column_titles: titles }: Pick<StatsReport, 'arms' | 'positive' | 'column_titles' | 'part'>,
  isPlain = false,
): FairnessPart | null {
  if (part !== undefined) return null;
  const every = plainAmong(arms).flatMap(({ arm, groups }) =>
    groups.flatMap(({ attribute, value: group, measures }) => {
      const found = measureNamed({ measures }, 'calibration_in_the_large');
      if (found === undefined || found.cases === 0) return [];
      const isFew = found.cases < fewestInGroup;
      const p = isFew ? null : pFromInterval(found);
      const name = `${titleIn(titles, attribute)} = ${groupName(group)}`;
      return [{ arm, name, p, measures, few: isFew ? found.cases : null }];
    }),
  );
  const all = every.filter(({ p }) => p !== null);
  if (all.length === 0) return null;
  const adjusted = holm(all.map(({ p }) => p));
  const several = new Set(every.map(({ arm }) => arm)).size > 1;
  const lines = all.flatMap(({ arm, name, measures }, index) => {
    const p = adjusted[index] ?? null;
    const more = isPlain ? { isPlain } : { more: `; adjusted p ${chanceText(p)}` };
    const found = meanProbability(measures, positive ?? '', { p, of: all.length }, more);
    if (found === null || found.way === 0) return [];
    const { mean, share, verdict } = found;
    return [`${name}${several ? `, ${arm}` : ''}: ${percent(mean)} on average, where it was so in ${share}: ${verdict}`];
  });
  const few = [...Map.groupBy(every, ({ name }) => name)].flatMap(([name, own]) => {
    const small = own.filter((each) => each.few !== null);
    const cases = small.map((each) => each.few ?? 0);
    // Without names of arms it is small in each.
    const of = small.length === own.length ? '' : `, ${small.map(({ arm }) => arm).join(' and ')}`;
    return cases.length === 0 ? [] : [{ name: `${name}${of}`, least: Math.min(...cases), most: Math.max(...cases) }];
  });
  const numberOf = (named: (each: (typeof all)[number]) => string) => new Set(all.map(named)).size;
  const said = familyText(
    [all.length, 'comparison of probabilities', 'comparisons of probabilities'],
    [
      [numberOf(({ name }) => name), 'group', 'groups'],
      [numberOf(({ arm }) => arm), 'arm', 'arms'],
    ],
  );
  const left = few
    .slice(0, mostLeftOut)
    .map(({ name, least, most }) => `${name} (${least === most ? '' : `${count(least)} to `}${quantity(most, 'case')})`);
  const more = few.length > mostLeftOut ? ` and ${count(few.length - mostLeftOut)} more` : '';
  const over = `corrected for ${said}, which are counted apart from those of decisions${few.length === 0 ? '' : `, left out as too small: ${left.join(', ')}${more}`}`;
  return {
    heading:
      lines.length === 0
        ? `${few.length === 0 ? 'In no group' : 'In none of the groups with enough cases'} are the probabilities of ${positive} shown to be too high or too low (${over}).`
        : `Groups in which the probabilities of ${positive} are too high or too low on average (${over}):`,
    lines,
  };
}
