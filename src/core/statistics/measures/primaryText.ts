// What a primary comparison decides, and its words.
import { rightWords } from '../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { baselineMark, type Primary, type PrimaryResult } from '../../../shared/primary.ts';
import { count, proportion, quantity } from '../../../shared/sizes.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { percentTo, points, pointsOf, percent as shareText } from '../../figures/shares.ts';
import { wilson } from '../wilson.ts';
import { casesForPlan, foundDifference, neededCases } from './casesNeeded.ts';
import { narrowUpTo } from './cautions.ts';
import { chanceText, exactTest, isReplicated, rounding } from './shownComparisons.ts';

/** Of a less b: 1 where higher is better, -1 where lower is. */
export const gainSign = (measure: Primary['measure']): 1 | -1 => (measure === 'brier' || measure === 'log_loss' ? -1 : 1);

type Undecided = Omit<PrimaryResult, 'decision' | 'sentence'>;

/** The deciding interval as one of the gain of a over b; null where there is none. An end of the anytime-valid one is itself excluded. */
function gainOf({ measure, difference, anytime, decided_by }: Undecided) {
  const { low, high } = decided_by === 'fixed' ? difference : (anytime ?? { low: null, high: null });
  if (low === null || high === null) return null;
  const isAbove = (end: number, bound: number) => (decided_by === 'fixed' ? end > bound : end >= bound);
  const [lower, upper] = gainSign(measure) === 1 ? [low, high] : [-high, -low];
  return { isOver: (bound: number) => isAbove(lower, bound), isUnder: (bound: number) => isAbove(-upper, -bound) };
}

/** Cases below which every bootstrap interval is too narrow. */
const fewCases = 50;

/** Up to how many cases no difference in a measure can be shown: nothing confirms its interval. Null where an exact test does. */
export const unshownUpTo = (measure: Primary['measure']): number | null =>
  measure === 'accuracy' ? null : Math.max(fewCases - 1, narrowUpTo(measure));

/** Whether the interval is known to hold the true value less often than it says. */
const isNarrow = ({ cases, decided_by, difference: { caution } }: Undecided): boolean =>
  decided_by === 'fixed' && (cases < fewCases || caution?.startsWith('too narrow') === true);

/** How far it is off: `too narrow: in simulations of 50 cases, 95% intervals held the true value in 92.3%`. */
const narrowText = ({ difference: { caution } }: Undecided): string =>
  caution?.startsWith('too narrow') === true ? caution : `too narrow, as are all of fewer than ${fewCases} cases`;

/** Whether a difference that the interval shows can be stated: by the exact test, else where the interval is as wide as it says. */
const isConfirmed = (found: Undecided): boolean =>
  found.exact_p === undefined ? !isNarrow(found) : found.exact_p <= found.p_level + rounding;

/** Whether one of the two is ahead in every case by as much: every resample is alike, so there is no interval, and the exact test decides. */
const isSameInAll = ({ difference, discordant, cases }: Undecided): boolean =>
  difference.low === null && discordant !== undefined && Math.max(discordant.a_only, discordant.b_only) === cases;

/** What interval and exact test decide at the end. */
export function decisionOf(found: Undecided): 'shown' | 'not-shown' {
  if (isSameInAll(found)) return isConfirmed(found) ? 'shown' : 'not-shown';
  const gain = gainOf(found);
  const margin = found.margin ?? 0;
  const isShown =
    gain !== null &&
    (found.test === 'difference'
      ? (gain.isOver(0) || gain.isUnder(0)) && isConfirmed(found)
      : gain.isOver(-margin) && (found.test === 'non-inferiority' || gain.isUnder(margin)));
  return isShown ? 'shown' : 'not-shown';
}

const measureNames = {
  macro_f1: 'macro-F1',
  brier: 'Brier score',
  log_loss: 'log loss',
  area_under_curve: 'area under the curve',
} as const;

type Labelled = Pick<StatsReport, 'decided_by'>;

/** What an arm or a baseline of the primary comparison is called in a sentence: `baseline majority`. */
export const comparedName = (name: string): string =>
  name.startsWith(baselineMark) ? `baseline ${name.slice(baselineMark.length)}` : name;

export const measureName = (measure: Primary['measure'], labelled: Labelled): string =>
  measure === 'accuracy' ? rightWords(labelled).accuracy : measureNames[measure];

