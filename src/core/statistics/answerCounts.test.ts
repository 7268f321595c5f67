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
