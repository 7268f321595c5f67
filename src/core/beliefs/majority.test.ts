import { expect, test } from 'vitest';
import { majority } from './majority.ts';

const votes = (...list: [string, number | null][]) => list.map(([prediction, confidence]) => ({ prediction, confidence }));

test('more votes win, however sure the others are', () => {
  expect(majority(votes(['a', 0.1], ['b', 1], ['a', 0.1]))).toEqual({ prediction: 'a', decidedBy: 'majority' });
  expect(majority(votes(['a', null]))).toEqual({ prediction: 'a', decidedBy: 'majority' });
});

test('weights are summed by label, for any number of votes, and ties among sums are broken as others', () => {
  const weighted = (...list: [string, number, number][]) =>
    majority(list.map(([prediction, confidence, weight]) => ({ prediction, confidence, weight })));
  expect(weighted(['a', 1, 0.1], ['a', 1, 0.2], ['b', 0, 0.4])).toEqual({ prediction: 'b', decidedBy: 'weights' });
  // 0.1 + 0.2 and 0.3 differ in their last digit alone.
  expect(weighted(['a', 0.2, 0.1], ['a', 0.2, 0.2], ['b', 0.9, 0.3])).toEqual({ prediction: 'b', decidedBy: 'confidence' });
});

test('a tie goes to the higher sum of confidences', () => {
  // a: 0.5 + 0.5 = 1.0; b: 0.9 + 0.2 = 1.1; c has one vote alone.
  expect(majority(votes(['a', 0.5], ['b', 0.9], ['c', 1], ['a', 0.5], ['b', 0.2]))).toEqual({
    prediction: 'b',
    decidedBy: 'confidence',
  });
});

test('then to the label that was named first, also where sums differ by rounding alone', () => {
  expect(majority(votes(['b', 0.5], ['a', 0.5]))).toEqual({ prediction: 'b', decidedBy: 'order' });
  // 0.1 + 0.2 is more than 0.3 in floating point, and is no surer.
  expect(majority(votes(['a', 0.3], ['b', 0.1], ['a', 0], ['b', 0.2]))).toEqual({ prediction: 'a', decidedBy: 'order' });
});

test('a vote without a confidence counts 0 in the sum', () => {
  expect(majority(votes(['a', null], ['b', 0.01]))).toEqual({ prediction: 'b', decidedBy: 'confidence' });
  expect(majority(votes(['a', null], ['b', null]))).toEqual({ prediction: 'a', decidedBy: 'order' });
});

test('no vote, no majority', () => {
  expect(() => majority([])).toThrow(RangeError);
});
