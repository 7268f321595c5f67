import { percent } from '../../../core/figures/shares.ts';
import { binomialCdf } from '../../../core/statistics/binomialCdf.ts';
import { wilson } from '../../../core/statistics/wilson.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import { mostPanels, type PanelGrid, panelGrid, panelsHeight, panelWords } from '../estimates/panelGrid.ts';
import { plainArms } from '../estimates/points.ts';
import { shareAxis, shownName, smallN, tooltip, whiskers } from '../kit/axes.ts';
import { countsWords } from '../kit/counts.ts';
import type { Figure } from '../kit/figure.ts';
import { countedTrials } from '../kit/points.ts';

/** A bin as a mark: its Wilson interval takes the trials in it as independent. */
interface Bin {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  readonly confidence: number;
  readonly accuracy: number;
  readonly low: number;
  readonly high: number;
}

interface Arm {
  readonly arm: string;
  readonly bins: readonly Bin[];
  readonly error: number | null;
  readonly stated: number;
  readonly cases: number;
}

interface Data {
  readonly arms: readonly Arm[];
  readonly level: number;
}

function armOf({ arm, reliability, measures }: ArmStatistics, level: number): Arm {
  const error = measures.find(({ name }) => name === 'expected_calibration_error');
  return {
    arm,
    bins: reliability.map((bin) => {
      const interval = wilson(Math.round(bin.accuracy * bin.n), bin.n, level);
      return { ...bin, low: interval?.low ?? 0, high: interval?.high ?? 1 };
    }),
    error: error?.value ?? null,
    stated: error?.n ?? 0,
    cases: error?.cases ?? 0,
  };
}

const rule =
  'An arm is surer than right where, were the mean stated confidence of its decided trials of known truth the chance of each to be right, so few or fewer right verdicts would come about in at most ' +
  '2.5% divided by the number of arms (exact binomial); right more often than sure, where so many or more would. It is said only where no case was tried several times, so that trials stand for themselves. ' +
  'If every stated confidence were true, an arm would be named in at most one of twenty experiments.';
const risk = 0.05;

/** Above 0: surer than right. Null where neither can be said. */
function leaning({ bins, stated, cases }: Arm, arms: number): -1 | 1 | null {
  if (stated === 0 || stated !== cases) return null;
  const right = bins.reduce((sum, { accuracy, n }) => sum + Math.round(accuracy * n), 0);
  const confidence = bins.reduce((sum, bin) => sum + bin.confidence * bin.n, 0) / stated;
  const rare = risk / 2 / arms;
  if (binomialCdf(right, stated, confidence) <= rare) return 1;
  return binomialCdf(stated - right, stated, 1 - confidence) <= rare ? -1 : null;
}

const panels = ({ arms }: Data): PanelGrid => ({
  names: arms.slice(0, mostPanels).map(({ arm }) => arm),
  notes: arms.map(({ error }) => (error === null ? '' : ` (error ${error.toFixed(2)})`)),
  around: { left: 46, right: 18, top: 24, bottom: 48 },
  head: 8,
  high: 250,
});

const listed = (names: readonly string[]) => {
  const shown = names.slice(0, 3).map(shownName).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
};

/** Mark of so many trials: its area grows with them. */
const sizeOf = (n: number, most: number) => 5 + 11 * Math.sqrt(n / most);

