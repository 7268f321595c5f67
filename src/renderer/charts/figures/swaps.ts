import { swapTitles } from '../../../core/figures/swapText.ts';
import type { ChangeStatistics } from '../../../shared/changeStatistics.ts';
import type { Measure, SwapStatistics } from '../../../shared/statistics.ts';
import { shownName } from '../kit/axes.ts';
import { quantityIs } from '../kit/counts.ts';
import { estimates } from '../kit/dotRows.ts';
import type { TrialsBehind } from '../kit/figure.ts';
import { figure, share } from '../kit/plot.ts';
import { type Point, pointColumns, pointOf } from '../kit/points.ts';

type Pairs = SwapStatistics | ChangeStatistics;

/** What else the report has of the pairs: only in the table. */
const others = [
  { name: 'change of the share of positive verdicts', measure: 'positive_change', over: 'pairs' },
  { name: 'change of the belief in the positive label', measure: 'probability_change', over: 'believed-pairs' },
  { name: 'won by the prosecution', measure: 'won_by_prosecution', over: 'pair-trials' },
  { name: 'won by the last speaker', measure: 'won_by_last_speaker', over: 'pair-trials' },
] as const;

const rule =
  'A flip rate is above chance if its interval lies wholly above the interval of the rate between replicates of the same arm. By chance alone, two 95% intervals are so far apart in fewer than one of a hundred pairs. Arms are named only if every arm with swaps has replicates to compare with.';

/** A measure of the pairs, for any label it names: changes are of the positive one. */
function pointIn(
  { measures }: Pairs,
  name: string,
  over: Measure['over'],
  behind: (n: number) => TrialsBehind | null,
): Point | null {
  const label = measures.find((measure) => measure.name === name)?.label ?? null;
  const point = pointOf({ measures }, name, over, label);
  return point === null ? null : { ...point, behind: behind(point.n) };
}

/** Trials of both arms whose matched trial is decided too; null where the change leaves some of them as they are, which no list leaves out. */
function inPairs(pairs: Pairs, n: number): TrialsBehind | null {
  if (!('swap' in pairs) && pairs.unchanged + pairs.erased > 0) return null;
  const arms = [pairs.arm, 'swap' in pairs ? pairs.swapped_arm : pairs.changed_arm];
  return { subset: { arms, outcomes: ['decided'] }, matched: { arms, by: 'replicate' }, counts: { n, of: 'pairs' } };
}

const flips = (pairs: Pairs) => pointIn(pairs, 'flip_rate', 'pairs', (n) => inPairs(pairs, n));
/** @param seeds the arms that are this one with other seeds */
const chance = (pairs: Pairs, seeds: readonly string[] = []) =>
  pointIn(pairs, 'replicate_flip_rate', 'replicate-pairs', (n) => ({
    ...(seeds.length === 0
      ? ({ arm: pairs.arm, outcome: 'decided' } as const)
      : { subset: { arms: [pairs.arm, ...seeds], outcomes: ['decided'] } }),
    counts: { n, of: 'pairs of replicates' },
  }));
const bare = (point: Point | null) => (point === null ? null : { ...point, low: null, high: null });
const nameOf = ({ arm, swap }: SwapStatistics) => `${arm}: ${swapTitles[swap]}`;
const channels = (what: string, seedsOf: (pairs: Pairs) => readonly string[] = () => []) => [
  { id: 'flip-rate', name: `flips when ${what}`, of: flips, colour: 0 },
  { id: 'chance', name: 'flips by chance', of: (pairs: Pairs) => chance(pairs, seedsOf(pairs)), colour: 4 },
];
const flipsTitle = 'verdicts that flip, of pairs with two verdicts';
const leftOut = (rows: readonly Pairs[]) => {
  const failed = rows.reduce((sum, { failed: { base, swapped, both } }) => sum + base + swapped + both, 0);
  return failed === 0 ? '' : ` ${quantityIs(failed, 'pair')} left out because a verdict is missing.`;
};

