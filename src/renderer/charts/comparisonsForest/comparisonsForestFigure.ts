import { percent, points } from '../../../core/figures/shares.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { baselineLine, legend, nameAxis, shownName, smallN, tooltip, valueAxis, whiskers } from '../kit/axes.ts';
import { countsWords, quantityIs } from '../kit/counts.ts';
import type { Figure, TrialsBehind } from '../kit/figure.ts';
import { told as toldPoint } from '../panels/told.ts';

interface Row {
  readonly comparison: Comparison;
  readonly name: string;
  /** Whether the written rule allows to say that the first is better or worse. */
  readonly told: boolean;
}

export interface ForestData {
  readonly rows: readonly Row[];
  readonly leftOut: number;
  readonly level: number;
  /** Farthest end of an interval from 0. */
  readonly reach: number;
}

/** Most p-value after Benjamini and Hochberg at which a difference is told. */
export const toldAt = 0.05;

/** Whether a difference may be told: its interval is beside 0, and the adjusted p-value of McNemar's exact test is at most 5%. */
export function isTold({ difference: { low, high }, mcnemar: { p_adjusted } }: Comparison): boolean {
  return low !== null && high !== null && (low > 0 || high < 0) && p_adjusted !== null && p_adjusted <= toldAt;
}

const series = [
  { id: 'told', name: 'differ', told: true },
  { id: 'untold', name: 'not shown to differ', told: false },
] as const;

/** Both names of a pair under each other, so that a long one does not take the other's room. */
function twoLines(row: Row | undefined): string {
  if (row === undefined) return '';
  const { a, b, baseline } = row.comparison;
  return `${shownName(a)}\nless ${shownName(b)}${baseline ? ' (baseline)' : ''}`;
}

const least = ({ smallest_detectable_difference: found }: Comparison) => found;

