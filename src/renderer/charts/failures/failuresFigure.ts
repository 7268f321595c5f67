import { percent } from '../../../core/figures/shares.ts';
import { failureOutcomes } from '../../../shared/domain.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import { outcomeWords } from '../../ui/outcomeWords.ts';
import { quantity } from '../../ui/quantity.ts';
import { fewWords, type Point, plainArms, pointCells, pointColumns, pointOf } from '../estimates/points.ts';
import { legend, nameAxis, shareAxis, shownName, tooltip, whiskers } from '../kit/axes.ts';
import { countsWords } from '../kit/counts.ts';
import type { Figure, TrialsBehind } from '../kit/figure.ts';

type Failure = (typeof failureOutcomes)[number];

interface Arm {
  readonly arm: string;
  readonly n: number;
  /** Finished trials by failure that occurs in an arm. */
  readonly counts: Readonly<Partial<Record<Failure, number>>>;
  readonly failed: Point | null;
  readonly kinds: Readonly<Partial<Record<Failure, Point | null>>>;
  readonly incomplete: Point | null;
  readonly inconsistent: Point | null;
}

interface Data {
  readonly arms: readonly Arm[];
  readonly kinds: readonly Failure[];
  readonly level: number;
}

const flags = [
  { id: 'incomplete', name: 'incomplete' },
  { id: 'inconsistent', name: 'inconsistent' },
] as const;

function armOf(arm: ArmStatistics): Arm {
  return {
    arm: arm.arm,
    n: arm.n,
    counts: arm.failures,
    failed: pointOf(arm, 'failed', 'finished'),
    kinds: Object.fromEntries(failureOutcomes.map((kind) => [kind, pointOf(arm, `failed_${kind}`, 'finished')])),
    incomplete: pointOf(arm, 'incomplete', 'finished'),
    inconsistent: pointOf(arm, 'inconsistent', 'decided'),
  };
}

const row = 34;
const head = 60;

/** Share of the finished trials of an arm; 0 where it never failed so. */
const shareIn = ({ counts, n }: Arm, kind: Failure) => (counts[kind] ?? 0) / n;

/** The longest bar or interval, with a little room: failures are mostly few, and a scale to 100% would hide them. */
function scaleEnd({ arms }: Data): number {
  const ends = arms.flatMap((arm) => [
    arm.failed?.high ?? arm.failed?.value ?? 0,
    ...flags.map(({ id }) => arm[id]?.high ?? arm[id]?.value ?? 0),
  ]);
  return Math.min(1, Math.ceil(Math.max(...ends, 0.05) * 20) / 20);
}

