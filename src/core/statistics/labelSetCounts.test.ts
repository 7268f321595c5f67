import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repeated, weighted } from './agreement.fixture.ts';
import { labelSetCounts } from './labelSetCounts.ts';
import { multiLabelSets } from './reference.fixture.ts';

describe('labelSetCounts', () => {
  test('by hand: A found, B missed, C invented, D rightly left out; repeats say nothing', () => {
    const counts = labelSetCounts([{ truth: ['A', 'B', 'A'], prediction: ['C', 'A'] }], ['A', 'B', 'C', 'D']);
    expect(counts).toEqual([
      { truePositives: 1, falsePositives: 0, trueNegatives: 0, falseNegatives: 0 },
      { truePositives: 0, falsePositives: 0, trueNegatives: 0, falseNegatives: 1 },
      { truePositives: 0, falsePositives: 1, trueNegatives: 0, falseNegatives: 0 },
      { truePositives: 0, falsePositives: 0, trueNegatives: 1, falseNegatives: 0 },
    ]);
  });

  test.each(multiLabelSets)('scikit-learn multilabel_confusion_matrix: $name', ({ pairs, labels, weights, ...reference }) => {
    const flat = (...given: Parameters<typeof labelSetCounts>) =>
      labelSetCounts(...given).map((count) => [
        count.truePositives,
        count.falsePositives,
        count.trueNegatives,
        count.falseNegatives,
      ]);
    expect(flat(pairs, labels)).toEqual(reference.expected.counts);
    expect(flat(pairs, labels, weights)).toEqual(reference.weighted.counts);
  });

  test('refuses what it would have to drop', () => {
    expect(() => labelSetCounts([{ truth: ['X'], prediction: [] }], ['A'])).toThrow(/"X"/);
    expect(() => labelSetCounts([{ truth: [], prediction: ['X'] }], ['A'])).toThrow(RangeError);
    expect(() => labelSetCounts([], ['A', 'A'])).toThrow(/distinct/);
    expect(() => labelSetCounts([], ['A'], [1])).toThrow(RangeError);
  });

  test('property: a weight is a repetition', () => {
    const set = fc.subarray(['A', 'B', 'C']);
    fc.assert(
      fc.property(weighted(fc.record({ truth: set, prediction: set })), ({ items, weights }) => {
        expect(labelSetCounts(items, ['A', 'B', 'C'], weights)).toEqual(
          labelSetCounts(repeated(items, weights), ['A', 'B', 'C']),
        );
      }),
    );
  });
});
