import { describe, expect, it } from 'vitest';
import type { TrialFrame } from '../../../shared/api/trials.ts';
import { call, close, line, utterance } from './testing/entries.ts';
import { follow, type TrialState } from './trialState.ts';

const empty: TrialState = { line: line(), entries: [], lastSeq: 0, writing: [] };
const next = (state: TrialState, ...bodies: TrialFrame[]) => bodies.reduce(follow, state);
const seqs = ({ entries }: TrialState) => entries.map(({ seq }) => seq);
const written = { role: 'defense', pieces: 1, sentAt: 0, idleSeconds: 120, isAskedAgain: true };
const tokens = (key: string, text: string): TrialFrame => ({ kind: 'tokens', key, text, ...written });
const asked = call(1, 'turn-1/defense/attempt-1', 'defense');
const said = utterance(2, 'turn-1/defense/utterance', 'defense');

describe('a followed trial', () => {
  it('takes every entry once, in order, however often it comes', () => {
    const state = next(
      empty,
      { kind: 'entries', lastSeq: 2, entries: [said, asked] },
      { kind: 'entries', lastSeq: 2, entries: [asked, said] },
      { kind: 'entries', lastSeq: 4, entries: [said, call(4, 'b/attempt-1', 'judge')] },
    );
    expect(seqs(state)).toEqual([1, 2, 4]);
    expect(state.lastSeq).toBe(4);
  });

  it('continues after events that make no entry', () => {
    expect(next({ ...empty, lastSeq: 7 }, { kind: 'entries', lastSeq: 9, entries: [utterance(8, 'a', 'defense')] }).lastSeq).toBe(
      9,
    );
  });

  it('shows the answer in progress until it is on record', () => {
    const writing = next(empty, tokens('turn-1/defense/attempt-1', '{"ut'), tokens('turn-1/defense/attempt-1', '{"utterance'));
    expect(writing.writing).toEqual([{ key: 'turn-1/defense/attempt-1', text: '{"utterance', ...written }]);
    expect(next(writing, { kind: 'entries', lastSeq: 1, entries: [asked] }).writing).toEqual([]);
  });

  it('keeps answers in progress of other calls', () => {
    const both = next(empty, tokens('turn-1/defense/attempt-1', 'a'), tokens('other/attempt-1', 'b'));
    expect(next(both, { kind: 'entries', lastSeq: 1, entries: [asked] }).writing.map(({ key }) => key)).toEqual([
      'other/attempt-1',
    ]);
  });

  it('drops what was being written when the trial ends', () => {
    const writing = next(empty, tokens('x', 'a'));
    expect(next(writing, { kind: 'entries', lastSeq: 3, entries: [close(3, 'timeout')] }).writing).toEqual([]);
    const done = next(writing, { kind: 'line', line: line({ status: 'done' }) });
    expect(done.writing).toEqual([]);
    expect(next(done, tokens('x', 'late')).writing).toEqual([]);
  });

  const failed: TrialState = {
    ...empty,
    line: line({ status: 'done', outcome: 'timeout' }),
    entries: [asked, close(3, 'timeout')],
    lastSeq: 3,
  };

  it('empties the transcript when a further attempt begins', () => {
    const state = next(failed, { kind: 'line', line: line({ attempt: 2 }) });
    expect(seqs(state)).toEqual([]);
    expect(seqs(next(state, { kind: 'entries', lastSeq: 6, entries: [utterance(6, 'a', 'defense')] }))).toEqual([6]);
  });

  it('keeps the new attempt where its first entries come before its line', () => {
    const state = next(
      failed,
      { kind: 'entries', lastSeq: 5, entries: [call(5, 'turn-1/defense/attempt-1', 'defense')] },
      { kind: 'line', line: line({ attempt: 2 }) },
    );
    expect(seqs(state)).toEqual([5]);
  });

  it('shows the last of several attempts that came at once', () => {
    const state = next(empty, {
      kind: 'entries',
      lastSeq: 8,
      entries: [asked, close(2, 'timeout'), call(4, 'b', 'judge'), close(5, 'malformed')],
    });
    expect(seqs(state)).toEqual([4, 5]);
  });

  it('keeps a finished trial when its line comes again', () => {
    expect(seqs(next(failed, { kind: 'line', line: line({ status: 'done', outcome: 'timeout' }) }))).toEqual([1, 3]);
  });
});
