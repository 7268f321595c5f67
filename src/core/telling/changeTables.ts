// What declared changes do to verdicts, in words and tables. Reports are those for readers.
import type { ChangeStatistics, SpeechWorth, TurnEffect } from '../../shared/changeStatistics.ts';
import type { Expectation } from '../../shared/changes.ts';
import type { StatsReport } from '../../shared/outputs.ts';
import { count, quantity } from '../../shared/sizes.ts';

import { points } from '../figures/shares.ts';
import { wilson } from '../statistics/wilson.ts';
import {
  type Column,
  columnsOf,
  differenceText,
  estimate,
  estimateOf,
  measureNamed,
  type Piece,
  type StatisticsTable,
  table,
} from './cells.ts';

export function expectationText(expect: Expectation): string {
  return expect === 'INV' ? 'verdict stays' : `P(${expect.label}) not ${expect.DIR === 'up' ? 'down' : 'up'}`;
}

/** Pairs that flip among those that both decided, such as `3 of 8`. */
export const flippedText = ({ measures, moves }: Pick<ChangeStatistics, 'measures' | 'moves'>): string => {
  const of = measureNamed({ measures }, 'flip_rate')?.n ?? 0;
  return `${count(moves.reduce((sum, { n }) => sum + n, 0))} of ${count(of)}`;
};

export const changesText =
  'A retrial is the same case, replicate and seed tried again with one thing changed; those that both decided count. It flips if its verdict is another. Retrials without a speech count here with the same seed alone; “What caused it” also counts those with other seeds. Some verdicts flip with other seeds alone, by chance: this is counted over pairs of trials between which only the seed differs, of the cases of the row. The difference is the flip rate minus that share: what the change does beyond chance (below zero: less than another seed does).';

/** Fewer cases without an interval say nothing of a difference. */
const fewest = 10;
export const tooFewToSay = 'too few to say';

type Part = Pick<ChangeStatistics, 'measures' | 'moves' | 'pairs'>;

/** Retrials that both decided. */
export const retrialsOf = ({ measures }: Pick<ChangeStatistics, 'measures'>): number =>
  measureNamed({ measures }, 'flip_rate')?.n ?? 0;

/** Why there is no difference to other seeds alone; null where there is one. */
export function differenceProblem(part: Part, kind: ChangeStatistics['kind']): string | null {
  if (kind === 'seed') return '-';
  if (retrialsOf(part) === 0) return 'nothing decided';
  const beyond = measureNamed(part, 'excess_flip_rate');
  if ((measureNamed(part, 'replicate_flip_rate')?.value ?? null) === null) return 'no other seeds tried';
  if (beyond === undefined || beyond.value === null) return 'nothing decided';
  return beyond.low === null && beyond.n < fewest ? tooFewToSay : null;
}

const cellsOf = (part: Part, kind: ChangeStatistics['kind']) => [
  count(retrialsOf(part)),
  count(part.moves.reduce((sum, { n }) => sum + n, 0)),
  estimate(measureNamed(part, 'flip_rate')),
  estimateOf(measureNamed(part, 'replicate_flip_rate')),
  differenceProblem(part, kind) ?? differenceText(measureNamed(part, 'excess_flip_rate')),
  differenceText(measureNamed(part, 'positive_change')),
  differenceText(measureNamed(part, 'probability_change')),
];

/**
 * How far the final belief of a single pair moved, such as `, P(YES) −12 points`; nothing where it has no two beliefs, and where
 * “What caused it” has the speech, with its sign the other way round.
 */
function movedText(of: ChangeStatistics, worths: readonly SpeechWorth[]): string {
  const { label, value = null } = measureNamed(of, 'probability_change') ?? {};
  const hasWorth = worths.some(({ arm, speech }) => arm === of.arm && speech === of.speech);
  return value === null || hasWorth ? '' : `, P(${label}) ${points(value)} points`;
}

/** A change of a single pair with the verdict that it leads to, such as `without age: NO, P(YES) −12 points`. */
const flipText = (of: ChangeStatistics, worths: readonly SpeechWorth[]): string =>
  `${of.change}: ${of.moves[0]?.to ?? ''}${movedText(of, worths)}`;

function namedChanges<Each>(changes: readonly Each[], text: (change: Each) => string): string {
  const named = changes.slice(0, mostChanges).map(text);
  const more = changes.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${count(more)} more` : ''}`;
}

