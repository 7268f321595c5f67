import { expect, test } from 'vitest';
import { mixtureBelief } from './mixtureBelief.ts';

const labels = ['a', 'b'];
const first = { a: 1, b: 0 };
const second = { a: 0.25, b: 0.75 };

test('the mean by weight', () => {
  // (0.9 * 1 + 0.3 * 0.25) / 1.2
  const mixture = mixtureBelief(labels, [first, second], [0.9, 0.3]);
  expect(mixture?.a).toBeCloseTo(0.975 / 1.2, 12);
  expect(mixture?.b).toBeCloseTo(0.225 / 1.2, 12);
});

test('one that weighs nothing has no say, and equal weights make the mean', () => {
  expect(mixtureBelief(labels, [first, second], [0, 2])).toEqual(second);
  expect(mixtureBelief(labels, [first, second], [3, 3])).toEqual({ a: 0.625, b: 0.375 });
});

test('without all beliefs there is none, and weights must weigh', () => {
  expect(mixtureBelief(labels, [first, null], [1, 1])).toBeNull();
  for (const weights of [[0, 0], [1], [1, -0.5]]) {
    expect(() => mixtureBelief(labels, [first, second], weights)).toThrow(RangeError);
  }
});
