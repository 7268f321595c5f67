import { expect, test } from 'vitest';
import { type CountedAnswer, countAnswers, sumCounts } from './answerCounts.ts';

const taken = (key: string, method: string, ...flags: string[]): CountedAnswer => ({
  key,
  done: 'stop',
  method,
  ...(flags.length > 0 && { flags }),
});
const refused = (key: string, rejected: CountedAnswer['rejected'], done: string | null = 'stop'): CountedAnswer => ({
  key,
  done,
  rejected,
});

test('answers are counted by method and flag, the others by why they were refused, a loop as cut and as a loop', () => {
  const answers = [
    taken('turn-1/judge/attempt-1', 'embedded-json', 'embedded', 'short'),
    refused('turn-2/judge/attempt-1', 'truncated', 'loop'),
    refused('turn-2/judge/attempt-2', 'truncated', 'length'),
    taken('turn-2/judge/attempt-3', 'json', 'short'),
    refused('turn-3/judge/attempt-1', 'timeout', null),
    refused('turn-4/judge/attempt-1', 'malformed'),
    taken('turn-4/judge/attempt-2', 'json'),
    // Of a version that read otherwise.
    taken('turn-5/judge/attempt-1', 'prose'),
  ];
  const counts = countAnswers(answers);
  expect(counts).toEqual({
    requests: 8,
    first: 5,
    first_usable: 2,
    methods: { json: 2, 'embedded-json': 1, prose: 1 },
    rejected: { malformed: 1, truncated: 2, timeout: 1 },
    looped: 1,
    flags: { embedded: 1, short: 2 },
  });
  // The same text for any order.
  expect(JSON.stringify(countAnswers(answers.toReversed()))).toBe(JSON.stringify(counts));
  // And however they are divided among trials.
  for (const parts of [answers.map((answer) => [answer]), [answers.slice(5), answers.slice(0, 5)], [answers, []]]) {
    expect(JSON.stringify(sumCounts(parts.map(countAnswers)))).toBe(JSON.stringify(counts));
  }
});

test('what a server does not report of its prompts is in no count, and a reused answer asked no server', () => {
  const cost = { promptTokens: 100, completionTokens: 10, modelMs: 5 };
  const reused = { trial: '0'.repeat(16), key: 'turn-4/judge/attempt-1', hash: '0'.repeat(64) };
  const answers: CountedAnswer[] = [
    { ...taken('turn-1/judge/attempt-1', 'json'), ...cost, cachedTokens: 0 },
    { ...taken('turn-2/judge/attempt-1', 'json'), ...cost },
    { ...taken('turn-2/judge/sample-1/attempt-1', 'json'), ...cost, cachedTokens: 90 },
    { ...taken('turn-2/judge/sample-2/attempt-1', 'json'), ...cost },
    { ...taken('turn-4/judge/attempt-1', 'json'), ...cost, cachedTokens: 80, reused },
  ];
  const spared = {
    reused: { requests: 1, model_ms: 5, prompt_tokens: 100, completion_tokens: 10 },
    prompt_cache: { reported: 2, prompt_tokens: 200, cached_tokens: 90 },
    samples: { requests: 2, reported: 1, prompt_tokens: 100, cached_tokens: 90 },
  };
  expect(countAnswers(answers)).toMatchObject(spared);
  expect(sumCounts(answers.map((answer) => countAnswers([answer])))).toMatchObject(spared);
  expect(countAnswers(answers.slice(1, 2))).not.toHaveProperty('prompt_cache');
});
