import { percent } from '../../../core/figures/shares.ts';
import { changeKinds } from '../../../shared/api/deliberation.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { deliberationIn, idsOf, rowsByArm } from '../deliberation/ways.ts';
import { cutName, legend, shareAxis, smallN, textStyle, tooltip } from '../kit/axes.ts';
import { countsWords } from '../kit/counts.ts';
import { type Figure, type FigureSources, isAbsent, type Paint } from '../kit/figure.ts';
import { manyNamed, namedTrials } from '../kit/namedTrials.ts';
import { type Change, changes, ribbon } from './ribbons.ts';

interface Row {
  readonly arm: string;
  readonly n: number;
  readonly cases: number;
  /** Trials of each kind. */
  readonly trials: Readonly<Record<Change, readonly string[]>>;
  readonly corrections: Measure | undefined;
  readonly degradations: Measure | undefined;
}

interface Data {
  readonly rows: readonly Row[];
  readonly level: number;
  readonly withHearing: boolean;
}

const rowHeight = 84;
const top = 34;

const roomOf = (width: number) => Math.round(Math.min(200, Math.max(84, width * 0.22)));

const shares = ({ n, trials }: Row) => {
  const of = (kind: Change) => trials[kind].length / n;
  return {
    stayedRight: of('stayedRight'),
    degraded: of('degraded'),
    corrected: of('corrected'),
    stayedWrong: of('stayedWrong'),
  };
};

function seriesOf({ kind, name, token, opacity }: (typeof changes)[number], rows: readonly Row[], paint: Paint) {
  return {
    type: 'custom',
    id: kind,
    name,
    itemStyle: { color: paint.colour(token), opacity },
    encode: { x: [1, 2], y: 0 },
    data: rows.map((row, at) => {
      const { from, to, width } = ribbon(kind, shares(row));
      return [at, from, from + width, to, row.trials[kind].length];
    }),
    renderItem: (
      _params: unknown,
      api: {
        value(dimension: number): number;
        coord(point: [number, number]): [number, number];
        size(extent: [number, number]): number[];
      },
    ) => {
      const [at, from, end, to, count] = [0, 1, 2, 3, 4].map((dimension) => api.value(dimension));
      if (at === undefined || from === undefined || end === undefined || to === undefined || end <= from) return undefined;
      const x = (value: number) => api.coord([value, at])[0];
      const middle = api.coord([0, at])[1];
      const half = Math.min(30, ((api.size([0, 1])[1] ?? rowHeight) - 22) / 2);
      const [y0, y1] = [middle - half, middle + half];
      const [a0, a1, b0, b1] = [x(from), x(end), x(to), x(to + end - from)];
      const fill = { fill: paint.colour(token), opacity };
      const bar = (x0: number, x1: number, y: number) => ({
        type: 'rect' as const,
        shape: { x: x0, y, width: Math.max(0, x1 - x0), height: 5 },
        style: { fill: paint.colour(token) },
      });
      return {
        type: 'group' as const,
        children: [
          {
            type: 'path' as const,
            shape: {
              pathData: `M${a0},${y0}C${a0},${middle} ${b0},${middle} ${b0},${y1}L${b1},${y1}C${b1},${middle} ${a1},${middle} ${a1},${y0}Z`,
            },
            style: { ...fill, stroke: paint.colour('panel'), lineWidth: 1 },
          },
          bar(a0, a1, y0 - 5),
          bar(b0, b1, y1),
          ...(a1 - a0 < 16
            ? []
            : [
                {
                  type: 'text' as const,
                  silent: true,
                  style: {
                    text: String(count),
                    x: (a0 + a1) / 2,
                    y: y0 + 9,
                    align: 'center' as const,
                    verticalAlign: 'middle' as const,
                    fill: paint.colour(opacity > 0.5 ? 'panel' : 'ink'),
                    fontSize: 12,
                    fontFamily: paint.colour('sans'),
                  },
                },
              ]),
        ],
      };
    },
  };
}

const interval = (found: Measure | undefined) =>
  found === undefined || found.value === null
    ? '–'
    : `${percent(found.value)}${found.low === null || found.high === null ? '' : ` [${percent(found.low)}, ${percent(found.high)}]`}`;

