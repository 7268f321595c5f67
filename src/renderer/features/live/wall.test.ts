import { expect, test } from 'vitest';
import type { LiveFrame, TrialFrame } from '../../../shared/api/trials.ts';
import { line } from '../trial/testing/entries.ts';
import { emptyWall, followWall } from './wall.ts';

const begins = (trial: string): LiveFrame => ({
  kind: 'court',
  view: {
    ...{
      line: line({ trial }),
      kind: 'text',
      question: 'Is it so?',
      labels: ['NO', 'YES'],
      positive: 'YES',
      facts: [],
      left_out: [],
    },
    ...{
      erased: null,
      cast: [],
      params: {},
      entries: [],
      opened: null,
      lastSeq: 0,
      replicates: 1,
      others: [],
      again: null,
      damage: null,
      unread: 0,
      damage_means: null,
      faulty_texts: [],
      faulty_calls: [],
      judged: null,
      answers: [],
      first_judged: null,
      title: null,
    },
  },
});
const brings = (trial: string, ...frames: TrialFrame[]): LiveFrame => ({ kind: 'changes', changes: [{ trial, frames }] });
const ends = (trial: string) => brings(trial, { kind: 'line', line: line({ trial, status: 'done' }) });
const call = { key: 'turn-1/defense', role: 'defense', pieces: 1, sentAt: 0, idleSeconds: 120, isAskedAgain: true };
const says = (trial: string, text: string) => brings(trial, { kind: 'tokens', text, ...call });

const after = (...frames: LiveFrame[]) => frames.reduce(followWall, emptyWall);
const places = ({ courts }: typeof emptyWall) => courts.map(({ view }) => view.line.trial);

test('a trial keeps its place while others end, and one that begins takes the first free place', () => {
  const wall = after(begins('a'), begins('b'), begins('c'), ends('b'), begins('d'), begins('e'));
  expect(places(wall)).toEqual(['a', 'd', 'c', 'e']);
  expect(wall.ended.map(({ line }) => line.trial)).toEqual(['b']);
});

test('a further attempt takes the place of the one before', () => {
  expect(places(after(begins('a'), begins('b'), ends('a'), begins('a')))).toEqual(['a', 'b']);
});

test('words of one trial leave the others as they are', () => {
  const before = after(begins('a'), begins('b'));
  const wall = followWall(before, says('b', 'I'));
  expect(wall.courts[0]).toBe(before.courts[0]);
  expect(wall.courts[1]?.state.writing).toEqual([{ ...call, text: 'I' }]);
  expect(wall.ended).toBe(before.ended);
});

test('news of a trial that is not on the wall changes nothing', () => {
  expect(after(says('x', 'I'), ends('x'))).toEqual(emptyWall);
});
