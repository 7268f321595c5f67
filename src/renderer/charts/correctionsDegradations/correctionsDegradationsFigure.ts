import { percent, points as pointsWords } from '../../../core/figures/shares.ts';
import { benjaminiHochberg } from '../../../core/statistics/benjaminiHochberg.ts';
import { mcnemarExact } from '../../../core/statistics/mcnemarExact.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import {
  countWords,
  fewWords,
  type Point,
  plainArms,
  pointCells,
  pointColumns,
  pointOf,
  pointWords,
} from '../estimates/points.ts';
import { legend, nameAxis, shareAxis, shownName, tooltip, whiskers } from '../kit/axes.ts';
import type { Figure } from '../kit/figure.ts';
import { countedTrials } from '../kit/points.ts';

interface Arm {
  readonly arm: string;
  readonly corrections: Point;
  readonly degradations: Point;
  /** Of those that could change so; null where there are none. */
  readonly ofWrong: Point | null;
  readonly ofRight: Point | null;
  /** Corrections less degradations, a share of the trials that have both answers. */
  readonly net: number;
  /** McNemar's exact test, adjusted over the arms; null where cases were tried several times. */
  readonly adjusted: number | null;
}

interface Data {
  readonly arms: readonly Arm[];
  readonly level: number;
}

/** Trials behind a share; only where each case gives one trial are they whole numbers and independent. */
const countOf = ({ value, n }: Point) => Math.round(value * n);

function armsOf(all: readonly ArmStatistics[]): Arm[] {
  const found = all.flatMap((arm) => {
    const corrections = pointOf(arm, 'corrections', 'initial-and-verdict');
    const degradations = pointOf(arm, 'degradations', 'initial-and-verdict');
    return corrections === null || degradations === null ? [] : [{ arm, corrections, degradations }];
  });
  const adjusted = benjaminiHochberg(
    found.map(({ corrections, degradations }) =>
      corrections.n === corrections.cases ? mcnemarExact(countOf(corrections), countOf(degradations)).p : null,
    ),
  );
  return found.map(({ arm, corrections, degradations }, place) => ({
    arm: arm.arm,
    corrections,
    degradations,
    ofWrong: pointOf(arm, 'corrections_of_wrong', 'initially-wrong'),
    ofRight: pointOf(arm, 'degradations_of_right', 'initially-right'),
    net: corrections.value - degradations.value,
    adjusted: adjusted[place] ?? null,
  }));
}

const rule =
  "An arm corrects more than it spoils, or the reverse, where McNemar's exact test of its corrections against its degradations, adjusted after Benjamini and Hochberg over the arms, " +
  'gives at most 5%. It is said only of arms in which no case was tried several times. Were first answers and verdicts equally good, an arm would be named in at most one of twenty experiments.';
const largestP = 0.05;

const drawnSeries = new Set(['corrections', 'degradations', 'net']);
const row = 32;
const head = 40;

/** Both sides reach as far as the longest interval, in steps of 10 points. */
function reach({ arms }: Data): number {
  const ends = arms.flatMap(({ corrections, degradations }) => [
    corrections.high ?? corrections.value,
    degradations.high ?? degradations.value,
  ]);
  return Math.min(1, Math.ceil(Math.max(...ends, 0.1) * 10) / 10);
}

const counted = (names: readonly string[]) =>
  names.length > 3
    ? `${names.slice(0, 3).map(shownName).join(', ')} and ${names.length - 3} more`
    : names.map(shownName).join(', ');