/** How a measure and its differences are written: accuracy in percent and points, all else in its own unit. */
export const unitOf = (measure: Primary['measure']) =>
  measure === 'accuracy'
    ? { value: shareText, change: points, size: pointsOf }
    : { value: proportion, change: (by: number) => `${by > 0 ? '+' : ''}${proportion(by)}`, size: proportion };

/** Of an end without resamples, until they are there. */
export const undrawn = 'The decision takes intervals, which were not computed.';

/** Why a difference is not shown although the interval or the exact test speaks for one. */
function whyUnshown(found: Undecided): string {
  const { difference, exact_p: exact } = found;
  const gain = gainOf(found);
  if (gain?.isOver(0) !== true && gain?.isUnder(0) !== true)
    return exact !== undefined && isConfirmed(found)
      ? `: the exact test finds one (p ${chanceText(exact)}), but the interval includes 0`
      : '';
  const narrow = isNarrow(found) ? 'at this n such intervals are too narrow, and ' : '';
  const test =
    exact === undefined ? 'there is no exact test of this measure' : `the exact test does not show one (p ${chanceText(exact)})`;
  return `: the interval lies ${(difference.low ?? 0) > 0 ? 'above' : 'below'} 0, but ${narrow}${test}`;
}

/** What a decision without an exact test rests on. */
function basisOf(found: Undecided): string {
  if (found.decided_by === 'anytime' || found.exact_p !== undefined) return '';
  return ` This rests on the interval alone${isNarrow(found) ? `, which is ${narrowText(found)}` : ''}.`;
}

/** The interval to cite of the two that a primary comparison can have; null where there is only one. */
export function citedInterval(found: PrimaryResult): 'fixed' | 'anytime' | null {
  const { anytime, decided_by, exact_p, final, difference } = found;
  if (anytime === null || anytime.cases === 0 || difference.low === null) return null;
  return decided_by === 'anytime' || !final || (exact_p === undefined && isNarrow(found)) ? 'anytime' : 'fixed';
}

/** What was decided, in one sentence. @param why why a difference is not shown; empty where that is not said */
function claimText(found: Undecided, decision: PrimaryResult['decision'], labelled: Labelled, why = ''): string {
  const [a, b] = found.compare.map(comparedName);
  const [measure, by] = [measureName(found.measure, labelled), unitOf(found.measure).size(found.margin ?? 0)];
  const isShown = decision === 'shown';
  if (found.test === 'difference')
    return isShown
      ? `${a} is ${(found.difference.value ?? 0) * gainSign(found.measure) > 0 ? 'better' : 'worse'} than ${b} in ${measure}.`
      : `No difference in ${measure} is shown between ${a} and ${b}${why}; this does not show that they are equal.`;
  if (found.test === 'equivalence')
    return isShown
      ? `${a} and ${b} differ by less than ${by} in ${measure}.`
      : `It is not shown that ${a} and ${b} differ by less than ${by} in ${measure}.`;
  return isShown
    ? `If ${a} is worse than ${b} in ${measure} at all, then by less than ${by}.`
    : `It is not shown that ${a} is at most ${by} worse than ${b} in ${measure}.`;
}

/** Of two that are right equally often in each case: how often others could differ. */
function alikeText({ cases, difference: { level } }: Undecided, alike: 'verdict' | 'rightness', labelled: Labelled): string {
  const same = alike === 'verdict';
  const said = same ? 'gave the same verdict' : `${rightWords(labelled).are} equally often`;
  const most = ((wilson(0, cases, level)?.high ?? 1) * 100).toFixed(1);
  return `Both ${said} in ${cases === 1 ? 'the only case' : `${same ? 'all' : 'each of the'} ${count(cases)} cases`}; so few cannot exclude that up to ${most} of 100 others would differ.`;
}

/**
 * The decision in words.
 * @param finished cases of which all planned trials of both have ended; replicated: whether these are several a case and arm;
 *   alike: what both have in common in each case
 */
