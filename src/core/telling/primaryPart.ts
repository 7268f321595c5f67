// The primary comparison in words and a table, for the command line and for reports.
import type { StatsReport } from '../../shared/outputs.ts';
import { baselineMark, type PrimaryResult } from '../../shared/primary.ts';
import { count } from '../../shared/sizes.ts';
import { decidedText, intervalNotes, unitOf } from '../statistics/measures/primaryText.ts';
import { shownComparisons } from '../statistics/measures/shownComparisons.ts';
import { chance, type Piece, table } from './cells.ts';

/** Why arms of later cannot be decided about beforehand. */
const laterText = (arms: readonly string[]) =>
  arms.length === 0
    ? ''
    : ` ${arms.join(', ')} ${arms.length === 1 ? 'was' : 'were'} added after the primary comparison was recorded, when results could be known.`;

/** Heads all comparisons but the primary one. */
export function exploratoryText({
  primary,
  comparisons,
  resampling,
}: Pick<StatsReport, 'primary' | 'comparisons' | 'resampling'>): string {
  if (primary === null || primary === undefined)
    return 'No comparison was decided beforehand, so all of them are exploratory: a difference that chance does not explain here should be found again in other cases.';
  const pair = primary.compare;
  const isShown = shownComparisons(comparisons).shown.some(
    ({ a, b, baseline }) => pair.includes(a) && pair.includes(baseline ? `${baselineMark}${b}` : b),
  );
  const above = primary.difference.resamples;
  const otherResamples =
    above === null || above === resampling.resamples
      ? ''
      : ` The ends of its interval can differ a little, since there they come from ${count(resampling.resamples)} resamples and above from ${count(above)}.`;
  const again = isShown
    ? ` ${pair.join(' against ')} is among these pairs too, with the test that all of them have; what is above decides.${otherResamples}`
    : '';
  return `Exploratory: all that follows was not decided beforehand.${again}${laterText(primary.later_arms ?? [])}`;
}

/** Columns and cells of the two intervals. */
export function primaryTable({ compare: [a, b], cases, measure, difference, p, exact_p, anytime, ...rest }: PrimaryResult) {
  const { value, change } = unitOf(measure);
  const shown = (found: number | null, as = value) => (found === null ? '-' : as(found));
  const range = ({ low, high }: { low: number | null; high: number | null }) =>
    low === null || high === null ? '' : `[${change(low)}, ${change(high)}]`;
  const always =
    anytime === null
      ? '-'
      : anytime.cases === 0
        ? 'the first case is not finished yet with all its trials'
        : `${range(anytime)} of ${count(anytime.cases)}`;
  const level = `${Number((100 * difference.level).toFixed(2))}%`;
  return table(
    [
      'cases',
      a,
      b,
      `difference${measure === 'accuracy' ? ' in points' : ''} and fixed-n ${level} interval`,
      'p (from the interval)',
      ...(exact_p === undefined ? [] : ['p (exact test)']),
      `anytime-valid ${level} interval`,
    ],
    [
      [
        count(cases),
        shown(rest.a),
        shown(rest.b),
        `${shown(difference.value, change)} ${range(difference)}`.trim(),
        chance(p),
        ...(exact_p === undefined ? [] : [chance(exact_p)]),
        always,
      ],
    ],
  );
}

/** Nothing where nothing was decided beforehand. */
export function primaryPieces({ primary }: StatsReport): Piece[] {
  if (primary === null || primary === undefined) return [];
  return [
    `Decided beforehand: ${decidedText(primary)}`,
    '',
    primary.sentence,
    '',
    primaryTable(primary),
    ...intervalNotes(primary),
    '',
  ];
}
