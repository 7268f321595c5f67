import { expect, it } from 'vitest';
import type { TranscriptEntry } from '../../shared/api/trials.ts';
import { believed, said } from '../figures/entries.fixture.ts';
import { plainAsText } from './blocks.ts';
import { toldRows } from './rows.ts';

const says = (seq: number, key: string, role: string) => said(seq, `${key}/utterance`, role);
const believes = (seq: number, key: string, role: string, after: string | null = null) =>
  believed(seq, `${key}/belief`, role, { after });
const shape = (...entries: TranscriptEntry[]) =>
  toldRows(entries).map(({ seq, form, beliefs }) => [form === 'silent' ? null : seq, beliefs.map((belief) => belief.seq)]);

it('puts a belief by what was last said', () => {
  expect(
    shape(
      says(1, 'turn-1/prosecutor', 'prosecutor'),
      believes(2, 'turn-1/after-prosecutor', 'judge', 'turn-1/prosecutor/utterance'),
      says(3, 'turn-1/defense', 'defense'),
    ),
  ).toEqual([
    [1, [2]],
    [3, []],
  ]);
});

it('puts the belief of an answer that is said aloud by that speech, not by the one before', () => {
  expect(
    shape(
      says(1, 'argument/attorney', 'attorney'),
      believes(2, 'judgement/judge-1', 'judge1'),
      says(3, 'judgement/judge-1', 'judge1'),
      believes(4, 'judgement/judge-2', 'judge2'),
      says(5, 'judgement/judge-2', 'judge2'),
    ),
  ).toEqual([
    [1, []],
    [3, [2]],
    [5, [4]],
  ]);
});

it('puts a recalled belief by the speech that it names', () => {
  const about = { moment: 'retrospective', after: 'turn-1/prosecutor/utterance' } as const;
  expect(
    shape(
      says(1, 'turn-1/prosecutor', 'prosecutor'),
      says(2, 'turn-1/defense', 'defense'),
      believed(3, 'ruling/judge/recalled-1', 'judge', about),
    ),
  ).toEqual([
    [1, [3]],
    [2, []],
  ]);
});

it('gives every role its own row if there are no speeches', () => {
  expect(
    shape(believes(1, 'vote/voter1', 'voter1'), believes(2, 'vote/voter2', 'voter2'), believes(3, 'again', 'voter2')),
  ).toEqual([
    [null, [1]],
    [null, [2, 3]],
  ]);
});

it('says what a speech names as taken from outside the facts, and nothing where it was not asked', () => {
  const lines = (outside?: (string | null)[]) =>
    toldRows([said(1, 'turn-1/defense/utterance', 'defense', outside === undefined ? {} : { outside })]).flatMap(
      ({ said: blocks }) => blocks.flatMap((block) => (block.kind === 'words' ? [plainAsText(block.words)] : [])),
    );
  expect(lines()).toEqual([]);
  expect(lines([])).toEqual(['Nothing from outside the facts, as the speaker says; not checked.']);
  expect(lines(['rain is wet', null])).toEqual(['from outside the facts, as the speaker says: rain is wet · erased']);
});
