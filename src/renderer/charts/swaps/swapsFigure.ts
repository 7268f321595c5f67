import { swapTitles } from '../../../core/figures/swapWords.ts';
import type { SwapStatistics } from '../../../shared/statistics.ts';
import { dotBehind, dotTable, type NamedRow, type PointColumn } from '../estimates/dotFigure.ts';
import { type DotRows, dotRows, dotRowsHeight } from '../estimates/dotRows.ts';
import { countWords, fewWords, type Point, pointOf } from '../estimates/points.ts';
import { shownName } from '../kit/axes.ts';
import { quantityIs } from '../kit/counts.ts';
import type { Figure, TrialsBehind } from '../kit/figure.ts';

interface Row extends NamedRow {
  readonly arm: string;
  /** The arm in which something is exchanged. */
  readonly swapped: string;
}

interface Data {
  readonly rows: readonly Row[];
  readonly flips: PointColumn;
  /** Flips between replicates of the arm itself. */
  readonly chance: PointColumn;
  /** What else the report has of the pairs: only in the table. */
  readonly others: readonly PointColumn[];
  /** Pairs without two verdicts. */
  readonly failed: number;
  readonly level: number;
}

const others = [
  { id: 'positive-change', name: 'change of the share of positive verdicts', measure: 'positive_change', over: 'pairs' },
  {
    id: 'probability-change',
    name: 'change of the belief in the positive label',
    measure: 'probability_change',
    over: 'believed-pairs',
  },
  { id: 'won-by-prosecution', name: 'won by the prosecution', measure: 'won_by_prosecution', over: 'pair-trials' },
  { id: 'won-by-last', name: 'won by the last speaker', measure: 'won_by_last_speaker', over: 'pair-trials' },
] as const;

/** Changes are of the positive label and name it. */
function anyLabel(swap: SwapStatistics, name: string, over: (typeof others)[number]['over']): Point | null {
  const label = swap.measures.find((measure) => measure.name === name)?.label ?? null;
  return pointOf(swap, name, over, label);
}

const drawn = ({ rows, flips, chance }: Data): DotRows => ({
  names: rows.map(({ name }) => name),
  panels: [
    {
      id: 'flips',
      title: 'verdicts that differ, of pairs with two',
      scale: 'share',
      series: [flips, chance].map((each, place) => ({ ...each, place: place === 0 ? 0 : 4 })),
    },
  ],
});

const rule =
  'A flip rate is above chance where the low end of its interval lies above the high end of the interval of the rate between replicates of the same arm. Two intervals of 95% over differences by chance alone lie so far apart in under one of a hundred pairs. Named only where every arm with swaps has replicates to compare with.';

/** How often a verdict flips when something is exchanged, beside how often it flips by chance. */
export const swapsFigure: Figure<Data> = {
  id: 'swaps',
  title: 'Verdicts that flip when sides, order or labels are exchanged',
  paper: null,
  group: 'fairness',
  needs: [],
  data({ report }) {
    const swaps = report.swaps.filter((swap) => pointOf(swap, 'flip_rate', 'pairs') !== null);
    if (swaps.length === 0) {
      return {
        absent:
          'No arm was tried a second time with something exchanged, or no such pair has two verdicts yet. An arm with `counterbalance` is.',
      };
    }
    const column = (id: string, name: string, of: (swap: SwapStatistics) => Point | null) => ({
      id,
      name,
      points: swaps.map(of),
    });
    return {
      rows: swaps.map(({ arm, swap, swapped_arm }) => ({
        arm,
        name: `${arm}: ${swapTitles[swap]}`,
        trials: {},
        swapped: swapped_arm,
      })),
      flips: column('flip-rate', 'flips when exchanged', (swap) => pointOf(swap, 'flip_rate', 'pairs')),
      chance: column('chance', 'flips by chance', (swap) => pointOf(swap, 'replicate_flip_rate', 'replicate-pairs')),
      others: others.map(({ id, name, measure, over }) => column(id, name, (swap) => anyLabel(swap, measure, over))),
      failed: swaps.reduce((sum, { failed }) => sum + failed.base + failed.swapped + failed.both, 0),
      level: report.interval.level,
    };
  },
  finding({ rows, flips, chance }) {
    if (chance.points.some((point) => point === null)) return null;
    const above = rows.filter((_row, place) => {
      const [low, high] = [flips.points[place]?.low ?? null, chance.points[place]?.high ?? null];
      return low !== null && high !== null && low > high;
    });
    if (above.length === 0) return null;
    const named = above.map(({ name }) => shownName(name)).join('; ');
    return { sentence: `More verdicts flip than by chance alone: ${named}.`, rule };
  },
  caption({ flips, chance, failed, level }) {
    const compared = chance.points.some((point) => point !== null)
      ? ' Flips by chance are between replicates of the arm itself, with nothing exchanged.'
      : ' How many verdicts flip by chance is not known without replicates.';
    const left = failed === 0 ? '' : ` ${quantityIs(failed, 'pair')} left out for want of two verdicts.`;
    return `${countWords(flips.points, level, { noun: 'pair', each: 'in each row' })}${compared}${left}${fewWords(flips.points)}`;
  },
  height: (data) => dotRowsHeight(drawn(data)),
  option: (data, paint, size) => dotRows(drawn(data), paint, size),
  table: ({ rows, flips, chance, others: more }) =>
    dotTable(
      rows.map(({ name }) => name),
      [flips, chance, ...more],
      'arm and what is exchanged',
    ),
  behind: (data, mark) =>
    dotBehind(drawn(data), data.rows, mark, (id, row, point) => behindPairs(data.rows[row], id === 'chance', point)),
  behindRow({ rows, flips }, row) {
    const point = flips.points[row] ?? null;
    return rows[row] === undefined || point === null ? null : behindPairs(rows[row], false, point);
  },
};

/** Trials of both arms whose twin is decided too; for flips by chance those of the arm itself. */
function behindPairs(row: Row | undefined, byChance: boolean, { n }: Point): TrialsBehind {
  const { arm = '', swapped = '' } = row ?? {};
  if (byChance) return { arm, outcome: 'decided', counts: { n, of: 'pairs of replicates' } };
  const arms = [arm, swapped];
  return {
    subset: { arms, outcomes: ['decided'] },
    matched: { arms, by: 'replicate' },
    counts: { n, of: 'pairs' },
  };
}