/** What became of right and of wrong first answers, arm by arm. */
export const hearingToVerdictFigure: Figure<Data> = {
  id: 'hearing-to-verdict',
  title: 'First answer against verdict',
  paper: 'Courtroom-LLM: figure 3; Debate-Feedback: table 5',
  group: 'deliberation',
  needs: ['deliberation'],
  data(sources: FigureSources) {
    const source = deliberationIn(sources);
    if (isAbsent(source)) return source;
    const byArm = rowsByArm(source);
    const rows = source.arms.flatMap(({ name }, arm): Row[] => {
      const mine = (byArm.get(arm) ?? []).filter((row) => (source.rows.change[row] ?? -1) >= 0);
      if (mine.length === 0) return [];
      const measures = sources.report.arms.find((each) => each.arm === name)?.measures ?? [];
      const find = (wanted: string) => measures.find((measure) => measure.name === wanted);
      const of = (kind: Change) =>
        idsOf(
          source,
          mine.filter((row) => source.rows.change[row] === changeKinds.indexOf(kind)),
        );
      const trials = {
        stayedRight: of('stayedRight'),
        degraded: of('degraded'),
        corrected: of('corrected'),
        stayedWrong: of('stayedWrong'),
      };
      const cases = new Set(mine.map((row) => source.rows.case[row])).size;
      return [{ arm: name, n: mine.length, cases, trials, corrections: find('corrections'), degradations: find('degradations') }];
    });
    if (rows.length === 0) {
      return {
        absent:
          'No decided trial of a case with a known truth has an answer before its verdict. Arms of courtroom begin with a preliminary hearing, those of debate-feedback with a first opinion; an arm of agentic-sim with "priorBelief": true asks the judge first.',
      };
    }
    const withHearing = source.arms.some(
      ({ name, protocol }) => protocol === 'courtroom' && rows.some(({ arm }) => arm === name),
    );
    return { rows, level: sources.report.interval.level, withHearing };
  },
  caption({ rows, level, withHearing }) {
    const told = rows.map(({ arm, corrections, degradations }) => {
      const words = `corrected ${interval(corrections)}, degraded ${interval(degradations)}`;
      return rows.length === 1 ? words : `${arm}: ${words}`;
    });
    const hearing = withHearing ? ' Of courtroom the first answer is the preliminary hearing’s.' : '';
    const weighed = rows.some(({ n, cases }) => n !== cases)
      ? ' Bands count trials; in the shares with intervals each case weighs the same.'
      : '';
    const largest = Math.max(...rows.flatMap(({ trials }) => Object.values(trials).map(({ length }) => length)));
    const counts = countsWords(
      rows.map(({ n }) => n),
      { noun: 'decided trial', about: 'with a known truth and a first answer' },
    );
    return `${counts}. Above: first answers, below: verdicts, right ones to the left. Shares of all of them, with ${percent(level)} intervals: ${told.join('; ')}.${weighed}${hearing}${manyNamed(largest)}${smallN(Math.min(...rows.map(({ cases }) => cases)))}`;
  },
  height: ({ rows }) => top + rows.length * rowHeight + 34,
  option(data, paint, { width, height }) {
    const { rows } = data;
    const room = roomOf(width);
    const letters = Math.floor(room / 6.4);
    return {
      animation: false,
      legend: { ...legend(paint), data: changes.map(({ name }) => ({ name, icon: 'rect' })) },
      tooltip: {
        ...tooltip(paint),
        trigger: 'item',
        formatter: ({ seriesId = '', dataIndex }: { seriesId?: string; dataIndex: number }) => {
          const row = rows[dataIndex];
          const change = changes.find(({ kind }) => kind === seriesId);
          if (row === undefined || change === undefined) return '';
          const { length } = row.trials[change.kind];
          return `${cutName(row.arm, 40)}\n${change.name}: ${length} of ${row.n}, ${percent(length / row.n)}`;
        },
      },
      grid: { left: room + 12, right: 18, top, height: height - top - 30 },
      xAxis: shareAxis(paint),
      yAxis: {
        type: 'category',
        inverse: true,
        data: rows.map(({ arm, n }) => `${cutName(arm, letters)}\nn = ${n}`),
        axisLabel: { ...textStyle(paint), color: paint.colour('ink'), interval: 0, lineHeight: 16 },
        axisLine: { show: false },
        axisTick: { show: false },
      },
      series: changes.map((change) => seriesOf(change, rows, paint)),
    };
  },
  table: ({ rows }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'trials', as: 'count' },
      ...changes.map(({ name }) => ({ name, as: 'count' as const })),
      { name: 'corrected of all', as: 'share' },
      { name: 'corrected, low', as: 'share' },
      { name: 'corrected, high', as: 'share' },
      { name: 'degraded of all', as: 'share' },
      { name: 'degraded, low', as: 'share' },
      { name: 'degraded, high', as: 'share' },
    ],
    rows: rows.map(({ arm, n, trials, corrections, degradations }) => [
      arm,
      n,
      ...changes.map(({ kind }) => trials[kind].length),
      ...[corrections, degradations].flatMap((measure) => [measure?.value ?? null, measure?.low ?? null, measure?.high ?? null]),
    ]),
  }),
  behind({ rows }, { seriesId, dataIndex }) {
    const kind = changes.find((each) => each.kind === seriesId)?.kind;
    const row = rows[dataIndex];
    return kind === undefined || row === undefined ? null : namedTrials(row.trials[kind]);
  },
  behindRow: ({ rows }, row) => (rows[row] === undefined ? null : namedTrials(Object.values(rows[row].trials).flat())),
};