const isDecided = ({ failed: { base, swapped, both } }: ChangeStatistics): boolean => base + swapped + both === 0;

/** Whether the change is to a speech that nobody heard in any trial whose belief counts. */
const isUnheard = ({ pairs, unheard }: Pick<ChangeStatistics, 'pairs' | 'unheard'>): boolean =>
  pairs === 0 && unheard !== undefined;

const isSeed = ({ kind }: ChangeStatistics): boolean => kind === 'seed';

/** What the signs of changes of the belief mean; empty where none is named. */
const signsText = (changes: readonly ChangeStatistics[], worths: readonly SpeechWorth[]): string =>
  changes.some((each) => movedText(each, worths) !== '') ? ' Points are of the changed trial less the original.' : '';

function changedVerdictText(changes: readonly ChangeStatistics[], worths: readonly SpeechWorth[]): string {
  const flipping = changes.filter(({ moves }) => moves.length > 0);
  const of = changes.length === 1 ? 'the change' : `each of the ${count(changes.length)} changes`;
  if (flipping.length === 0)
    return `The verdict stayed the same with ${of} (${namedChanges(changes, (each) => `${each.change}${movedText(each, worths)}`)}).${signsText(changes, worths)}`;
  const which = changes.length === 1 ? of : `${count(flipping.length)} of ${count(changes.length)} changes`;
  return `The verdict changed with ${which} (${namedChanges(flipping, (each) => flipText(each, worths))}).${signsText(flipping, worths)}`;
}

/** How often another seed can still end otherwise where none did: the upper end of Wilson's interval. */
const upperText = (repeated: number) => {
  const high = wilson(0, repeated)?.high ?? 1;
  return `; up to ${Math.ceil(100 * high)} of 100 more could still end otherwise (upper end of the 95% interval)`;
};

function repeatedText(ended: number, repeated: number): string {
  const same =
    repeated === 1 ? `it ended the same way${upperText(1)}` : `all ${count(repeated)} ended the same way${upperText(repeated)}`;
  const otherwise = repeated === 1 ? 'it ended otherwise' : `${count(ended)} of ${count(repeated)} ended otherwise`;
  return `Repeated with other seeds and no other change, ${ended === 0 ? same : otherwise}.`;
}

/**
 * How stable one trial is that was tried again with changes, in plain words; null for experiments of several pairs. Other seeds are
 * counted by themselves: they are no change of the case.
 */
export function stabilityText({
  changes = [],
  speech_worth: worths = [],
}: Pick<StatsReport, 'changes' | 'speech_worth'>): string | null {
  if (changes.length === 0 || changes.some(({ pairs, unheard }) => pairs + (unheard?.pairs ?? 0) !== 1)) return null;
  const decided = changes.filter((each) => isDecided(each) && each.pairs > 0);
  const [seeds, others] = [decided.filter(isSeed), decided.filter((each) => !isSeed(each))];
  const parts = [
    ...(others.length === 0 ? [] : [changedVerdictText(others, worths)]),
    ...(seeds.length === 0 ? [] : [repeatedText(seeds.filter(({ moves }) => moves.length > 0).length, seeds.length)]),
  ];
  const unheard = unheardText(changes);
  const all = [...parts, ...(parts.length === 0 ? [] : [stabilityConclusion(decided)]), ...(unheard === null ? [] : [unheard])];
  return all.length === 0 ? null : all.join(' ');
}

/** That a withheld or replaced speech could change nothing, since nobody heard it; null where each was heard. */
function unheardText(changes: readonly ChangeStatistics[]): string | null {
  const unheard = changes.filter((each) => each.unheard !== undefined);
  const [first] = unheard;
  if (first === undefined) return null;
  const isOne = unheard.length === 1;
  const left = unheard.every(({ kind }) => kind === 'withhold') ? `leaving ${isOne ? 'it' : 'them'} out` : 'other words';
  const own = unheard.some((each) => (each.unheard?.own_belief ?? 0) > 0)
    ? ` The belief that its speaker stated with ${isOne ? 'the' : 'such a'} speech still counts.`
    : '';
  const named = namedChanges(unheard, ({ change }) => change);
  return `Nobody whose belief counts heard ${isOne ? 'this speech' : 'these speeches'}, so ${left} could change nothing (${named}).${own}`;
}

