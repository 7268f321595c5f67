import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isCorrect } from './accuracy.ts';
import { expectAgreement, repeated, weighted } from './agreement.fixture.ts';
import { multiLabelSets } from './reference.fixture.ts';
import { caseF1, samplesF1 } from './samplesF1.ts';
import { weightedMean } from './weightedMean.ts';

describe('samplesF1', () => {
  test('by hand: 2/4 and 1', () => {
    const pairs = [
      { truth: ['A', 'B'], prediction: ['A', 'C'] },
      { truth: ['A'], prediction: ['A', 'A'] },
    ];
    expect(samplesF1(pairs, ['A', 'B', 'C'])).toBe(0.75);
  });

  test('nothing to find: right where nothing was found, wrong else', () => {
    expect(caseF1({ truth: [], prediction: [] }, ['A'])).toBe(1);
    expect(caseF1({ truth: [], prediction: ['A'] }, ['A'])).toBe(0);
  });

  test('no cases, unlisted labels', () => {
    expect(samplesF1([], ['A'])).toBeNull();
    expect(() => samplesF1([{ truth: ['X'], prediction: [] }], ['A'])).toThrow(RangeError);
  });

  test.each(multiLabelSets)('scikit-learn f1_score of samples, accuracy_score: $name', (set) => {
    const { pairs, labels, weights } = set;
    const exact = pairs.map(({ truth, prediction }) => (isCorrect(truth, prediction) ? 1 : 0));
    expectAgreement(samplesF1(pairs, labels), set.expected.samplesF1);
    expectAgreement(samplesF1(pairs, labels, weights), set.weighted.samplesF1);
    expectAgreement(weightedMean(exact), set.expected.exactMatch);
    expectAgreement(weightedMean(exact, weights), set.weighted.exactMatch);
  });

  test('property: a weight is a repetition', () => {
    const set = fc.subarray(['A', 'B', 'C']);
    fc.assert(
      fc.property(weighted(fc.record({ truth: set, prediction: set })), ({ items, weights }) => {
        expectAgreement(samplesF1(items, ['A', 'B', 'C'], weights), samplesF1(repeated(items, weights), ['A', 'B', 'C']));
      }),
    );
  });
});
