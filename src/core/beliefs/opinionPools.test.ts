import { describe, expect, test } from 'vitest';
import { meanBelief, mixtureBelief } from './opinionPools.ts';

describe('meanBelief', () => {
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
});

describe('mixtureBelief', () => {
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
});