/** What the changed verdicts of one trial mean, compared with those of repeated trials. */
function stabilityConclusion(changes: readonly ChangeStatistics[]): string {
  const flips = (of: readonly ChangeStatistics[]) => of.some(({ moves }) => moves.length > 0);
  const isFlippedOtherwise = flips(changes.filter((each) => !isSeed(each)));
  if (flips(changes.filter(isSeed)))
    return isFlippedOtherwise
      ? 'So one changed verdict shows little: chance alone changes it too.'
      : 'So chance alone changes the verdict.';
  if (!flips(changes)) return changes.every(isSeed) ? 'No change of the case was tried.' : 'Nothing that was tried changes it.';
  const repeated = changes.filter((each) => isSeed(each) && isDecided(each)).length;
  return repeated > 0
    ? `So the change is the likelier reason, but ${quantity(repeated, 'repetition does', 'repetitions do')} not rule out chance.`
    : 'It was not repeated with other seeds alone, so chance may have changed the verdict.';
}

/** Verdicts that changed, and the retrials that could change them. */
const sumOf = (changes: readonly ChangeStatistics[]) => ({
  of: changes.reduce((sum, each) => sum + retrialsOf(each), 0),
  changed: changes.reduce((sum, { moves }) => sum + moves.reduce((all, { n }) => all + n, 0), 0),
});

/** What flips of several cases amount to, by the interval of the difference of each change to other seeds alone. */
function beyondChanceText(others: readonly ChangeStatistics[]): string {
  const beyond = others.filter((each) => (measureNamed(each, 'excess_flip_rate')?.low ?? 0) > 0);
  if (beyond.length === 0) return `This could be chance alone.${directionsBeyondText(others)}`;
  const which = others.length === 1 ? 'the change' : namedChanges(beyond, ({ change }) => `“${change}”`);
  return `With ${which}, the verdict changed more often than by chance.`;
}

/** Where a change as a whole shows nothing, the values from which it does. */
function directionsBeyondText(others: readonly ChangeStatistics[]): string {
  const beyond = others
    .flatMap(({ change, directions }) => directions.map((part) => ({ ...part, of: others.length === 1 ? '' : `${change}, ` })))
    .filter((part) => retrialsOf(part) >= fewest && (measureNamed(part, 'excess_flip_rate')?.low ?? 0) > 0);
  if (beyond.length === 0) return '';
  const named = namedChanges(beyond, (part) => `“${part.of}${part.from} → ${part.to}” (${quantity(retrialsOf(part), 'trial')})`);
  return ` With ${named} it changed more often than by chance: a hint and no finding, since only a part was looked at.`;
}

/**
 * For readers without statistics, of each arm: what was changed, how often the verdict changed with it and without it, and what
 * that means.
 */
export function changesInShort(changes: readonly ChangeStatistics[]): string {
  const arms = [...Map.groupBy(changes, ({ arm }) => arm)];
  if (arms.length === 1) return armInShort(changes);
  const left = arms.length - mostChanges;
  return [
    ...arms.slice(0, mostChanges).map(([arm, own]) => `${arm}: ${armInShort(own)}`),
    ...(left > 0 ? [`The table has ${quantity(left, 'more arm')}.`] : []),
  ].join(' ');
}

function armInShort(changes: readonly ChangeStatistics[]): string {
  const [seeds, others] = [changes.filter(isSeed), changes.filter((each) => !isSeed(each) && !isUnheard(each))];
  const unheard = unheardText(changes.filter(isUnheard));
  const [changed, repeated] = [sumOf(others), sumOf(seeds)];
  const times = (sum: { changed: number; of: number }) => `in ${count(sum.changed)} of ${quantity(sum.of, 'trial')}`;
  const parts = [
    ...(others.length === 0
      ? []
      : [
          `Cases were tried again with one thing changed: ${namedChanges(others, ({ change }) => change)}. The verdict was another one ${times(changed)}.`,
        ]),
    seeds.length === 0
      ? 'Nothing was repeated with other seeds alone, so it is unknown how often chance alone changes a verdict.'
      : `When they were repeated with other seeds and no other change, the verdict was another one ${times(repeated)}.`,
    ...(unheard === null ? [] : [unheard]),
  ];
  if (others.length === 0 || seeds.length === 0 || changed.of === 0 || repeated.of === 0) return parts.join(' ');
  const meaning =
    Math.min(changed.of, repeated.of) < fewest
      ? 'These are too few trials to tell the changes from chance.'
      : beyondChanceText(others);
  return [...parts, meaning].join(' ');
}

