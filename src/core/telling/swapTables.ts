// What exchanging sides, order or labels did to verdicts, in sentences and a table.
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';
import type { Measure, SwapStatistics } from '../../shared/statistics.ts';
import type { Swap } from '../../shared/swaps.ts';
import { plainAmong } from '../../shared/trialLine.ts';
import { percent, points, pointsOf } from '../figures/shares.ts';
import { cautionLines, columnsOf, differenceText, estimate, measureNamed, type Piece, rangeInWords } from './cells.ts';

const exchanged: Readonly<Record<Swap, string>> = {
  sides: 'the sides',
  order: 'the order of the sides',
  labels: 'the order in which the labels are listed',
};

/** Protocols without sides: what they show one after the other are examples. */
const withExamples: ReadonlySet<string> = new Set(['single', 'standard']);

type Told = Pick<StatsReport, 'swaps' | 'positive' | 'changes' | 'part'> & {
  arms: readonly Pick<ArmStatistics, 'arm' | 'protocol'>[];
};

/** `20.8%, 95% interval 8.3% to 41.7%` */
const shareText = (share: Measure): string => `${percent(share.value ?? 0)}${rangeInWords(share)}`;

const isKnown = ({ value }: Measure) => value !== null;

/** Which way verdicts moved by more than chance explains; null where that is not shown. */
function directionText(swap: SwapStatistics, positive: string | null): string | null {
  const change = measureNamed(swap, 'positive_change');
  const isShown = change !== undefined && ((change.low ?? 0) > 0 || (change.high ?? 0) < 0) && change.caution === undefined;
  if (!isShown || change.value === null || change.low === null || change.high === null) return null;
  const { value, low, high, level } = change;
  return `${positive} came out ${pointsOf(value)} ${value > 0 ? 'more' : 'less'} often (${percent(level)} interval ${points(low)} to ${points(high)})`;
}

/** What an exchange did to the verdicts of an arm, and whether that is more than trying again does; null where no pair has two verdicts. */
function swapText(swap: SwapStatistics, { arms, positive, changes }: Told): string | null {
  const flips = measureNamed(swap, 'flip_rate');
  if (flips?.value == null) return null;
  const isOfExamples = swap.swap === 'order' && withExamples.has(arms.find(({ arm }) => arm === swap.arm)?.protocol ?? '');
  const what = isOfExamples ? 'the order of the examples' : exchanged[swap.swap];
  const flipped = swap.moves.reduce((sum, { n }) => sum + n, 0);
  const changed = `${swap.arm}: ${isOfExamples ? 'reversing' : 'exchanging'} ${what} changed ${count(flipped)} of ${count(flips.n)} verdicts (${shareText(flips)})`;
  const direction = directionText(swap, positive);
  const chanceOf = (each: Pick<SwapStatistics, 'measures'>) =>
    [measureNamed(each, 'replicate_flip_rate') ?? []].flat().filter(isKnown);
  // A change that applies to few cases has the chance of these only.
  const retried = (changes ?? [])
    .filter((each) => each.arm === swap.arm)
    .flatMap(chanceOf)
    .toSorted((one, other) => other.n - one.n);
  const [chance] = [...chanceOf(swap), ...retried];
  if (chance === undefined) {
    const unknown = `${changed}; no case was tried twice in the same way, so how many change by chance is not known`;
    return direction === null ? `${unknown}.` : `${unknown}. With the exchange ${direction}.`;
  }
  const again = `${changed}; two tries without an exchange differ in ${percent(chance.value ?? 0)} of ${quantity(chance.n, 'pair')}${rangeInWords(chance)}`;
  // Without resamples nothing is shown and nothing is missing.
  if (flips.low === null || flips.high === null || chance.low === null || chance.high === null) return `${again}.`;
  const more = flips.low > chance.high ? 'more verdicts change than by chance' : null;
  const found = [more, direction === null ? null : `with the exchange ${direction}`].filter((part) => part !== null);
  return found.length === 0 ? `${again}, so no effect of ${what} is shown.` : `${again}: ${found.join(', and ')}.`;
}

/** A sentence for each exchange of each arm that has pairs with two verdicts; none over a part. */
export const swapTexts = (report: Told): string[] =>
  report.part !== undefined ? [] : report.swaps.flatMap((swap) => swapText(swap, report) ?? []);

/** The same for the finding of an experiment that is about nothing else: one arm with what was exchanged in it. */
export const swapFinding = (report: Pick<StatsReport, keyof Told>): string[] =>
  plainAmong(report.arms).length === 1 ? swapTexts(report) : [];

/** Which intervals of the table are to be read with care. */
export const swapCautions = (swaps: readonly SwapStatistics[]): string[] =>
  cautionLines(swaps.flatMap(({ swapped_arm: arm, measures }) => measures.map((each) => ({ ...each, arm }))));

/** Who won more often than the exchange explains; no one if sides do not argue. */
function winsText(swapped: SwapStatistics): string {
  const [last, accuser] = [measureNamed(swapped, 'won_by_last_speaker'), measureNamed(swapped, 'won_by_prosecution')];
  if (last !== undefined) return `last speaker ${estimate(last)}`;
  return accuser === undefined ? '-' : `prosecution ${estimate(accuser)}`;
}

export function swapsTable(report: Told): Piece[] {
  const { swaps, positive } = report;
  if (swaps.length === 0) return [];
  const towards = positive ?? 'positive';
  return [
    '',
    ...swapTexts(report),
    'Counterbalancing, over pairs of the same case, replicate and seed (these arms are in no comparison):',
    columnsOf(swaps, [
      ['arm', ({ arm }) => arm],
      ['exchanged', ({ swap }) => swap],
      ['both decided', (each) => `${count(measureNamed(each, 'flip_rate')?.n ?? 0)}/${count(each.pairs)}`],
      ['flip rate', (each) => estimate(measureNamed(each, 'flip_rate'))],
      ['flips between replicates', (each) => estimate(measureNamed(each, 'replicate_flip_rate'))],
      [`change of share ${towards}, points`, (each) => differenceText(measureNamed(each, 'positive_change'))],
      [`change of P(${towards}), points`, (each) => differenceText(measureNamed(each, 'probability_change'))],
      ['won by', winsText],
      [
        'failed arm : swapped',
        ({ failed: { base, swapped, both } }) => `${count(base)} : ${count(swapped)}, both ${count(both)}`,
      ],
    ]),
    ...swapCautions(swaps),
  ];
}
