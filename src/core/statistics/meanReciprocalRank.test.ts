import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { believedCase, expectAgreement, repeated, weighted } from './agreement.fixture.ts';
import { meanReciprocalRank } from './meanReciprocalRank.ts';
import { beliefSets } from './reference.fixture.ts';

describe('meanReciprocalRank', () => {
  test('by hand: ranks 1, 2 and 4 give 7/12', () => {
    const belief = { A: 0.4, B: 0.3, C: 0.2, D: 0.1 };
    const cases = ['A', 'B', 'D'].map((truth) => ({ belief, truth }));
    expect(meanReciprocalRank(cases, ['A', 'B', 'C', 'D'])).toBeCloseTo(7 / 12, 15);
  });

  test('no cases, or none that counts', () => {
    expect(meanReciprocalRank([], ['A'])).toBeNull();
    expect(meanReciprocalRank([{ belief: { A: 1 }, truth: 'A' }], ['A'], [0])).toBeNull();
  });

  test.each(beliefSets)('scikit-learn label_ranking_average_precision_score: $name', (set) => {
    expectAgreement(meanReciprocalRank(set.cases, set.labels), set.expected.meanReciprocalRank);
    expectAgreement(meanReciprocalRank(set.cases, set.labels, set.weights), set.weighted.meanReciprocalRank);
  });

  test('property: a weight is a repetition', () => {
    fc.assert(
      fc.property(weighted(believedCase(['A', 'B', 'C'])), ({ items, weights }) => {
        const labels = ['A', 'B', 'C'];
        expectAgreement(meanReciprocalRank(items, labels, weights), meanReciprocalRank(repeated(items, weights), labels));
      }),
    );
  });
});
