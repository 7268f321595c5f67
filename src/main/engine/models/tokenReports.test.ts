import { expect, test } from 'vitest';
import { labelTokens } from '../../../core/beliefs/labelTokens.ts';
import { logprobBelief } from '../../../core/beliefs/logprobBelief.ts';
import { tokenReportsIn } from './answerLines.ts';

const token = (text: string, probability: number) => ({ token: text, logprob: Math.log(probability) });
const opening = { ...token('{"prediction":"', 1), top_logprobs: [] };
const closing = { ...token('"}', 1), top_logprobs: [] };

/** The belief from what a server reports of an answer YES. */
function beliefFrom(written: object) {
  const [place] = labelTokens('{"prediction":"YES"}', tokenReportsIn([opening, written, closing]), ['prediction'], ['NO', 'YES']);
  return place === undefined ? null : logprobBelief(['NO', 'YES'], place).belief;
}

test('a token that is listed twice has its probability once: 0.6 of 0.8', () => {
  const listed = [token('YES', 0.6), token('NO', 0.2), token('I', 0.2)];
  const belief = beliefFrom({ ...token('YES', 0.6), top_logprobs: [token('YES', 0.6), ...listed] });
  expect(belief?.YES).toBeCloseTo(0.75, 5);
  expect(belief).toEqual(beliefFrom({ ...token('YES', 0.6), top_logprobs: listed }));
});

test('two tokens of one text have a probability each', () => {
  const belief = beliefFrom({
    ...token('YES', 0.4),
    top_logprobs: [token('YES', 0.4), token('YES', 0.2), token('NO', 0.2), token('I', 0.2)],
  });
  expect(belief?.YES).toBeCloseTo(0.75, 5);
});

test('an invalid probability is not reported', () => {
  expect(beliefFrom({ token: 'YES', logprob: 1000, top_logprobs: [token('NO', 0.2)] })).toBeNull();
  expect(beliefFrom({ token: 'YES', logprob: 5, top_logprobs: [token('NO', 0.2)] })).toBeNull();
  expect(beliefFrom({ token: 'YES', logprob: 1e-7, top_logprobs: [token('YES', 1), token('NO', 1e-9)] })?.YES).toBeCloseTo(1, 6);
});
