import { expect, test } from 'vitest';
import { setFlips } from './setFlips.ts';

test('counts changes of the set, whatever the order and however often a label is named', () => {
  expect(setFlips([['A'], ['B', 'A'], ['A', 'B', 'A'], []])).toEqual({ flips: 2, steps: 3 });
  expect(setFlips([[], []])).toEqual({ flips: 0, steps: 1 });
  expect(setFlips([['A'], [], ['A']])).toEqual({ flips: 2, steps: 2 });
});

test('fewer than two sets cannot flip', () => {
  expect(setFlips([])).toBeNull();
  expect(setFlips([['A']])).toBeNull();
});
