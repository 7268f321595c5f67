import { describe, expect, it } from 'vitest';
import { belief, call, close, ruling, share, utterance } from './testing/entries.ts';
import { allCalls, callsOf, effortOf, listedCalls, mishap, partOf } from './trialCalls.ts';

const keysOf = (calls: readonly { key: string }[] | undefined) => calls?.map(({ key }) => key);

describe('calls behind a transcript', () => {
  it('belong to what was said and believed under the same step', () => {
    const { bySeq, unclaimed } = callsOf([
      call(1, 'turn-1/defense/attempt-1', 'defense', { failure: 'timeout' }),
      call(2, 'turn-1/defense/attempt-2', 'defense'),
      utterance(3, 'turn-1/defense/utterance', 'defense'),
      call(4, 'turn-1/after-defense/attempt-1', 'judge'),
      belief(5, 'turn-1/after-defense/belief'),
      call(6, 'ruling/judge/attempt-1', 'judge'),
      ruling(7),
    ]);
    expect(keysOf(bySeq.get(3))).toEqual(['turn-1/defense/attempt-1', 'turn-1/defense/attempt-2']);
    expect(keysOf(bySeq.get(5))).toEqual(['turn-1/after-defense/attempt-1']);
    expect(keysOf(bySeq.get(7))).toEqual(['ruling/judge/attempt-1']);
    expect(unclaimed).toEqual([]);
  });

  it('go by the role where the step has another name', () => {
    const { bySeq } = callsOf([call(1, 'answer/attempt-1', 'predictor'), ruling(2, 'predictor')]);
    expect(keysOf(bySeq.get(2))).toEqual(['answer/attempt-1']);
  });

  it('find the ruling behind the beliefs that it recalls', () => {
    const { bySeq } = callsOf([
      call(1, 'ruling/judge/attempt-1', 'judge'),
      belief(2, 'ruling/judge/recalled-1', { moment: 'retrospective' }),
      ruling(3),
    ]);
    expect([2, 3].map((seq) => keysOf(bySeq.get(seq)))).toEqual([['ruling/judge/attempt-1'], ['ruling/judge/attempt-1']]);
  });

  it('are left over where they ended the trial', () => {
    const { unclaimed } = callsOf([
      call(1, 'ruling/judge/attempt-1', 'judge', { rejected: 'malformed' }),
      call(2, 'ruling/judge/attempt-2', 'judge', { failure: 'backend_error' }),
      close(3, 'backend_error'),
    ]);
    expect(unclaimed.map(mishap)).toEqual(['unreadable answer', 'server error']);
  });

  it('are listed with those that are shared, each attempt of them, in the order of the answers', () => {
    const listed = listedCalls([
      call(1, 'hearing/clerk/attempt-1', 'clerk'),
      share(2, 'ambiguity/hearing-1'),
      share(3, 'precedents/reason-1', { attempts: 2, rejected: 'malformed' }),
      call(4, 'judgement/judge-1/attempt-1', 'judge1', { failure: 'timeout' }),
    ]);
    expect(listed.map((each) => [each.key, each.own === null, each.askedAgain, mishap(each)])).toEqual([
      ['hearing/clerk/attempt-1', false, false, null],
      ['ambiguity/hearing-1/attempt-1', true, false, null],
      ['precedents/reason-1/attempt-1', true, true, null],
      ['precedents/reason-1/attempt-2', true, false, 'unreadable answer'],
      ['judgement/judge-1/attempt-1', false, false, 'timed out'],
    ]);
  });

  it('that are shared count in no effort', () => {
    const entries = [call(1, 'hearing/clerk/attempt-1', 'clerk'), share(2, 'ambiguity/hearing-1')];
    expect(effortOf(allCalls(entries))).toMatchObject({ calls: 1, attempts: 1, prompt_tokens: 10 });
  });

  it('add up to the effort so far, questions asked again counted once', () => {
    const entries = [
      call(1, 'turn-1/defense/attempt-1', 'defense', { failure: 'timeout', promptTokens: 0, completionTokens: 0, wallMs: 9 }),
      call(2, 'turn-1/defense/attempt-2', 'defense'),
      utterance(3, 'turn-1/defense/utterance', 'defense'),
    ];
    expect(effortOf(allCalls(entries))).toEqual({ calls: 1, attempts: 2, prompt_tokens: 10, completion_tokens: 5, wall_ms: 12 });
  });
});

it('gives an entry that represents a whole step every call under it, and leaves none of them over', () => {
  const { bySeq, unclaimed } = callsOf([
    call(1, 'subtopics/agentA/attempt-1', 'agentA'),
    call(2, 'subtopics/balance/attempt-1', 'critic'),
    {
      kind: 'subtopics',
      seq: 3,
      key: 'subtopics/settled',
      role: 'critic',
      settledBy: 'agents',
      subtopics: [],
      balanced: null,
      balance: null,
    },
    call(4, 'round-1/critic/attempt-1', 'critic'),
    call(5, 'round-1/critic/reason-1/attempt-1', 'critic'),
    {
      kind: 'evaluation',
      seq: 6,
      key: 'round-1/critic/evaluation',
      role: 'critic',
      subject: 'Agent A',
      score: 5,
      evaluation: null,
    },
    call(7, 'round-2/critic/attempt-1', 'critic'),
  ]);
  expect(bySeq.get(3)?.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(bySeq.get(6)?.map(({ seq }) => seq)).toEqual([4, 5]);
  expect(unclaimed.map(({ seq }) => seq)).toEqual([7]);
});

it('names the part of the trial that a call is of', () => {
  expect(partOf(call(1, 'turn-1/prosecutor/attempt-1', 'prosecutor'))).toBe('turn 1');
  expect(partOf(call(1, 'turn-1/after-defense/attempt-2', 'judge'))).toBe('turn 1, after defense');
  expect(partOf(call(1, 'judgement/judge-1/attempt-1', 'judge1'))).toBe('judgement');
});
