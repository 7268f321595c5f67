// What a primary comparison decides, and its words.
import type { Primary, PrimaryResult } from '../../../shared/primary.ts';
import { count, proportion } from '../../../shared/sizes.ts';
import { points, pointsOf, percent as shareText } from '../../figures/shares.ts';

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

/** What the interval decides at the end. */
export function decisionOf(found: Undecided): 'shown' | 'not-shown' {
  const gain = gainOf(found);
  const margin = found.margin ?? 0;
  const isShown =
    gain !== null &&
    (found.test === 'difference'
      ? gain.isOver(0) || gain.isUnder(0)
      : gain.isOver(-margin) && (found.test === 'non-inferiority' || gain.isUnder(margin)));
  return isShown ? 'shown' : 'not-shown';
}

const measureNames: Readonly<Record<Primary['measure'], string>> = {
  accuracy: 'accuracy',
  macro_f1: 'macro-F1',
  brier: 'Brier score',
  log_loss: 'log loss',
  area_under_curve: 'area under the curve',
};

/** How a measure and its differences are written: accuracy in percent and points, all else in its own unit. */
export const unitOf = (measure: Primary['measure']) =>
  measure === 'accuracy'
    ? { value: shareText, change: points, size: pointsOf }
    : { value: proportion, change: (by: number) => `${by > 0 ? '+' : ''}${proportion(by)}`, size: proportion };

/** Of an end without resamples, until they are there. */
export const undrawn = 'The decision takes intervals, which were not computed.';

/** The decision in one sentence. @param finished cases of which all planned trials of both have ended */
export function primarySentence(found: Undecided, decision: PrimaryResult['decision'], finished: number): string {
  const { compare, test, cases, of } = found;
  const [a, b] = compare;
  const by = unitOf(found.measure).size(found.margin ?? 0);
  const measure = measureNames[found.measure];
  if (found.final && decision === 'open') return undrawn;
  if (decision === 'open')
    return `There is no decision before the end: ${count(finished)} of ${count(of)} cases are finished in both.`;
  if (gainOf(found) === null)
    return `Nothing can be decided: there is no interval over ${count(cases)} cases${found.decided_by === 'fixed' && found.difference.why_null ? ` (${found.difference.why_null})` : ''}.`;
  if (test === 'difference') {
    if (decision === 'not-shown')
      return `No difference in ${measure} is shown between ${a} and ${b}; this does not show that they are equal.`;
    return `${a} is ${gainOf(found)?.isOver(0) === true ? 'better' : 'worse'} than ${b} in ${measure}.`;
  }
  if (test === 'equivalence') {
    return decision === 'shown'
      ? `${a} and ${b} differ by less than ${by} in ${measure}.`
      : `It is not shown that ${a} and ${b} differ by less than ${by} in ${measure}.`;
  }
  return decision === 'shown'
    ? `If ${a} is worse than ${b} in ${measure} at all, then by less than ${by}.`
    : `It is not shown that ${a} is at most ${by} worse than ${b} in ${measure}.`;
}

const percent = (share: number) => `${Number((100 * share).toFixed(2))}%`;

export function decidedText({ compare: [a, b], measure, test, margin, family, stop, p_level }: PrimaryResult): string {
  const { size } = unitOf(measure);
  const what = test === 'difference' ? 'a difference' : `${test} with a margin of ${size(margin ?? 0)}`;
  const among = family === 1 ? '' : `, one of ${family} tests`;
  const sided = test === 'difference' ? 'two-sided' : test === 'equivalence' ? 'two one-sided tests' : 'one-sided';
  const until = stop === null ? '' : ` The run goes on until its anytime-valid interval is narrower than ${size(stop.width)}.`;
  return `${a} against ${b} in ${measureNames[measure]}: ${what}${among}, at ${percent(p_level)} ${sided}.${until}`;
}

export function intervalNotes({ final, anytime, decided_by, looks = [], stop, cases, planned }: PrimaryResult): string[] {
  const [shown, first, last] = [looks.length, looks[0], looks.at(-1)];
  const at = shown > 4 ? `${first} to ${last}` : looks.join(', ');
  return [
    ...(planned === undefined
      ? []
      : [
          `This is over what was planned when the first trial began: ${planned.cases === 1 ? '1 case' : `${count(planned.cases)} cases`}, each tried ${planned.replicates === 1 ? 'once' : `${count(planned.replicates)} times`}. What was added later, when results could be known, is not counted here; it is in the exploratory part.`,
        ]),
    ...(stop === null || stop.after === null ? [] : [`The stopping rule ended the run after ${count(stop.after)} cases.`]),
    ...(decided_by === 'anytime' ? ['The anytime-valid interval decides: it holds however often results were looked at.'] : []),
    ...(final || anytime === null
      ? []
      : [
          'The fixed-n interval holds for one look at the planned end. The anytime-valid one holds at every look, so a run may be ended by it.',
        ]),
    ...(shown === 0
      ? []
      : [
          `Results were shown at least ${shown === 1 ? 'once' : `${count(shown)} times`} before the end, at n = ${at}${decided_by === 'fixed' && final ? '. If the run was ended because of what was seen, only the anytime-valid interval holds' : ''}.`,
        ]),
    ...(cases > 0 && cases < 50 && decided_by === 'fixed'
      ? ['Over fewer than 50 cases a bootstrap interval is somewhat too narrow.']
      : []),
  ];
}