/** Changes that a sentence names. */
const mostChanges = 6;

/** Of an experiment: which changes flip verdicts although they were expected not to, and what each exchanged attribute does. */
function expectationTexts(all: readonly ChangeStatistics[]): string[] {
  const changes = all.filter((each) => (measureNamed(each, 'flip_rate')?.n ?? 0) > 0);
  // Other seeds show what chance does; they are no change of the case.
  const kept = changes.filter((each) => each.expect === 'INV' && !isSeed(each));
  const broken = kept.filter(({ moves }) => moves.length > 0);
  const named = broken.slice(0, mostChanges).map((each) => `${each.arm}, ${each.change} (${flippedText(each)} pairs)`);
  const more = broken.length > named.length ? `; and ${count(broken.length - named.length)} more` : '';
  const attributes = changes.filter(({ kind }) => kind === 'attribute');
  return [
    ...(kept.length === 0
      ? []
      : [
          broken.length === 0
            ? `None of the changes that should leave every verdict as it is flips one (${count(kept.length)} tried).`
            : `${count(broken.length)} of ${count(kept.length)} changes that should leave every verdict as it is flip some: ${named.join('; ')}${more}.`,
        ]),
    ...attributes.map((each) => {
      const beyond = measureNamed(each, 'excess_flip_rate');
      const excess =
        beyond === undefined || beyond.value === null
          ? 'no other seeds were tried'
          : `beyond other seeds alone ${points(beyond.value)} points${beyond.low === null || beyond.high === null ? '' : ` [${points(beyond.low)}, ${points(beyond.high)}]`}`;
      return `Counterfactual fairness of ${each.arm}: ${flippedText(each)} pairs flip with ${each.change}; ${excess}.`;
    }),
  ];
}

/** What declared changes did, as it is said first: how stable the one trial of a set is, or what was expected beforehand and exchanged. */
export function changesFinding(report: Pick<StatsReport, 'changes' | 'speech_worth'>): string[] {
  const text = stabilityText(report);
  return text === null ? expectationTexts(report.changes ?? []) : [`Would another court have said the same? ${text}`];
}

/** How many pairs the rates are without since their cases were erased; null where there are none. */
export function erasedText(changes: readonly ChangeStatistics[]): string | null {
  const pairs = changes.reduce((sum, { erased }) => sum + erased, 0);
  return pairs === 0
    ? null
    : `${quantity(pairs, 'pair')} of erased cases left out: it can no longer be known whether the change applied to the case. Other seeds apply to every case, so their pairs count.`;
}

const mostProxies = 6;

/** The facts that still reveal an attribute when it alone is changed; null if none was exchanged. */
export function proxiesText({ proxies = [] }: Pick<StatsReport, 'proxies'>): string | null {
  const attributes = [...new Set(proxies.map(({ attribute }) => attribute))];
  const sentences = attributes.map((attribute) => {
    const close = proxies.filter((each) => each.attribute === attribute && each.p_adjusted <= 0.05);
    const named = close.slice(0, mostProxies).map(({ fact, association }) => `${fact} (${association.toFixed(2)})`);
    const more = close.length > named.length ? ` and ${count(close.length - named.length)} more` : '';
    return named.length === 0
      ? `No fact was found to go with ${attribute}.`
      : `These facts go with ${attribute} and stayed as they were (Cramér's V): ${named.join(', ')}${more}.`;
  });
  return sentences.length === 0 ? null : `${sentences.join(' ')} Over the cases on trial; adjusted p of at most 5%.`;
}

/** Which way the numbers of a speech go, in the heads of their columns. */
export const [worthHead, effectHead] = ['worth, with − without', 'effect, after − before'];

export const worthText = (label: string | null): string =>
  `Each speech withheld from everyone, and all that follows tried again with the same seeds. Worth: P(${label ?? 'label'}) and verdicts for it where the speech is heard, minus the same without it: above zero, both are lower without the speech. Intervals are over the cases; of a single case, over its pairs, each with another seed. Pairs in which nobody whose belief counts heard the speech are left out, and counted: leaving it out could change nothing there. The observed movement is the change of belief right after the speech in the original trials; it is no cause.`;

