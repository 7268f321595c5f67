// The primary comparison in words and a table, for the command line and for reports.
import { rightWords } from '../../shared/decidedBy.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import type { PrimaryResult } from '../../shared/primary.ts';
import { count, quantity } from '../../shared/sizes.ts';
import type { Comparison, Resampling } from '../../shared/statistics.ts';
import { percentTo } from '../figures/shares.ts';
import {
  citedInterval,
  comparedName,
  decidedText,
  hasReplicates,
  intervalNotes,
  isDecidedPair,
  resultText,
  unitOf,
} from '../statistics/measures/primaryText.ts';
import { addedText } from '../statistics/measures/reportNotes.ts';
import { chanceText, shownComparisons } from '../statistics/measures/shownComparisons.ts';
import { type Column, columnsOf, type Piece } from './cells.ts';

/** How the pair that was decided beforehand is among all pairs, and why its numbers there are not those that decide. */
function againText({ planned, difference, cases }: PrimaryResult, again: Comparison, { resamples }: Resampling): string {
  const over = again.paired_cases;
  const added = over === cases ? 'the same cases with the replicates' : `${quantity(over, 'case')}, with those`;
  if (planned !== undefined)
    return `over ${added} that were added after the first trial. That test is exploratory, and its numbers differ from those above, over ${quantity(cases, 'case')}, which decide.`;
  const drawn =
    resamples === 0 || difference.low === null || difference.resamples === null || difference.resamples === resamples
      ? ''
      : ` The ends of its interval can differ a little, since there they come from ${count(resamples)} resamples and above from ${count(difference.resamples)}.`;
  const test =
    again.primary === true ? 'without an adjusted p, since its test is the one above' : 'with the test that all of them have';
  return `${test}; cite what is above, which decides.${drawn}`;
}

/** Said of the pair that was decided beforehand, between that result and everything else about it. */
export function exploratoryPairText({ planned, cases }: PrimaryResult, again: Pick<Comparison, 'paired_cases'>): string {
  const over = again.paired_cases;
  if (planned === undefined)
    return 'What is above was decided beforehand. All that follows covers the same cases, and its other measures and tests are exploratory.';
  const more = over === cases ? 'replicates' : 'cases';
  return `Exploratory, ${quantity(over, 'case')}: all that follows counts the ${more} too that were added after the first trial. What is above decides.`;
}

/** Heads all comparisons but the primary one. */
export function exploratoryText({
  primary,
  comparisons,
  resampling,
}: Pick<StatsReport, 'primary' | 'comparisons' | 'resampling'>): string {
  if (primary === null || primary === undefined)
    return 'No comparison was decided beforehand, so all of them are exploratory: a difference that chance does not explain here should be found again in other cases.';
  const pair = primary.compare.map(comparedName);
  const again = shownComparisons(comparisons).shown.find((each) => isDecidedPair(primary, each));
  const among =
    again === undefined ? '' : ` ${pair.join(' against ')} is among these pairs too, ${againText(primary, again, resampling)}`;
  const later = addedText(primary.later_arms ?? [], 'the primary comparison was recorded');
  return [`Exploratory: all that follows was not decided beforehand.${among}`, ...later].join(' ');
}

export function primaryTable(primary: PrimaryResult, report: Pick<StatsReport, 'arms' | 'decided_by'>) {
  const { compare, measure, difference, exact_p: exact, discordant, final, anytime } = primary;
  const { value, change } = unitOf(measure);
  const shown = (found: number | null, as = value) => (found === null ? '-' : as(found));
  const range = ({ low, high }: { low: number | null; high: number | null }) =>
    low === null || high === null ? '' : `[${change(low)}, ${change(high)}]`;
  const level = percentTo(2, difference.level);
  const toCite = (interval: 'fixed' | 'anytime') => (citedInterval(primary) === interval ? ' (cite this one)' : '');
  return columnsOf(
    [primary],
    [
      [final ? 'cases' : 'cases with an ended trial in both', ({ cases }) => count(cases)],
      [compare[0], ({ a }) => shown(a)],
      [comparedName(compare[1]), ({ b }) => shown(b)],
      [
        `difference${measure === 'accuracy' ? ' in points' : ''} and fixed-n ${level} interval${toCite('fixed')}`,
        () => `${shown(difference.value, change)} ${range(difference)}`.trim(),
      ],
      ...(discordant === undefined
        ? []
        : [
            [
              rightWords(report)[hasReplicates(primary, report) ? 'oftener' : 'alone'],
              () => `${count(discordant.a_only)} : ${count(discordant.b_only)}`,
            ] satisfies Column<PrimaryResult>,
          ]),
      exact === undefined ? ['p (from the interval)', ({ p }) => chanceText(p)] : ['p (exact)', () => chanceText(exact)],
      ...(anytime === null
        ? []
        : [
            [
              `anytime-valid ${level} interval${toCite('anytime')}`,
              () =>
                anytime.cases === 0
                  ? 'the first case is not finished yet with all its trials'
                  : `${range(anytime)} of ${count(anytime.cases)}`,
            ] satisfies Column<PrimaryResult>,
          ]),
    ],
  );
}

/** Nothing where nothing was decided beforehand. */
export function primaryPieces(report: StatsReport): Piece[] {
  const { primary } = report;
  if (primary === null || primary === undefined) return [];
  return [
    `Decided beforehand: ${decidedText(primary, report)}`,
    '',
    resultText(primary),
    '',
    primaryTable(primary, report),
    ...intervalNotes(primary, report),
    '',
  ];
}
