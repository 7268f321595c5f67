import { diffArrays } from 'diff';
import { linesOf } from '../../../core/telling/blocks.ts';
import type { Prediction } from '../../../shared/domain.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { type CourtItem, lastSteps } from '../trial/courtItems.ts';
import { heardIn, recordedIn } from '../trial/finding.ts';
import type { Court } from '../trial/useCourt.ts';

/** Two turns that answer each other, or one that the other trial does not have. */
export interface Aligned<T> {
  readonly a: T | null;
  readonly b: T | null;
}

/** Two trials' turns side by side: equal names in one row, others by themselves. Both keep their order, the first throughout. */
export function align<T>(a: readonly T[], b: readonly T[], nameOf: (turn: T) => string): Aligned<T>[] {
  const rows: { a: T | null; b: T | null }[] = [];
  let [inA, inB] = [0, 0];
  for (const { count, added, removed } of diffArrays(a.map(nameOf), b.map(nameOf))) {
    for (let turn = 0; turn < count; turn++) {
      rows.push({ a: added ? null : (a[inA++] ?? null), b: removed ? null : (b[inB++] ?? null) });
    }
  }
  for (const row of rows.filter((each) => each.b === null)) {
    const moved = rows.find((each) => each.a === null && each.b !== null && row.a !== null && nameOf(each.b) === nameOf(row.a));
    if (moved !== undefined) [row.b, moved.b] = [moved.b, null];
  }
  return rows.filter((row) => row.a !== null || row.b !== null);
}

/** Whether at least half of the turns that could have a counterpart have one. */
export function correspond<T>(rows: readonly Aligned<T>[]): boolean {
  const both = rows.filter(({ a, b }) => a !== null && b !== null).length;
  const [ofA, ofB] = [rows.filter(({ a }) => a !== null).length, rows.filter(({ b }) => b !== null).length];
  return both * 2 >= Math.min(ofA, ofB);
}

/** Puts the turns of two trials side by side by their place alone. */
export const byPosition = <T>(a: readonly T[], b: readonly T[]): Aligned<T>[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_none, place) => ({ a: a[place] ?? null, b: b[place] ?? null }));

/** `own`: what the judge answered after the turn, in a protocol whose beliefs average that with what it answered before. */
export type Item = Extract<CourtItem, { kind: 'turn' | 'steps' }> & { readonly own?: Answer };

interface Answer {
  readonly role: string;
  readonly prediction: Prediction;
}

type Shown = Pick<Court, 'around' | 'turns'>;
type Line = Pick<TrialLine, 'protocol'>;

export interface Comparison {
  /** `name`: by speaker and turn, next to its counterpart; `few`, `protocols`: by place, since few match, or none by rule. */
  readonly by: 'name' | 'few' | 'protocols';
  readonly rows: readonly Aligned<Item>[];
  /** Whether the second trial has some turns in another order than the first. */
  readonly isReordered: boolean;
}

function ownAnswers({ around, turns }: Shown): ReadonlyMap<number | undefined, Answer> {
  return new Map(
    around.entries.flatMap((entry) => {
      if (entry.kind !== 'round' || entry.judge?.prediction == null) return [];
      const answer = { role: entry.role, prediction: entry.judge.prediction };
      return [[turns.findLast(({ seq }) => seq < entry.seq)?.seq, answer] as const];
    }),
  );
}

function itemsOf({ around, turns }: Shown): Item[] {
  const answers = ownAnswers({ around, turns });
  const answered = turns.map((turn) => {
    const own = answers.get(turn.seq);
    return own === undefined ? turn : { ...turn, own };
  });
  return [...answered, ...lastSteps(around, turns).filter((item): item is Item => item.kind === 'steps')];
}

const nameOf = (item: Item): string => (item.kind === 'turn' ? `${item.role}\n${item.what}` : item.kind);

const isRuling = (item: Item | null): boolean => item?.kind === 'turn' && item.form === 'ruling';

function placed(a: readonly Item[], b: readonly Item[]): Aligned<Item>[] {
  const [endA, endB] = [a.findIndex(isRuling), b.findIndex(isRuling)];
  if (endA < 0 || endB < 0) return byPosition(a, b);
  return [...byPosition(a.slice(0, endA), b.slice(0, endB)), ...byPosition(a.slice(endA), b.slice(endB))];
}

/** Puts what was said and settled in two trials side by side. */
export function compared(a: Shown, b: Shown, [lineA, lineB]: readonly [Line, Line]): Comparison {
  const [one, other] = [itemsOf(a), itemsOf(b)];
  const byPlace = { rows: placed(one, other), isReordered: false };
  if (lineA.protocol !== lineB.protocol) return { by: 'protocols', ...byPlace };
  const rows = align(one, other, nameOf);
  if (!correspond(rows)) return { by: 'few', ...byPlace };
  const order = rows.flatMap(({ a: first, b: second }) => (first === null || second === null ? [] : other.indexOf(second)));
  return { by: 'name', rows, isReordered: order.some((place, at) => place < (order[at - 1] ?? 0)) };
}

