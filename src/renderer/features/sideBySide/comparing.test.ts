import { expect, test } from 'vitest';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { turnsOf } from '../trial/courtItems.ts';
import { belief, line, ruling, utterance } from '../trial/testing/entries.ts';
import {
  compared,
  firstDifference,
  firstOtherAnswers,
  firstOtherBelief,
  firstOtherNotes,
  isHeardAlone,
  rulingsIn,
  titleOf,
} from './comparing.ts';

const courtOf = (...entries: readonly TranscriptEntry[]) => {
  const around = { entries, isCounterbalanced: false };
  return { around, turns: turnsOf(around) };
};
const matched = (a: ReturnType<typeof courtOf>, b: ReturnType<typeof courtOf>, protocol = 'agentic-sim') =>
  compared(a, b, [line(), line({ protocol })]);
const opening = utterance(1, 'turn-1/prosecutor/utterance', 'prosecutor');
const defense = (text: string) => utterance(3, 'turn-1/defense/utterance', 'defense', { text });
const settled = (seq: number, round: number, prediction: string): TranscriptEntry => ({
  ...{ kind: 'round', seq, role: 'judge', key: `round-${round}/settlement`, round, assistant: 'none', ratings: [], mean: null },
  ...{ threshold: 0.5, result: 'passed', kept: 'smoothed', weight: 0.5, tie: false },
  judge: { prediction, confidence: 0.6, belief: null, source: 'verbal', inconsistent: false },
});
const stop: TranscriptEntry = {
  ...{ kind: 'stop', seq: 2, key: 'debate/stop', role: '', rounds: 1, contentiousness: 0.5, reason: 'rounds' },
};

test('the first difference is in a speech, in what was settled before it, or in a speech that is missing', () => {
  const titleAt = (a: ReturnType<typeof courtOf>, b: ReturnType<typeof courtOf>, isOver = true) => {
    const { rows } = matched(a, b);
    const row = rows[firstDifference(rows, [true, isOver])];
    return row === undefined ? null : titleOf(row.a ?? row.b);
  };
  const usual = courtOf(opening, defense('He works.'));
  expect(titleAt(usual, usual)).toBeNull();
  expect(titleAt(usual, courtOf(opening, defense('He has work.')))).toBe('Defense, opening');
  expect(titleAt(usual, courtOf(opening, stop, defense('He works.')))).toBe('Defense, opening');
  expect(titleAt(usual, courtOf(opening, stop))).toBe('Defense, opening');
  expect(titleAt(usual, courtOf(opening), false)).toBeNull();
  expect(titleAt(courtOf(opening), courtOf(opening, stop))).toBe('what was settled at the end');
});

test('speeches in exchanged order are next to their counterparts, in the order of the first trial', () => {
  const before = utterance(1, 'turn-1/defense/utterance', 'defense', { text: 'He works.' });
  const after = { ...opening, seq: 3 };
  const { by, rows, isReordered } = matched(courtOf(opening, defense('He works.'), ruling(5)), courtOf(before, after, ruling(5)));
  expect([by, isReordered, rows.map(({ a, b }) => [titleOf(a), titleOf(b)])]).toEqual([
    'name',
    true,
    ['Prosecution, opening', 'Defense, opening', 'Judge, ruling'].map((title) => [title, title]),
  ]);
  expect(firstDifference(rows, [true, true])).toBe(-1);
  expect(matched(courtOf(opening, ruling(5)), courtOf(opening, defense(''), ruling(5))).isReordered).toBe(false);
});

test('beliefs may differ before any words do', () => {
  const believed = (share: number) =>
    courtOf(
      opening,
      belief(2, 'turn-1/judge/belief', { belief: { NO: 1 - share, YES: share } }),
      defense(share > 0.6 ? 'He has work.' : 'He works.'),
    );
  const { rows } = matched(believed(0.6), believed(0.7));
  expect([firstOtherBelief(rows), firstDifference(rows, [true, true])]).toEqual([0, 1]);
  expect(firstOtherBelief(matched(believed(0.7), believed(0.7)).rows)).toBe(-1);
});

