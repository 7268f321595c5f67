import { expect, test } from 'vitest';
import { readableAnswer } from './transcriptEntries.ts';

test('an answer reads as lines, without what is shown next to it', () => {
  const answer = {
    opinion: 'The risk is high.',
    prediction: 'YES',
    confidence: 70,
    reasoning: ['two arrests', 'no work'],
    critique: 'Both spoke well.',
  };
  expect(readableAnswer(JSON.stringify(answer))).toBe('The risk is high.\n- two arrests\n- no work\ncritique: Both spoke well.');
});

test('weighted factors take one line each', () => {
  const answer = { factors: [{ factor: 'age', weight: 'low', reasoning: 'young' }], prediction: 'NO' };
  expect(readableAnswer(JSON.stringify(answer))).toBe('- factor: age; weight: low; reasoning: young');
});

test('a reason alone is the text itself, and the labels of a hearing are next to it', () => {
  const ranking = { first: { label: 'entailment', percent: 70 } };
  const rest = { prediction: 'entailment', alternative: 'neutral', distribution: { neutral: 30 }, ranking };
  const answer = { reason: 'Both agree.', ...rest };
  expect(readableAnswer(JSON.stringify(answer))).toBe('Both agree.');
});

test('what is from outside the facts is marked line by line', () => {
  const answer = { reason: 'It was dark.', outside: ['Nights are dark.'], prediction: 'YES', confidence: 70 };
  expect(readableAnswer(JSON.stringify(answer))).toBe('It was dark.\n- from outside the facts: Nights are dark.');
});

test('text that is no JSON object stays as it is', () => {
  expect(readableAnswer('plain words')).toBe('plain words');
  expect(readableAnswer('"quoted"')).toBe('"quoted"');
});