/** Right verdicts after wrong first answers, and the reverse, as in Debate-Feedback's table 5. */
export const correctionsDegradationsFigure: Figure<Data> = {
  id: 'corrections-degradations',
  title: 'First answers that were corrected, and that were spoiled',
  paper: 'Debate-Feedback: table 5',
  group: 'performance',
  needs: [],
  data({ report }) {
    const arms = armsOf(plainArms(report));
    if (arms.length === 0) {
      return {
        absent:
          'No decided trial of known truth has an answer from before the verdict. Protocols with a hearing, a prior belief or rounds record one.',
      };
    }
    return { arms, level: report.interval.level };
  },
  finding({ arms }) {
    const shown = arms.filter(({ adjusted }) => adjusted !== null && adjusted <= largestP);
    const better = shown.filter(({ net }) => net > 0).map(({ arm }) => arm);
    const worse = shown.filter(({ net }) => net < 0).map(({ arm }) => arm);
    const parts = [
      ...(better.length === 0 ? [] : [`More first answers are corrected than spoiled: ${counted(better)}.`]),
      ...(worse.length === 0 ? [] : [`More first answers are spoiled than corrected: ${counted(worse)}.`]),
    ];
    return parts.length === 0 ? null : { sentence: parts.join(' '), rule };
  },
  caption({ arms, level }) {
    const points = arms.map(({ corrections }) => corrections);
    return `${countWords(points, level, { noun: 'decided trial' })} Shares are of all trials with a first answer and a verdict; the diamond is corrections less degradations, which is by how much the verdicts are right more often than the first answers.${fewWords(points)}`;
  },
  height: ({ arms }) => head + arms.length * row + 50,
  option(data, paint, { width }) {
    const { arms } = data;
    const longest = Math.max(...arms.map(({ arm }) => shownName(arm).length)) * 7;
    const room = Math.round(Math.min(longest, 240, Math.max(84, width * 0.34)));
    const end = reach(data);
    const side = (id: 'corrections' | 'degradations', name: string, token: string, place: number, sign: 1 | -1) => [
      {
        type: 'bar' as const,
        id,
        name,
        stack: 'changes',
        barWidth: 14,
        itemStyle: { color: paint.colour(token), decal: paint.series(place).decal },
        data: arms.map((arm) => sign * arm[id].value),
      },
      {
        ...whiskers({
          id: `${id}-interval`,
          colour: paint.colour('ink'),
          sideways: true,
          width: 1,
          points: arms.map((arm, at) => {
            const ends = [arm[id].low, arm[id].high].map((value) => (value === null ? null : sign * value));
            return { at, low: ends[sign === 1 ? 0 : 1] ?? null, high: ends[sign === 1 ? 1 : 0] ?? null };
          }),
        }),
        z: 3,
      },
    ];
    return {
      animation: false,
      grid: { left: room + 10, right: 22, top: head, bottom: 46 },
      legend: { ...legend(paint), data: ['degradations', 'corrections', 'net'] },
      tooltip: {
        ...tooltip(paint),
        trigger: 'item',
        formatter: ({ dataIndex = 0 }: { dataIndex?: number }) => {
          const arm = arms[dataIndex];
          if (arm === undefined) return '';
          return `${shownName(arm.arm)}\ncorrected: ${pointWords(arm.corrections)}\nspoiled: ${pointWords(arm.degradations)}\nnet: ${pointsWords(arm.net)} points`;
        },
      },
      xAxis: {
        ...shareAxis(paint, { min: -end, max: end, name: 'spoiled            corrected', nameGap: 26 }),
        axisLabel: { ...shareAxis(paint).axisLabel, formatter: (value: number) => percent(Math.abs(value)) },
      },
      yAxis: {
        ...nameAxis(
          paint,
          arms.map(({ arm }) => arm),
          { room, upright: true },
        ),
        axisLine: { onZero: true, lineStyle: { color: paint.colour('line-strong') } },
      },
      series: [
        ...side('degradations', 'degradations', 'bad', 1, -1),
        ...side('corrections', 'corrections', 'good', 0, 1),
        {
          type: 'scatter' as const,
          id: 'net',
          name: 'net',
          z: 4,
          symbol: 'diamond',
          symbolSize: 11,
          itemStyle: { color: paint.colour('ink'), borderColor: paint.colour('panel'), borderWidth: 1 },
          data: arms.map(({ net }, at) => [net, at]),
        },
      ],
    };
  },
  table: ({ arms }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      ...pointColumns('corrections, of all'),
      ...pointColumns('degradations, of all'),
      { name: 'net', as: 'share' },
      ...pointColumns('corrections, of those first wrong'),
      ...pointColumns('degradations, of those first right'),
      { name: 'exact test, adjusted p', as: 'number' },
    ],
    rows: arms.map(({ arm, corrections, degradations, net, ofWrong, ofRight, adjusted }) => [
      arm,
      ...pointCells(corrections),
      ...pointCells(degradations),
      net,
      ...pointCells(ofWrong),
      ...pointCells(ofRight),
      adjusted,
    ]),
  }),
  behind({ arms }, { seriesId, dataIndex }) {
    const arm = arms[dataIndex];
    if (arm === undefined || !drawnSeries.has(seriesId?.replace(/-interval$/, '') ?? '')) return null;
    return countedTrials('initial-and-verdict', arm.arm, arm.corrections);
  },
  behindRow: ({ arms }, place) =>
    arms[place] === undefined ? null : countedTrials('initial-and-verdict', arms[place].arm, arms[place].corrections),
};