/** Stated confidence against the share that is right, arm by arm: a reliability diagram. */
export const reliabilityFigure: Figure<Data> = {
  id: 'reliability',
  title: 'Stated confidence against how often it was right',
  paper: 'EVINCE: expected calibration error',
  group: 'calibration',
  needs: [],
  data({ report }) {
    const arms = plainArms(report).filter(({ reliability }) => reliability.length > 0);
    if (arms.length === 0) {
      return { absent: 'No decided trial of known truth has a stated confidence. Cases of several labels have none as a whole.' };
    }
    return { arms: arms.map((arm) => armOf(arm, report.interval.level)), level: report.interval.level };
  },
  finding({ arms }) {
    const leaning_ = arms.map((arm) => ({ arm: arm.arm, way: leaning(arm, arms.length) }));
    const named = (way: number) => leaning_.filter((each) => each.way === way).map(({ arm }) => arm);
    const [sure, unsure] = [named(1), named(-1)];
    const parts = [
      ...(sure.length === 0 ? [] : [`surer than right: ${listed(sure)}`]),
      ...(unsure.length === 0 ? [] : [`right more often than sure: ${listed(unsure)}`]),
    ];
    if (parts.length === 0) return null;
    const sentence = parts.join('; ');
    return { sentence: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`, rule };
  },
  caption({ arms, level }) {
    const counts = countsWords(
      arms.map(({ stated }) => stated),
      { noun: 'decided trial', about: 'with a stated confidence' },
    );
    const replicates = arms.some(({ stated, cases }) => stated !== cases)
      ? ' Trials of the same case count as independent in a bin, so that its interval is too narrow.'
      : '';
    return `${counts}, in at most 15 bins of equal frequency, equal values never split; a larger mark has more trials. Lines are ${percent(level)} Wilson intervals of each bin. Dotted: where confidence and accuracy are equal. The calibration error has no interval.${replicates}${panelWords(arms.length)}${smallN(Math.min(...arms.map(({ cases }) => cases)))}`;
  },
  height: (data) => panelsHeight(panels(data)),
  option(data, paint, size) {
    const { grids, titles } = panelGrid(panels(data), paint, size);
    const shown = data.arms.slice(0, mostPanels);
    const most = Math.max(...shown.flatMap(({ bins }) => bins.map(({ n }) => n)));
    const { colour, symbol } = paint.series(0);
    return {
      animation: false,
      title: titles,
      grid: grids,
      tooltip: {
        ...tooltip(paint),
        trigger: 'item',
        formatter: ({ seriesIndex = 0, dataIndex = 0 }: { seriesIndex?: number; dataIndex?: number }) => {
          const arm = shown[Math.floor(seriesIndex / 3)];
          const bin = arm?.bins[dataIndex];
          if (arm === undefined || bin === undefined) return '';
          return `${shownName(arm.arm)}\nstated ${percent(bin.confidence)} on average\nright ${percent(bin.accuracy)}, ${percent(bin.low)} to ${percent(bin.high)}, n = ${bin.n}`;
        },
      },
      xAxis: shown.map((_arm, place) => ({
        ...shareAxis(paint, { name: 'stated confidence', nameGap: 24 }),
        splitNumber: 2,
        gridIndex: place,
      })),
      yAxis: shown.map((_arm, place) => ({
        ...shareAxis(paint, place % 2 === 0 ? { name: 'right', nameGap: 34 } : {}),
        splitNumber: 2,
        gridIndex: place,
      })),
      series: shown.flatMap(({ bins }, place) => {
        const axes = { xAxisIndex: place, yAxisIndex: place };
        return [
          {
            type: 'scatter' as const,
            id: `bins-${place}`,
            ...axes,
            symbol,
            symbolSize: (_value: unknown, { dataIndex }: { dataIndex: number }) => sizeOf(bins[dataIndex]?.n ?? 0, most),
            itemStyle: { color: colour },
            data: bins.map(({ confidence, accuracy }) => [confidence, accuracy]),
          },
          {
            ...whiskers({
              id: `bins-${place}-interval`,
              colour,
              width: 1,
              points: bins.map(({ confidence, low, high }) => ({ at: confidence, low, high })),
            }),
            ...axes,
          },
          {
            type: 'line' as const,
            id: `diagonal-${place}`,
            ...axes,
            silent: true,
            symbol: 'none',
            lineStyle: { type: 'dotted' as const, color: paint.colour('line-strong'), width: 1.5 },
            data: [
              [0, 0],
              [1, 1],
            ],
          },
        ];
      }),
    };
  },
  table: ({ arms }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'lowest confidence', as: 'share' },
      { name: 'highest confidence', as: 'share' },
      { name: 'mean confidence', as: 'share' },
      { name: 'right', as: 'share' },
      { name: 'right, low', as: 'share' },
      { name: 'right, high', as: 'share' },
      { name: 'n', as: 'count' },
      { name: 'interval', as: 'text' },
      { name: 'calibration error of the arm', as: 'number' },
    ],
    rows: arms.flatMap(({ arm, bins, error }) =>
      bins.map(({ from, to, confidence, accuracy, low, high, n }) => [
        arm,
        from,
        to,
        confidence,
        accuracy,
        low,
        high,
        n,
        'wilson',
        error,
      ]),
    ),
  }),
  behind({ arms }, { seriesId, dataIndex }) {
    const place = /^bins-(\d+)(?:-interval)?$/.exec(seriesId ?? '')?.[1];
    const arm = place === undefined ? undefined : arms[Number(place)];
    return arm === undefined ? null : binBehind(arm, dataIndex);
  },
  behindRow({ arms }, row) {
    const [found] = arms.flatMap((arm) => arm.bins.map((_bin, index) => ({ arm, index }))).slice(row);
    return found === undefined ? null : binBehind(found.arm, found.index);
  },
};

/** A list of trials takes confidences below its upper end, which is where the next bin begins; but 1 itself where 1 is the end. */
function binBehind({ arm, bins }: Arm, index: number) {
  const bin = bins[index];
  if (bin === undefined) return null;
  const next = bins[index + 1];
  const to = next === undefined ? 1 : next.from < 1 ? next.from : (bin.to + 1) / 2;
  return { ...countedTrials('stated', arm, bin), confidence: { from: bin.from, to } };
}
