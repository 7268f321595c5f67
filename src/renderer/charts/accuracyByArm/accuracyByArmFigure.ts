import { ledF1In, ledF1Name } from '../../../core/figures/ledF1.ts';
import { percent } from '../../../core/figures/shares.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { countedTrials } from '../estimates/countedTrials.ts';
import { baselineLine, dodge, legend, nameAxis, shareAxis, shownName, smallN, tooltip, whiskers } from '../kit/axes.ts';
import { countsWords } from '../kit/counts.ts';
import type { Figure, FigureSources } from '../kit/figure.ts';

type Kind = 'accuracy' | 'f1';

const seriesWith = (f1Name: string): readonly { readonly id: Kind; readonly name: string }[] => [
  { id: 'accuracy', name: 'accuracy of all finished' },
  { id: 'f1', name: f1Name },
];

interface Point {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

interface Row extends Readonly<Record<Kind, Point | null>> {
  readonly arm: string;
  readonly cases: number;
}

interface Data {
  /** Best accuracy first. */
  readonly rows: readonly Row[];
  readonly baselines: readonly { readonly name: string; readonly accuracy: number }[];
  /** Which F1 it is: `F1 of YES`. */
  readonly f1Name: string;
  readonly level: number;
  readonly withIntervals: boolean;
}

const find = ({ measures }: Pick<ArmStatistics, 'measures'>, name: string, over?: Measure['over']) =>
  measures.find((measure) => measure.name === name && measure.label === null && (over === undefined || measure.over === over));

const pointOf = (measure: Measure | undefined): Point | null =>
  measure === undefined || measure.value === null
    ? null
    : { value: measure.value, low: measure.low, high: measure.high, n: measure.n };

function rowOf(arm: ArmStatistics, positive: string | null): Row {
  const accuracy = find(arm, 'accuracy', 'all');
  return {
    arm: arm.arm,
    cases: accuracy?.cases ?? 0,
    accuracy: pointOf(accuracy),
    f1: pointOf(ledF1In(arm.measures, positive)),
  };
}

function baselinesOf({ baselines }: StatsReport): Data['baselines'] {
  return baselines.flatMap((baseline) => {
    const accuracy = find(baseline, 'accuracy', 'all')?.value ?? null;
    return accuracy === null ? [] : [{ name: baseline.arm, accuracy }];
  });
}

/** Accuracy of all finished trials and F1 of the decided ones for each arm, with the baselines' accuracy as lines. */
export const accuracyByArmFigure: Figure<Data> = {
  id: 'accuracy-by-arm',
  title: 'Accuracy and F1 of each arm',
  paper: null,
  group: 'performance',
  needs: [],
  data({ report }: FigureSources) {
    const rows = report.arms
      .filter(({ swap }) => swap === null)
      .map((arm) => rowOf(arm, report.positive))
      .filter(({ accuracy }) => accuracy !== null)
      .toSorted((one, other) => (other.accuracy?.value ?? 0) - (one.accuracy?.value ?? 0));
    if (rows.length === 0) {
      return { absent: 'No finished trial has a case whose truth is known. A data set with a label column has accuracies.' };
    }
    const withIntervals = rows.some(({ accuracy }) => accuracy?.low !== null);
    return {
      rows,
      baselines: baselinesOf(report),
      f1Name: shownName(ledF1Name(report.positive)),
      level: report.interval.level,
      withIntervals,
    };
  },
  caption({ rows, baselines, f1Name, level, withIntervals }) {
    const counts = countsWords(
      rows.map(({ accuracy }) => accuracy?.n ?? 0),
      { noun: 'finished trial', cases: rows.map(({ cases }) => cases) },
    );
    const intervals = withIntervals ? `. Lines are ${percent(level)} intervals over cases` : ', without intervals';
    const listed = baselines.map(({ name, accuracy }) => `${name} ${percent(accuracy)}`).join(', ');
    const lines = baselines.length === 0 ? '' : ` Dotted: accuracy of the baselines (${listed}).`;
    return `${counts}${intervals}. A failed trial counts as not correct; ${f1Name} is of decided trials.${lines}${smallN(Math.min(...rows.map(({ cases }) => cases)))}`;
  },
  height: ({ rows }) => 90 + rows.length * 34,
  option({ rows, baselines, f1Name }, paint, { width }) {
    const room = Math.min(200, Math.max(80, width * 0.3));
    const series = seriesWith(f1Name);
    const of = ({ id, name }: (typeof series)[number], index: number) => {
      const { colour, symbol } = paint.series(index);
      const offset = dodge(index, series.length, 11);
      const points = rows.map((row, at) => ({ at, point: row[id] }));
      return [
        {
          type: 'scatter',
          id,
          name,
          symbol,
          symbolSize: 9,
          symbolOffset: [0, offset],
          itemStyle: { color: colour },
          data: points.map(({ at, point }) => [point?.value ?? '-', at]),
        },
        whiskers({
          id: `${id}-interval`,
          colour,
          offset,
          sideways: true,
          points: points.map(({ at, point }) => ({ at, low: point?.low ?? null, high: point?.high ?? null })),
        }),
      ];
    };
    return {
      animation: false,
      grid: { left: room + 12, right: 16, top: baselines.length > 0 ? 52 : 34, bottom: 30 },
      legend: { ...legend(paint), data: series.map(({ name }) => name) },
      tooltip: { ...tooltip(paint), trigger: 'item' },
      xAxis: shareAxis(paint),
      yAxis: nameAxis(
        paint,
        rows.map(({ arm }) => arm),
        { room, upright: true },
      ),
      series: [
        ...series.flatMap(of),
        baselineLine(paint, {
          id: 'baselines',
          sideways: true,
          lines: baselines.map(({ name, accuracy }) => ({ value: accuracy, name })),
        }),
      ],
    };
  },
  table: ({ rows, f1Name }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      ...seriesWith(f1Name).flatMap(({ name }) => [
        { name, as: 'share' as const },
        { name: `${name}, low`, as: 'share' as const },
        { name: `${name}, high`, as: 'share' as const },
        { name: `${name}, n`, as: 'count' as const },
      ]),
    ],
    rows: rows.map((row) => [
      row.arm,
      ...seriesWith(f1Name).flatMap(({ id }) => [
        row[id]?.value ?? null,
        row[id]?.low ?? null,
        row[id]?.high ?? null,
        row[id]?.n ?? null,
      ]),
    ]),
  }),
  behind({ rows }, { seriesId, dataIndex }) {
    const row = rows[dataIndex];
    if (row === undefined || seriesId === 'baselines') return null;
    const kind = seriesId?.startsWith('f1') ? 'f1' : 'accuracy';
    return behindPoint(row, kind);
  },
  behindRow: ({ rows }, row) => (rows[row] === undefined ? null : behindPoint(rows[row], 'accuracy')),
};

function behindPoint(row: Row, kind: Kind) {
  const point = row[kind];
  return point === null ? null : countedTrials(kind === 'f1' ? 'decided' : 'all', row.arm, point);
}
