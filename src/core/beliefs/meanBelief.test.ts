import { expect, test } from 'vitest';
import { meanBelief } from './meanBelief.ts';

test('the mean of each label', () => {
  const mean = meanBelief(
    ['a', 'b', 'c'],
    [
      { a: 0.5, b: 0.5, c: 0 },
      { a: 1, b: 0, c: 0 },
    ],
  );
  // (0.5 + 1) / 2, (0.5 + 0) / 2
  expect(mean).toEqual({ a: 0.75, b: 0.25, c: 0 });
});

test('without all beliefs there is none', () => {
  expect(meanBelief(['a', 'b'], [{ a: 1, b: 0 }, null])).toBeNull();
  expect(meanBelief(['a', 'b'], [])).toBeNull();
});