export const turnText = (label: string | null): string =>
  `Each case heard again up to a speech drawn at random, and nothing after it. Effect: P(${label ?? 'label'}) and verdicts for it where the debate is cut right after the speech, minus the same where it is cut right before it. Chance decides which cases are cut where, so the difference is what the speech adds together with the silence that then starts one speech later. Pairs without two decisions are left out, and counted: where many are lost on one side, the two sides differ in more than the cut. With few cases on a side there is no interval. The observed movement is the change of belief right after the speech in the whole debates; it is no cause.`;

/** How many trials were cut right after a speech and right before it, and how many more were lost on each side. */
export function cutsText(effect: Omit<TurnEffect, 'arm' | 'speech' | 'label' | 'draws'>): string {
  const { heard, unheard, heard_lost: heardLost, unheard_lost: unheardLost, cases } = effect;
  const sides = (after: number, before: number) => `${after === 0 ? '' : `${count(after)} after, `}${count(before)} before`;
  const believed = measureNamed(effect, 'turn_belief')?.n ?? 0;
  const fewer = believed < heard + unheard ? `; ${count(believed)} with beliefs` : '';
  const lost = heardLost + unheardLost === 0 ? '' : `; without a decision: ${sides(heardLost, unheardLost)}`;
  return `${sides(heard, unheard)}; ${quantity(cases, 'case')}${fewer}${lost}`;
}

export const worthPairsText = ({ pairs, unheard }: Pick<SpeechWorth, 'pairs' | 'unheard'>): string =>
  unheard === 0 ? count(pairs) : `${count(pairs)}; ${count(unheard)} left out, nobody whose belief counts heard it`;

/** Speeches with what each did, and the observed movement. @param word what its numbers are called, and the beginning of their measures' names */
function speechTable<T extends Pick<SpeechWorth, 'arm' | 'speech' | 'label' | 'measures'>>(
  rows: readonly T[],
  [word, prefix]: readonly [word: string, prefix: string],
  last: Column<T>,
): StatisticsTable {
  const of = (name: string) => (row: T) => differenceText(measureNamed(row, name));
  return columnsOf(rows, [
    ['arm', ({ arm }) => arm],
    ['speech', ({ speech }) => speech],
    [`${word}: P(${rows[0]?.label ?? 'label'}), points`, of(`${prefix}_belief`)],
    [`${word}: verdicts, points`, of(`${prefix}_verdict`)],
    ['observed movement, points', of('observed_movement')],
    last,
  ]);
}

/** What each withheld speech was worth, and the effect of each of debates that were cut at random; empty where there is none. */
export function speechPieces({ speech_worth: worth = [], turn_effects: turns = [] }: StatsReport): Piece[] {
  return [
    ...(worth.length === 0
      ? []
      : [
          '',
          'What caused it',
          worthText(worth[0]?.label ?? null),
          speechTable(worth, [worthHead, 'worth'], ['pairs', worthPairsText]),
        ]),
    ...(turns.length === 0
      ? []
      : [
          '',
          'The effect of each turn',
          turnText(turns[0]?.label ?? null),
          speechTable(turns, [effectHead, 'turn'], ['trials cut', cutsText]),
        ]),
  ];
}

/** Flip rates of arms with a declared change; empty where there are none. */
export function changesPieces({ changes = [], positive, proxies: found = [] }: StatsReport): Piece[] {
  if (changes.length === 0) return [];
  const rows = changes.flatMap((each) => [
    [
      each.arm,
      each.change,
      ...cellsOf(each, each.kind),
      each.expect === undefined ? '-' : `${expectationText(each.expect)}: ${estimate(measureNamed(each, 'pass_rate'))}`,
    ],
    ...each.directions.map((part) => [
      '',
      `${part.from} → ${part.to}`,
      ...cellsOf(part, each.kind),
      estimate(measureNamed(part, 'pass_rate')),
    ]),
  ]);
  const header = ['arm', 'what was changed', 'retrials', 'flipped', 'flip rate', 'with other seeds alone', 'difference'];
  const erased = erasedText(changes);
  const proxies = proxiesText({ proxies: found });
  const label = positive ?? 'positive';
  return [
    '',
    `Declared changes. ${changesText} These arms are in no comparison.`,
    table([...header, `change of share ${label}, points`, `change of P(${label}), points`, 'as expected'], rows),
    ...(erased === null ? [] : [erased]),
    ...(proxies === null ? [] : [proxies]),
  ];
}