/** How trials ended that were not decided, and which verdicts have a flaw. */
export const failuresFigure: Figure<Data> = {
  id: 'failures',
  title: 'Trials without a verdict, incomplete and inconsistent ones',
  paper: 'AgenticSimLLM: malformed and incomplete rates',
  group: 'performance',
  needs: [],
  data({ report }) {
    const arms = plainArms(report).filter(({ n }) => n > 0);
    const finished = arms.reduce((sum, { n }) => sum + n, 0);
    if (finished === 0) return { absent: 'No trial has ended yet.' };
    const kinds = failureOutcomes.filter((kind) => arms.some(({ failures }) => (failures[kind] ?? 0) > 0));
    if (kinds.length === 0 && arms.every(({ incomplete, inconsistent }) => incomplete + inconsistent === 0)) {
      return { absent: `Of ${quantity(finished, 'finished trial')} none failed, and none is incomplete or inconsistent.` };
    }
    return { arms: arms.map(armOf), kinds, level: report.interval.level };
  },
  caption({ arms, level }) {
    const counts = countsWords(
      arms.map(({ n }) => n),
      { noun: 'finished trial' },
    );
    return `${counts}. Bars: shares of the finished trials that failed, by kind. Marks: share of the finished trials that are incomplete (a turn was forfeited), and of the decided ones that are inconsistent (a verdict against the belief stated with it). Lines are ${percent(level)} intervals over cases, of all failures and of each mark; the scale ends where the longest does.${fewWords(arms.map(({ failed }) => failed))}`;
  },
  height: ({ arms }) => head + arms.length * row + 30,
  option(data, paint, { width }) {
    const { arms, kinds } = data;
    const longest = Math.max(...arms.map(({ arm }) => shownName(arm).length)) * 7;
    const room = Math.round(Math.min(longest, 240, Math.max(84, width * 0.34)));
    const bars = kinds.map((kind, place) => ({
      type: 'bar' as const,
      id: kind,
      name: outcomeWords(kind),
      stack: 'failures',
      barWidth: 12,
      itemStyle: {
        color: paint.series(place).colour,
        decal: paint.series(place).decal,
        borderColor: paint.colour('panel'),
        borderWidth: 0.5,
      },
      data: arms.map((arm) => shareIn(arm, kind)),
    }));
    const marks = flags.flatMap(({ id, name }, place) => {
      const { colour, symbol } = paint.series(kinds.length + place);
      const offset = 10 + place * 5;
      return [
        {
          type: 'scatter' as const,
          id,
          name,
          symbol,
          symbolSize: 8,
          symbolOffset: [0, offset],
          itemStyle: { color: colour },
          data: arms.map((arm, at) => [arm[id]?.value ?? '-', at]),
        },
        whiskers({
          id: `${id}-interval`,
          colour,
          sideways: true,
          offset,
          width: 1,
          points: arms.map((arm, at) => ({ at, low: arm[id]?.low ?? null, high: arm[id]?.high ?? null })),
        }),
      ];
    });
    return {
      animation: false,
      grid: { left: room + 10, right: 20, top: head, bottom: 30 },
      legend: { ...legend(paint), type: 'plain', data: [...bars, ...flags].map(({ name }) => name) },
      tooltip: {
        ...tooltip(paint),
        trigger: 'item',
        formatter: ({ seriesId = '', dataIndex = 0 }: { seriesId?: string; dataIndex?: number }) => {
          const arm = arms[dataIndex];
          if (arm === undefined) return '';
          const kind = kinds.find((each) => each === seriesId);
          if (kind !== undefined) {
            return `${shownName(arm.arm)}\n${outcomeWords(kind)}: ${arm.counts[kind] ?? 0} of ${arm.n}, ${percent(shareIn(arm, kind))}`;
          }
          const flag = flags.find(({ id }) => id === seriesId);
          const point = flag === undefined ? null : arm[flag.id];
          return point === null ? '' : `${shownName(arm.arm)}\n${flag?.name}: ${percent(point.value)} of ${point.n}`;
        },
      },
      xAxis: shareAxis(paint, { max: scaleEnd(data) }),
      yAxis: nameAxis(
        paint,
        arms.map(({ arm }) => arm),
        { room, upright: true },
      ),
      series: [
        ...bars,
        {
          ...whiskers({
            id: 'failed-interval',
            colour: paint.colour('ink'),
            sideways: true,
            width: 1,
            points: arms.map(({ failed }, at) => ({ at, low: failed?.low ?? null, high: failed?.high ?? null })),
          }),
          z: 3,
        },
        ...marks,
      ],
    };
  },
  table: ({ arms, kinds }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      ...kinds.map((kind) => ({ name: `${outcomeWords(kind)}, trials`, as: 'count' as const })),
      ...pointColumns('without a verdict'),
      ...kinds.flatMap((kind) => pointColumns(outcomeWords(kind))),
      ...flags.flatMap(({ id }) => pointColumns(id)),
    ],
    rows: arms.map((arm) => [
      arm.arm,
      ...kinds.map((kind) => arm.counts[kind] ?? 0),
      ...pointCells(arm.failed),
      ...kinds.flatMap((kind) => pointCells(arm.kinds[kind] ?? null)),
      ...flags.flatMap(({ id }) => pointCells(arm[id])),
    ]),
  }),
  behind({ arms, kinds }, { seriesId, dataIndex }): TrialsBehind | null {
    const arm = arms[dataIndex];
    if (arm === undefined) return null;
    const kind = kinds.find((each) => each === seriesId);
    if (kind !== undefined) {
      const n = arm.counts[kind] ?? 0;
      return n === 0 ? null : { arm: arm.arm, outcome: kind, counts: { n, of: 'trials' } };
    }
    const flag = flags.find(({ id }) => seriesId === id || seriesId === `${id}-interval`)?.id;
    const point = flag === undefined ? null : arm[flag];
    if (point === null) return null;
    const counts = { n: point.n, of: 'trials' } as const;
    return flag === 'inconsistent' ? { arm: arm.arm, outcome: 'decided', counts } : { arm: arm.arm, status: 'done', counts };
  },
  behindRow: ({ arms }, place) =>
    arms[place] === undefined ? null : { arm: arms[place].arm, status: 'done', counts: { n: arms[place].n, of: 'trials' } },
};