export function primarySentence(
  found: Undecided,
  decision: PrimaryResult['decision'],
  {
    finished,
    replicated,
    alike,
    labelled,
  }: { finished: number; replicated: boolean; alike: 'verdict' | 'rightness' | null; labelled: Labelled },
): string {
  const { cases, of } = found;
  if (found.final && decision === 'open') return undrawn;
  if (decision === 'open')
    return `There is no decision before the end: ${count(finished)} of ${count(of)} cases are finished in both${replicated ? ', with all replicates' : ''}.`;
  if (isSameInAll(found))
    return `${claimText(found, decision, labelled)} One of the two is ahead in every one of the ${quantity(cases, 'case')}, by as much in each, so there is no interval; the exact test decides (p ${chanceText(found.exact_p ?? null)}).`;
  if (gainOf(found) === null)
    return alike === null
      ? `Nothing can be decided over ${quantity(cases, 'case')}: ${found.difference.why_null ?? 'there is no interval'}.`
      : `${alikeText(found, alike, labelled)} ${claimText(found, decision, labelled)}`;
  return `${claimText(found, decision, labelled, whyUnshown(found))}${decision === 'shown' ? basisOf(found) : ''}`;
}

const percent = (share: number) => percentTo(2, share);

/** The numbers that decide: `Over 40 cases: court less alone is +12.5 points, 95% interval −3.7 to +27.5, p 0.166.` */
function evidenceText({ compare, cases, planned, measure, difference, ...rest }: PrimaryResult): string | null {
  const { anytime, decided_by, p, exact_p } = rest;
  const { low, high } = decided_by === 'fixed' ? difference : (anytime ?? { low: null, high: null });
  if (difference.value === null || low === null || high === null) return null;
  const n = decided_by === 'fixed' ? cases : (anytime?.cases ?? cases);
  const over = quantity(n, 'case');
  const { change } = unitOf(measure);
  const chance = exact_p ?? p;
  return [
    planned === undefined ? `Over ${over}` : `Over the ${over} planned when the first trial began`,
    `: ${compare.map(comparedName).join(' less ')} is ${change(difference.value)}${measure === 'accuracy' ? ' points' : ''}`,
    `, ${percent(difference.level)} interval ${change(low)} to ${change(high)}`,
    chance === null ? '.' : `, p ${chanceText(chance)}.`,
  ].join('');
}

/** Why a difference is not shown although one of the numbers next to the decision speaks for it; null where none does. */
function plainDoubt(result: PrimaryResult): string | null {
  if (result.test !== 'difference' || result.decision !== 'not-shown') return null;
  const gain = gainOf(result);
  if (gain?.isOver(0) !== true && gain?.isUnder(0) !== true)
    return result.exact_p !== undefined && isConfirmed(result)
      ? 'The p-value speaks for a difference, but the interval includes 0.'
      : null;
  return result.exact_p === undefined
    ? 'The interval leaves out 0, but no exact test of this measure can confirm it.'
    : 'The interval leaves out 0, but the exact test does not rule out chance.';
}

const and = new Intl.ListFormat('en-GB');

/** What two arms that differ in several settings cannot show. */
export const confoundedText = (differ: readonly string[]): string =>
  `differ in ${and.format(differ)}, so a difference between them cannot be put down to one of these`;

const settingsText = ({ differ_in: differ }: PrimaryResult): string =>
  differ === undefined ? '' : ` The two arms ${confoundedText(differ)}.`;

/** The decision in one sentence, and what it cannot be put down to. */
export const resultText = (result: PrimaryResult): string => `${result.sentence}${settingsText(result)}`;

/** The decision and its numbers in words for readers who know no statistics. */
export function plainDecision(result: PrimaryResult, labelled: Labelled): string {
  const evidence = result.decision === 'open' ? null : evidenceText(result);
  if (evidence === null) return resultText(result);
  const narrow = isNarrow(result) ? `This interval is ${narrowText(result)}.` : null;
  return [claimText(result, result.decision, labelled), evidence, plainDoubt(result), narrow]
    .filter((part) => part !== null)
    .join(' ')
    .concat(settingsText(result));
}

/** Which pair of a report is the one that was decided beforehand, though it can be over other cases there. */
export const isDecidedPair = (
  { compare }: Pick<PrimaryResult, 'compare'>,
  { a, b, baseline }: Pick<Comparison, 'a' | 'b' | 'baseline'>,
): boolean => compare.includes(a) && compare.includes(baseline ? `${baselineMark}${b}` : b);

