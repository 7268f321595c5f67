import { percent, points } from '../../../core/figures/shares.ts';
import { isStated } from '../../../core/statistics/measures/finding.ts';
import { shownAdjusted, shownComparisons } from '../../../core/statistics/measures/shownComparisons.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { cutNames, differenceAxis, lettersIn, nameAxis, reachOf, shownName, smallN } from '../kit/axes.ts';
import { countsAsText, quantityIs } from '../kit/counts.ts';
import type { TrialsBehind } from '../kit/figure.ts';
import { rule } from '../kit/marks.ts';
import { chance, count, difference, figure, table, text } from '../kit/plot.ts';
import { endColumns, endsText, estimate, type Point } from '../kit/points.ts';
import { interval } from '../kit/shapes.ts';

const series = [
  { id: 'stated', name: 'differ', symbol: 'circle', size: 9 },
  { id: 'unstated', name: 'not shown to differ', symbol: 'rect', size: 8 },
  { id: 'untested', name: 'not tested', symbol: 'triangle', size: 9 },
] as const;

/** In which series a pair is. Those with what predicts by lot are not tested, and over a part of the trials none is. */
const seriesOf = (row: Comparison): (typeof series)[number]['id'] => {
  if (row.mcnemar.p_adjusted === null) return 'untested';
  return isStated(row) ? 'stated' : 'unstated';
};

const otherOf = ({ b, baseline }: Comparison) => `${shownName(b)}${baseline ? ' (baseline)' : ''}`;
const nameOf = (row: Comparison) => `${shownName(row.a)} less ${otherOf(row)}`;

/** Trials of the cases that both have; a baseline has no trials, and an answer to every case. */
function trialsOf({ a, b, baseline, paired_cases: n }: Comparison): TrialsBehind {
  return {
    status: 'done',
    subset: { arms: baseline ? [a] : [a, b], known: ['truth'] },
    ...(baseline ? {} : { matched: { arms: [a, b], by: 'case' as const } }),
    counts: { n, of: 'cases' },
    pair: { a, b, baseline },
  };
}

const pointOf = (row: Comparison): Point | null => {
  const { value, low, high, interval_method: method } = row.difference;
  const n = row.paired_cases;
  return value === null ? null : { value, low, high, n, cases: n, method, behind: trialsOf(row) };
};

export const comparisonsForestFigure = figure({
  id: 'comparisons-forest',
  title: 'Differences in accuracy, pair by pair',
  requires:
    'two arms, or an arm and a baseline, with finished trials of the same cases of known truth; comparisons are computed when the run has ended',
  plot({ report }) {
    const { shown, more } = shownComparisons(report.comparisons.filter(({ difference }) => difference.value !== null));
    const rows = shown.toSorted((one, other) => Number(other.primary ?? false) - Number(one.primary ?? false));
    if (rows.length === 0) return null;
    const reach = reachOf(
      rows.flatMap(({ difference: { value, low, high }, smallest_detectable_difference: least }) => [value, low, high, least]),
    );
    const cases = rows.map(({ paired_cases }) => paired_cases);
    const drawn = series
      .filter(({ id }) => rows.some((row) => seriesOf(row) === id))
      .map((each) => (report.part === undefined ? each : { ...each, name: `${each.name} (a part)` }));
    const left = more === 0 ? '' : ` ${quantityIs(more, 'further pair')}, with larger p-values, not drawn.`;
    const tested =
      report.part === undefined
        ? 'Two arms differ if the interval excludes 0 and the adjusted p-value of McNemar’s exact test (with replicates a permutation test of signs) is at most 5%. Otherwise the cases do not show whether they differ. A baseline that is drawn by lot is not tested.'
        : 'Over a part of the trials no pair is tested.';
    return {
      caption: `${countsAsText(cases, Number, { noun: 'case', about: 'that both have', each: 'in each pair' })}.${rows[0]?.primary ? ' The first pair was decided beforehand.' : ''} Lines are ${percent(report.resampling.level)} intervals over cases. Bars: a difference that such a comparison finds four times in five; it finds smaller ones less often. ${tested}${left}${smallN(Math.min(...cases))}`,
      height: 92 + rows.length * 34,
      legend: drawn.map(({ name }) => name),
      layout(paint, { width }) {
        const room = Math.min(320, Math.max(120, width * 0.42));
        const names = nameAxis(paint, rows.map(nameOf), { room, upright: true });
        // Both names of a pair are under each other, so that a long one does not take the other's room.
        const [first, other] = [rows.map(({ a }) => a), rows.map(otherOf)].map((each) =>
          cutNames(each, lettersIn(room - 26, each)),
        );
        const twoLines = (_name: string, place: number) => `${first?.[place]}\nless ${other?.[place]}`;
        return {
          grid: { left: room + 12, right: 18, top: 34, bottom: 48 },
          xAxis: differenceAxis(paint, reach, { name: `difference of ${rightWords(report).accuracy}, points`, nameGap: 26 }),
          yAxis: { ...names, axisLabel: { ...names.axisLabel, formatter: twoLines } },
        };
      },
      marks: [
        interval<Comparison>({
          id: 'least',
          rows,
          at: (_row, place) => place,
          along: 'x',
          low: ({ smallest_detectable_difference: least }) => (least === null ? null : -least),
          high: ({ smallest_detectable_difference: least }) => least,
          colour: 'line',
          width: 12,
          z: 0,
        }),
        rule({ id: 'none', on: 'x', lines: [{ value: 0, name: '' }] }),
        ...drawn.flatMap(({ id, name, symbol, size }) =>
          estimate<Comparison>({
            id,
            name,
            rows,
            of: (row) => (seriesOf(row) === id ? pointOf(row) : null),
            along: 'x',
            colour: id === 'stated' ? 0 : 1,
            symbol,
            size,
            ends: 3,
            style: (paint) => ({
              ...(id === 'stated' ? {} : { color: paint.colour('paper') }),
              borderColor: paint.series(id === 'stated' ? 0 : 1).colour,
              borderWidth: 1.5,
            }),
            tip: (row, point) => `${nameOf(row)}\n${endsText(point, points)}`,
          }),
        ),
      ],
      table: table(
        rows,
        [
          text('a', ({ a }: Comparison) => a),
          text('b', ({ b }) => b),
          count('cases', ({ paired_cases }) => paired_cases),
          ...endColumns(['difference', 'low', 'high'], difference, (row: Comparison) => row.difference),
          difference('smallest detectable', (row) => row.smallest_detectable_difference),
          chance('adjusted p', shownAdjusted),
          chance('p (exact), before adjustment', ({ mcnemar }) => mcnemar.p),
          text('may be stated', (row) => (isStated(row) ? 'yes' : 'no')),
        ],
        trialsOf,
      ),
    };
  },
});
