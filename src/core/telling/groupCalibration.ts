// Whether the probabilities of an arm are too high or too low in some groups, however they are on the whole.
import type { StatsReport } from '../../shared/outputs.ts';
import { count, proportion } from '../../shared/sizes.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { groupName, titleIn } from '../cases/columnNames.ts';
import { percent } from '../figures/shares.ts';
import { holm } from '../statistics/adjustedPValues.ts';
import { chanceText } from '../statistics/measures/shownComparisons.ts';
import { normalCdf } from '../statistics/normalCdf.ts';
import { normalQuantile } from '../statistics/normalQuantile.ts';

const signed = (value: number) => proportion(value).replace('-', '−');

/**
 * Groups in which the probabilities of the positive label are too high or too low on the whole: those whose two-sided p, from the
 * interval of the intercept alone, is at most 0.05 after Holm's correction over all groups of all arms. Null without such an interval.
 */
export function groupCalibration({
  arms,
  positive,
  column_titles: titles,
}: Pick<StatsReport, 'arms' | 'positive' | 'column_titles'>): {
  readonly heading: string;
  readonly lines: readonly string[];
} | null {
  const all = plainAmong(arms).flatMap(({ arm, groups }) =>
    groups.flatMap(({ attribute, value: group, measures }) => {
      const found = measures.find(({ name }) => name === 'calibration_in_the_large');
      if (found === undefined || found.value === null || found.low === null || found.high === null) return [];
      const { value, low, high, level, n } = found;
      const error = (high - low) / (2 * normalQuantile((1 + level) / 2));
      const p = error === 0 ? null : 2 * normalCdf(-Math.abs(value) / error);
      const name = `${titleIn(titles, attribute)} = ${groupName(group)}`;
      return [{ arm, name, n, p, value, range: `${percent(level)} interval ${signed(low)} to ${signed(high)}` }];
    }),
  );
  if (all.length === 0) return null;
  const adjusted = holm(all.map(({ p }) => p));
  const several = new Set(all.map(({ arm }) => arm)).size > 1;
  const lines = all.flatMap(({ arm, name, n, value, range }, index) => {
    const p = adjusted[index] ?? null;
    if (p === null || p > 0.05) return [];
    const way = value > 0 ? 'too low' : 'too high';
    return [
      `${name}${several ? `, ${arm}` : ''}: ${way} (intercept alone ${signed(value)}, ${range}, 0 is best; n = ${count(n)}; adjusted p ${chanceText(p)})`,
    ];
  });
  const over = all.length === 1 ? 'one group' : `all ${count(all.length)} groups`;
  return {
    heading:
      lines.length === 0
        ? `In no group are the probabilities of ${positive} shown to be too high or too low (corrected for ${over}).`
        : `Groups in which the probabilities of ${positive} are too high or too low on the whole, whatever was decided with them (corrected for ${over}):`,
    lines,
  };
}
