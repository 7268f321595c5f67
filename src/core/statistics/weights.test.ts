import { expect, test } from 'vitest';
import { equalWeights, requireWeights } from './weights.ts';

test('whole numbers from 0 are weights, in an array or a typed array', () => {
  expect(() => requireWeights([0, 1, 7], 3)).not.toThrow();
  expect(() => requireWeights(Uint32Array.of(0, 4e9), 2)).not.toThrow();
  expect(() => requireWeights(Float64Array.of(2, 3), 2)).not.toThrow();
  expect(Array.from(equalWeights(3))).toEqual([1, 1, 1]);
});

test.each([
  [[1, 1], 3, /2 weights for 3 items/],
  [Uint32Array.of(1, 1), 1, /2 weights for 1 items/],
  [[1, -1], 2, /weight 1 is -1/],
  [[0.5], 1, /weight 0 is 0.5/],
  [[Number.NaN], 1, /weight 0 is NaN/],
  [Float64Array.of(1.5), 1, /weight 0 is 1.5/],
  [Int32Array.of(-2), 1, /weight 0 is -2/],
])('refuses %j for %d items', (weights, items, message) => {
  expect(() => requireWeights(weights, items)).toThrow(message);
  expect(() => requireWeights(weights, items)).toThrow(RangeError);
});