const wordsOf = (item: Item | null, aloud: string): string =>
  item === null
    ? ''
    : [
        aloud,
        ...[...item.steps, ...(item.kind === 'turn' ? item.scores : [])].flatMap(({ title, blocks }) => [
          title,
          ...linesOf(blocks),
        ]),
      ].join('\n');

const heardWords = (item: Item | null): string => wordsOf(item, heardIn(item));
const recordedWords = (item: Item | null): string => wordsOf(item, recordedIn(item));

/** Whether the same was said in both, and only what the court heard of it differs. */
export const isHeardAlone = ({ a, b }: Aligned<Item>): boolean => recordedWords(a) === recordedWords(b);

/** Place of the first row whose words differ; -1 without one. @param isOver of each trial: what is missing yet does not differ */
export const firstDifference = (rows: readonly Aligned<Item>[], isOver: readonly [boolean, boolean]): number =>
  rows.findIndex(({ a, b }) => {
    if ((a === null && !isOver[0]) || (b === null && !isOver[1])) return false;
    return a === null || b === null || heardWords(a) !== heardWords(b);
  });

/** What was noted in a turn without a speech, such as a vote, to be read by no other role; empty where nothing was. */
export const notesIn = (item: Item | null): string =>
  item?.kind === 'turn' && item.form === 'silent'
    ? item.beliefs.flatMap((each) => (each.kind === 'belief' && each.notes !== null ? [each.notes] : [])).join('\n\n')
    : '';

/** The first row whose private notes differ, by its place; -1 where none does. */
export const firstOtherNotes = (rows: readonly Aligned<Item>[]): number =>
  rows.findIndex(({ a, b }) => a !== null && b !== null && notesIn(a) !== notesIn(b));

const beliefsOf = (item: Item | null) =>
  item?.kind === 'turn'
    ? item.beliefs.map(({ role, prediction, belief }) => [role, prediction, Object.entries(belief ?? {}).toSorted()])
    : [];

/** Whether a belief was stated, or a ruling given, in any of these rows. */
export const hasBeliefs = (rows: readonly Aligned<Item>[]): boolean =>
  rows.some(({ a, b }) => beliefsOf(a).length + beliefsOf(b).length > 0);

/** The first row of both trials in which other beliefs were stated, by its place; -1 where there is none. */
export const firstOtherBelief = (rows: readonly Aligned<Item>[]): number =>
  rows.findIndex(({ a, b }) => a !== null && b !== null && JSON.stringify(beliefsOf(a)) !== JSON.stringify(beliefsOf(b)));

const deciders = (item: Item | null): Answer[] =>
  item?.kind === 'turn'
    ? item.beliefs.flatMap(({ role, prediction }) =>
        /^(?:judge|voter)/.test(role) && prediction !== null ? [{ role, prediction }] : [],
      )
    : [];

/** The first row in which a judge or a voter answers one thing in one trial and another in the other, with both answers; null where none does. */
function firstOther(rows: readonly Aligned<Item>[], answersIn: (item: Item | null) => readonly Answer[]) {
  for (const [at, { a, b }] of rows.entries()) {
    if (a === null) continue;
    const others = answersIn(b);
    for (const { role, prediction } of answersIn(a)) {
      const other = others.find((each) => each.role === role)?.prediction;
      if (other !== undefined && predictionText(other) !== predictionText(prediction))
        return { at, item: a, role, answers: [prediction, other] as const };
    }
  }
  return null;
}

/** Where the answers of judges or voters first part, and their own where the answers that are shown average these; in the order of reading. */
export function firstOtherAnswers(rows: readonly Aligned<Item>[]) {
  const hasOwn = rows.some(({ a, b }) => (a?.own ?? b?.own) !== undefined);
  const own = firstOther(rows, (item) => (item?.own === undefined ? [] : [item.own]));
  const shown = firstOther(rows, deciders);
  return [
    ...(own === null ? [] : [{ of: 'own answers', ...own }]),
    ...(shown === null ? [] : [{ of: hasOwn ? 'averaged opinions' : 'answers', ...shown }]),
  ].toSorted((one, other) => one.at - other.at);
}

/** The row that has both rulings, by its place; -1 where there is none. */
export const rulingsIn = (rows: readonly Aligned<Item>[]): number => rows.findIndex(({ a, b }) => isRuling(a) && isRuling(b));

/** What a row is called: `Defense, opening`. */
export const titleOf = (item: Item | null): string =>
  item?.kind === 'turn' ? `${item.who}, ${item.what}` : 'what was settled at the end';