test('votes without a speech may differ only in their private notes', () => {
  const voted = (...notes: readonly string[]) =>
    courtOf(
      ...notes.map((each, at) => belief(at + 1, `vote/voter${at + 1}/belief`, { role: `voter${at + 1}`, notes: each })),
      ruling(5),
    );
  const { rows } = matched(voted('The fine is high.', 'He works.'), voted('The fine is high.', 'He has work.'));
  expect([firstDifference(rows, [true, true]), firstOtherNotes(rows)]).toEqual([-1, 1]);
  expect(firstOtherNotes(matched(voted('One.'), voted('One.')).rows)).toBe(-1);
});

test('where a judge first answers otherwise is found, and beliefs that lean the same way are not it', () => {
  const judged = (first: string, second: string, share: number) =>
    courtOf(
      opening,
      belief(2, 'turn-1/judge/belief', { belief: { NO: 1 - share, YES: share }, prediction: first }),
      defense('He works.'),
      belief(4, 'turn-2/judge/belief', { prediction: second }),
    );
  const answerIn = (...[a, b]: Parameters<typeof matched>) => firstOtherAnswers(matched(a, b).rows);
  expect(answerIn(judged('NO', 'YES', 0.2), judged('NO', 'NO', 0.4))).toMatchObject([
    { of: 'answers', at: 1, answers: ['YES', 'NO'] },
  ]);
  expect(answerIn(judged('NO', 'YES', 0.2), judged('NO', 'YES', 0.4))).toEqual([]);
});

test('where a voter first votes otherwise is found', () => {
  const voted = (...votes: readonly string[]) =>
    courtOf(
      ...votes.map((prediction, at) => belief(at + 1, `vote/voter${at + 1}/belief`, { role: `voter${at + 1}`, prediction })),
      ruling(5),
    );
  expect(firstOtherAnswers(matched(voted('NO', 'YES'), voted('NO', 'NO')).rows)).toMatchObject([
    { of: 'answers', at: 1, role: 'voter2', answers: ['YES', 'NO'] },
  ]);
});

test('where beliefs average the answers of a judge, its own answers can part before them', () => {
  const rounds = (own: readonly string[], averaged: readonly string[]) =>
    courtOf(
      ...own.flatMap((prediction, at): TranscriptEntry[] => [
        utterance(4 * at + 1, `round-${at + 1}/judge/utterance`, 'judge'),
        settled(4 * at + 2, at + 1, prediction),
        belief(4 * at + 3, `round-${at + 1}/belief`, { prediction: averaged[at] ?? null }),
      ]),
    );
  const { rows } = matched(rounds(['NO', 'YES'], ['NO', 'YES']), rounds(['YES', 'NO'], ['NO', 'NO']), 'debate-feedback');
  expect(firstOtherAnswers(rows)).toMatchObject([
    { of: 'own answers', at: 0, answers: ['NO', 'YES'] },
    { of: 'averaged opinions', at: 1, answers: ['YES', 'NO'] },
  ]);
});

test('a speech that only one court heard has the same words in both', () => {
  const { around, turns } = courtOf(opening, defense('He works.'));
  const withheld = turns.map((turn, index) => (index === 1 ? { ...turn, heardInstead: null } : turn));
  const { rows } = matched({ around, turns }, { around, turns: withheld });
  const at = firstDifference(rows, [true, true]);
  expect([at, rows.map(isHeardAlone)]).toEqual([1, [true, true]]);
});

test('of two protocols only the rulings are side by side', () => {
  const found = matched(
    courtOf(opening, ruling(2)),
    courtOf(opening, defense('He works.'), ruling(4), { ...stop, seq: 5 }),
    'socrasynth',
  );
  expect(found.by).toBe('protocols');
  expect(rulingsIn(found.rows)).toBe(2);
  expect(found.rows.map(({ a, b }) => [a?.kind, b?.kind])).toEqual([
    ['turn', 'turn'],
    [undefined, 'turn'],
    ['turn', 'turn'],
    [undefined, 'steps'],
  ]);
});
