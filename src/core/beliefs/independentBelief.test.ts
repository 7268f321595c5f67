import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { believedSet, independentBelief, isSameSet, labelSetOf, sampledLabelSets } from './independentBelief.ts';

const labels = ['A', 'B', 'C'];

describe('independentBelief', () => {
  test('percent by percent, nothing normalised: 90, 80 and 10 stay so', () => {
    expect(independentBelief(labels, ['B', 'A'], { A: 90, B: 80, C: 10 })).toEqual({
      belief: { A: 0.9, B: 0.8, C: 0.1 },
      inconsistent: false,
    });
  });

  test('the named set is compared with the labels from one half on', () => {
    const percents = { A: 50, B: 49, C: 0 };
    expect(independentBelief(labels, ['A'], percents).inconsistent).toBe(false);
    expect(independentBelief(labels, [], percents).inconsistent).toBe(true);
    expect(independentBelief(labels, ['A', 'B'], percents).inconsistent).toBe(true);
    expect(independentBelief(labels, [], { A: 49, B: 0, C: 0 })).toEqual({
      belief: { A: 0.49, B: 0, C: 0 },
      inconsistent: false,
    });
  });

  test.each([
    [['D'], { A: 1, B: 1, C: 1 }, '"D" is not a label'],
    [[], { A: 1, B: 1 }, 'no number is stated for "C"'],
    [[], { A: 1, B: 1, C: 1, D: 1 }, '"D" is not a label'],
    [[], { A: 101, B: 1, C: 1 }, '101 for "A" is not within 0-100'],
    [[], { A: Number.NaN, B: 1, C: 1 }, 'NaN for "A" is not within 0-100'],
  ] as const)('refuses %j with %j', (named, percents, message) => {
    expect(() => independentBelief(labels, named, percents)).toThrow(new RangeError(message));
  });

  test('names of inherited members are labels like any other', () => {
    const names = ['toString', 'constructor'];
    expect(independentBelief(names, ['constructor'], { toString: 5, constructor: 95 }).belief).toEqual({
      toString: 0.05,
      constructor: 0.95,
    });
    expect(() => independentBelief(names, [], { toString: 5 })).toThrow('no number is stated for "constructor"');
  });
});

test('a set is in the order of the labels, each once, and equals another in any order', () => {
  expect(labelSetOf(labels, ['C', 'A', 'C'])).toEqual(['A', 'C']);
  expect(() => labelSetOf(['A', 'A'], [])).toThrow('distinct');
  expect(isSameSet(['C', 'A', 'C'], ['A', 'C'])).toBe(true);
  expect(isSameSet(['A'], ['A', 'C'])).toBe(false);
  expect(isSameSet([], [])).toBe(true);
});

describe('sampledLabelSets', () => {
  test('the share of the valid answers whose set has the label: 2, 1 and 0 of 4, one of them empty', () => {
    expect(sampledLabelSets(labels, [['A'], ['B', 'A', 'A'], [], []])).toEqual({
      belief: { A: 0.5, B: 0.25, C: 0 },
      counts: { A: 2, B: 1, C: 0 },
    });
    expect(sampledLabelSets(labels, [])).toEqual({ belief: null, counts: { A: 0, B: 0, C: 0 } });
    expect(() => sampledLabelSets(labels, [['D']])).toThrow(RangeError);
  });

  test('equal answers are believed as they are, and every share is within 0-1', () => {
    const set = fc.subarray(labels);
    fc.assert(
      fc.property(set, fc.integer({ min: 1, max: 9 }), (named, count) => {
        const { belief } = sampledLabelSets(
          labels,
          Array.from({ length: count }, () => named),
        );
        expect(believedSet(labels, belief ?? {})).toEqual(labelSetOf(labels, named));
      }),
    );
    fc.assert(
      fc.property(fc.array(set, { minLength: 1 }), (sets) => {
        for (const share of Object.values(sampledLabelSets(labels, sets).belief ?? {})) {
          expect(share).toBeGreaterThanOrEqual(0);
          expect(share).toBeLessThanOrEqual(1);
        }
      }),
    );
  });
});