export function decidedText(
  { compare: [a, b], measure, test, margin, family, stop, p_level }: PrimaryResult,
  labelled: Labelled,
): string {
  const { size } = unitOf(measure);
  const what = test === 'difference' ? 'a difference' : `${test} with a margin of ${size(margin ?? 0)}`;
  const among = family === 1 ? '' : `, one of ${family} tests`;
  const sided = test === 'difference' ? 'two-sided' : test === 'equivalence' ? 'two one-sided tests' : 'one-sided';
  const until = stop === null ? '' : ` The run continues until its anytime-valid interval is narrower than ${size(stop.width)}.`;
  return `${a} against ${comparedName(b)} in ${measureName(measure, labelled)}: ${what}${among}, at ${percent(p_level)} ${sided}.${until}`;
}

/** Whether what was decided beforehand counts several trials of a case. */
export const hasReplicates = ({ planned }: PrimaryResult, report: Pick<StatsReport, 'arms'>): boolean =>
  planned === undefined ? isReplicated(report) : planned.replicates > 1;

/** @param why without a full stop */
export const uncountedText = (why: string): string => `This look at results before the end could not be counted: ${why}.`;

export function intervalNotes(
  primary: PrimaryResult,
  report: Pick<StatsReport, 'arms' | 'decided_by' | 'comparisons'>,
): string[] {
  const {
    final,
    anytime,
    decided_by,
    exact_p,
    looks,
    look_uncounted: uncounted,
    stop,
    cases,
    planned,
    p_level,
    measure,
  } = primary;
  const pair = report.comparisons.find((each) => isDecidedPair(primary, each) && each.paired_cases === cases);
  const [shown = 0, first, last] = [looks?.length, looks?.[0], looks?.at(-1)];
  const at = shown > 4 ? `${first} to ${last}` : looks?.join(', ');
  const test = exactTest(hasReplicates(primary, report));
  const cited = citedInterval(primary);
  return [
    ...(isNarrow(primary) && primary.difference.low !== null
      ? [`The fixed-n interval is ${narrowText(primary)}.${cited === 'anytime' ? ' The anytime-valid one is not.' : ''}`]
      : []),
    ...(planned === undefined
      ? []
      : [
          `This is over what was planned when the first trial began: ${quantity(planned.cases, 'case')}, each tried ${planned.replicates === 1 ? 'once' : `${count(planned.replicates)} times`}. What was added later, when results could be known, is not counted here; it is in the exploratory part.`,
        ]),
    ...(stop === null || stop.after === null ? [] : [`The stopping rule ended the run after ${count(stop.after)} cases.`]),
    ...(decided_by === 'anytime' ? ['The anytime-valid interval decides: it holds however often results were looked at.'] : []),
    ...(final || anytime === null
      ? []
      : [
          'The fixed-n interval holds for one look at the planned end. The anytime-valid one holds at every look, so a run may be ended by it.',
        ]),
    ...(uncounted === undefined ? [] : [uncountedText(uncounted)]),
    ...(looks === undefined || shown > 0 || !final || decided_by === 'anytime'
      ? []
      : [
          'As far as was counted, nobody looked at results before the end. A look while another program wrote to the record could not be counted.',
        ]),
    ...(shown === 0
      ? []
      : [
          `Results were shown at least ${shown === 1 ? 'once' : `${count(shown)} times`} before the end, when ${at} ${last === 1 ? 'case' : 'cases'} had an ended trial in both${decided_by === 'fixed' && final ? '. If the run was ended because of what was seen, only the anytime-valid interval holds' : ''}.`,
        ]),
    ...(exact_p === undefined || primary.difference.low === null
      ? []
      : [
          `A difference in ${measureName(measure, report)} is shown only where the fixed-n interval leaves out 0 and p (exact), of ${test}, is at most ${percent(p_level)}.${cited === 'anytime' ? '' : ' Cite this p with the fixed-n interval.'}`,
        ]),
    ...(exact_p === undefined || !final || pair === undefined || planned !== undefined ? [] : sizeNotes(primary, pair, report)),
  ];
}

/** What so many cases can show, or how many a smaller difference takes where one is shown. */
function sizeNotes({ cases, decision }: PrimaryResult, pair: Comparison, labelled: Pick<StatsReport, 'decided_by'>): string[] {
  const least = pair.smallest_detectable_difference;
  if (decision === 'shown') return least === null ? [] : [casesForPlan(least, cases) ?? []].flat();
  const level = percent(pair.detectable_at);
  if (least === null) {
    const needed = neededCases(pair, labelled);
    return needed === null ? [] : [`To be found four times in five at ${level}, a difference ${needed}.`];
  }
  return [`With ${quantity(cases, 'case')}, at ${level}, ${foundDifference(least, pair)}.`];
}