/** Every comparison of the report as a difference of accuracy with its interval. */
export const comparisonsForestFigure: Figure<ForestData> = {
  id: 'comparisons-forest',
  title: 'Differences of accuracy, pair by pair',
  paper: null,
  group: 'performance',
  needs: [],
  data({ report }) {
    const rows = report.comparisons
      .filter(({ difference }) => difference.value !== null)
      .map((comparison) => ({
        comparison,
        name: `${comparison.a} less ${comparison.b}${comparison.baseline ? ' (baseline)' : ''}`,
        told: isTold(comparison),
      }));
    if (rows.length === 0) {
      return {
        absent:
          report.comparisons.length === 0
            ? 'There is nothing to compare yet: comparisons are computed when the run has ended, of two arms or of an arm and a baseline.'
            : 'No two of these arms have finished trials of the same cases whose truth is known.',
      };
    }
    const ends = rows.flatMap(({ comparison: { difference, smallest_detectable_difference } }) => [
      Math.abs(difference.low ?? difference.value ?? 0),
      Math.abs(difference.high ?? difference.value ?? 0),
      smallest_detectable_difference ?? 0,
    ]);
    return {
      rows,
      leftOut: report.comparisons_left_out,
      level: report.resampling.level,
      reach: Math.min(1, Math.ceil(10 * Math.max(0.1, ...ends)) / 10),
    };
  },
  caption({ rows, leftOut, level }) {
    const cases = rows.map(({ comparison }) => comparison.paired_cases);
    const left = leftOut === 0 ? '' : ` ${quantityIs(leftOut, 'further pair')} not compared.`;
    return `${countsWords(cases, { noun: 'case', about: 'that both have', each: 'in each pair' })}. Lines are ${percent(level)} intervals over cases. Bars: the difference that such a comparison finds four times in five; smaller ones mostly go unseen. A difference may be told where the interval is beside 0 and the adjusted p-value of McNemar’s exact test is at most ${percent(toldAt)}; without that two arms are not shown to be equal.${left}${smallN(Math.min(...cases))}`;
  },
  height: ({ rows }) => 92 + rows.length * 34,
  option({ rows, reach }, paint, { width }) {
    const room = Math.min(320, Math.max(120, width * 0.42));
    const names = nameAxis(
      paint,
      rows.map(({ name }) => name),
      { room: room * 0.9, upright: true },
    );
    const axis = valueAxis(paint, { min: -reach, max: reach, name: 'difference of accuracy, points', nameGap: 26 });
    return {
      animation: false,
      grid: { left: room + 12, right: 18, top: 34, bottom: 48 },
      legend: { ...legend(paint), data: series.map(({ name }) => name) },
      tooltip: { ...tooltip(paint), trigger: 'item' },
      xAxis: { ...axis, interval: reach / 2, axisLabel: { ...axis.axisLabel, formatter: points } },
      yAxis: {
        ...names,
        axisLabel: { ...names.axisLabel, lineHeight: 14, formatter: (_name: string, row: number) => twoLines(rows[row]) },
      },
      series: [
        {
          ...whiskers({
            id: 'least',
            sideways: true,
            width: 12,
            colour: paint.colour('line'),
            points: rows.map(({ comparison }, at) => {
              const found = least(comparison);
              return { at, low: found === null ? null : -found, high: found };
            }),
          }),
          z: 0,
        },
        baselineLine(paint, { id: 'none', sideways: true, lines: [{ value: 0, name: '' }] }),
        ...series.flatMap(({ id, name, told }, index) => {
          const { colour } = paint.series(index);
          const own = (row: Row) => row.told === told;
          return [
            whiskers({
              id: `${id}/interval`,
              sideways: true,
              colour,
              ends: 3,
              points: rows.map((row, at) => ({
                at,
                low: own(row) ? row.comparison.difference.low : null,
                high: own(row) ? row.comparison.difference.high : null,
              })),
            }),
            {
              type: 'scatter',
              id,
              name,
              symbol: told ? 'circle' : 'rect',
              symbolSize: told ? 9 : 8,
              itemStyle: { color: told ? colour : paint.colour('paper'), borderColor: colour, borderWidth: 1.5 },
              ...toldPoint(0, 2, points),
              data: rows.map((row, at) => [own(row) ? (row.comparison.difference.value ?? '-') : '-', at, shownName(row.name)]),
            },
          ];
        }),
      ],
    };
  },
  table: ({ rows }) => ({
    columns: [
      { name: 'a', as: 'text' },
      { name: 'b', as: 'text' },
      { name: 'cases', as: 'count' },
      { name: 'difference', as: 'share' },
      { name: 'low', as: 'share' },
      { name: 'high', as: 'share' },
      { name: 'smallest detectable', as: 'share' },
      { name: 'p (McNemar, exact)', as: 'number' },
      { name: 'p adjusted', as: 'number' },
      { name: 'may be told', as: 'text' },
    ],
    rows: rows.map(({ comparison, told }) => [
      comparison.a,
      comparison.b,
      comparison.paired_cases,
      comparison.difference.value,
      comparison.difference.low,
      comparison.difference.high,
      least(comparison),
      comparison.mcnemar.p,
      comparison.mcnemar.p_adjusted,
      told ? 'yes' : 'no',
    ]),
  }),
  behind: ({ rows }, { seriesId, dataIndex }) => (seriesId === 'none' || seriesId === 'least' ? null : trialsOf(rows[dataIndex])),
  behindRow: ({ rows }, row) => trialsOf(rows[row]),
};

/** Trials of the cases that both have; a baseline has no trials, and an answer to every case. */
function trialsOf(row: Row | undefined): TrialsBehind | null {
  if (row === undefined) return null;
  const { a, b, baseline, paired_cases: n } = row.comparison;
  return {
    status: 'done',
    subset: { arms: baseline ? [a] : [a, b], known: ['truth'] },
    ...(baseline ? {} : { matched: { arms: [a, b], by: 'case' as const } }),
    counts: { n, of: 'cases' },
    pair: { a, b, baseline },
  };
}