function findingOf(swaps: readonly SwapStatistics[]) {
  if (swaps.some((swap) => chance(swap) === null)) return null;
  const above = swaps.filter((swap) => (flips(swap)?.low ?? 0) > (chance(swap)?.high ?? 1));
  const named = above.map((swap) => shownName(nameOf(swap))).join('; ');
  return above.length === 0 ? null : { sentence: `More verdicts flip than by chance alone: ${named}.`, rule };
}

export const swapsFigure = figure({
  id: 'swaps',
  title: 'Verdicts that flip when sides, order or labels are exchanged',
  requires:
    'an arm that was tried a second time with something exchanged, and pairs with two verdicts: “Counterbalancing” of an arm makes them',
  plot({ report }) {
    const rows = report.swaps.filter((swap) => flips(swap) !== null);
    const compared = rows.some((swap) => chance(swap) !== null)
      ? ' Flips by chance are between replicates of the arm itself, with nothing exchanged.'
      : ' Without replicates we do not know how many verdicts flip by chance.';
    const plot = estimates({
      rows,
      name: nameOf,
      panels: [{ id: 'flips', title: flipsTitle, scale: 'share', channels: channels('exchanged') }],
      first: 'arm and what is exchanged',
      more: others.flatMap(({ name, measure, over }) =>
        pointColumns(name, share, (swap: SwapStatistics) => pointIn(swap, measure, over, (n) => inPairs(swap, n))),
      ),
      counted: rows.map(flips),
      noun: 'pair',
      each: 'in each row',
      level: report.interval.level,
      says: `${compared}${leftOut(rows)}`,
    });
    return plot && { ...plot, finding: findingOf(rows) };
  },
});

export const changesFigure = figure({
  id: 'changes',
  title: 'What each declared change does to verdicts and beliefs',
  requires:
    'an arm that was tried again with a declared change, and pairs with two verdicts: “Try again…” on a trial and “Try with changes…” in the menu of an experiment make such arms',
  plot({ report }) {
    const { changes = [] } = report;
    const rows = changes.filter((change) => flips(change) !== null);
    // Of one pair an interval would say nothing but that it is one: its verdict flips or stays.
    const ofOne = rows.every(({ pairs }) => pairs === 1);
    const flipped = { id: 'flip-rate', name: 'flips', of: (change: ChangeStatistics) => bare(flips(change)), colour: 0 };
    const seedsOf = ({ arm }: Pairs) =>
      changes.flatMap((each) => (each.kind === 'seed' && each.arm === arm ? [each.changed_arm] : []));
    const belief = {
      id: 'belief-change',
      name: 'change of belief',
      of: (change: ChangeStatistics) => pointIn(change, 'probability_change', 'believed-pairs', (n) => inPairs(change, n)),
      colour: 2,
    };
    const believed = rows.some((change) => belief.of(change) !== null);
    const several = new Set(rows.map(({ arm }) => arm)).size > 1;
    const title = `change of P(${report.positive}), points`;
    return estimates<ChangeStatistics>({
      rows,
      name: (change) => `${several ? `${change.arm}: ` : ''}${change.change}`,
      panels: [
        {
          ...{ id: 'flips', title: ofOne ? 'the verdict stays (0%) or flips (100%)' : flipsTitle, scale: 'share' },
          channels: ofOne ? [flipped] : channels('changed', seedsOf),
        },
        ...(believed ? [{ id: 'belief', title, scale: 'difference' as const, channels: [belief] }] : []),
      ],
      first: several ? 'arm and what is changed' : 'what is changed',
      counted: rows.map(flips),
      noun: 'pair',
      each: 'in each row',
      level: report.interval.level,
      says: `${ofOne ? ' Rows of other seeds show what chance alone does.' : ' Flips by chance are with other seeds alone.'}${leftOut(rows)}`,
    });
  },
});
