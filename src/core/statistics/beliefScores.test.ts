import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { believedCase, expectAgreement } from './agreement.fixture.ts';
import { brierLoss, brierSkill, labelSetBrierLoss, rankOfTruth } from './beliefScores.ts';
import { beliefSets } from './reference.fixture.ts';

describe('brierLoss', () => {
  test('by hand: (0.3² + 0.3²) / 2', () => {
    expect(brierLoss({ belief: { A: 0.7, B: 0.3 }, truth: 'A' }, ['A', 'B'])).toBeCloseTo(0.09, 15);
  });

  test('0 for certain and right, 1 for certain and wrong, for any number of labels', () => {
    const labels = ['A', 'B', 'C'];
    expect(brierLoss({ belief: { A: 1 }, truth: 'A' }, labels)).toBe(0);
    expect(brierLoss({ belief: { A: 1 }, truth: 'C' }, labels)).toBe(1);
  });

  test('refuses a belief that is no distribution, and a truth that is no label', () => {
    expect(() => brierLoss({ belief: { A: 0.7, B: 0.7 }, truth: 'A' }, ['A', 'B'])).toThrow(RangeError);
    expect(() => brierLoss({ belief: { A: 1 }, truth: 'X' }, ['A', 'B'])).toThrow(/"X"/);
  });
});

describe('brierSkill', () => {
  test('probabilities against the base rate of the same cases', () => {
    // P(YES) 0.8, 0.4 with the truths YES, NO.
    expect(brierSkill([0.04 + 0.16, 1, 1])).toBeCloseTo(0.6, 12);
    // Twice the second: loss (0.04 + 2 * 0.16) / 3, base 1/3 * 2/3.
    expect(brierSkill([0.04 + 2 * 0.16, 2, 1])).toBeCloseTo(1 - 0.12 / (2 / 9), 12);
    expect(brierSkill([0.08, 0, 2])).toBeNull();
    expect(brierSkill([0.25 + 0.25, 1, 1])).toBeCloseTo(0, 12);
    expect(brierSkill([0, 0, 0])).toBeNull();
  });
});

describe('rankOfTruth', () => {
  const labels = ['A', 'B', 'C', 'D'];

  test.each([
    ['A', 2],
    ['B', 2],
    ['C', 3],
    ['D', 4],
  ])('{A: 0.4, B: 0.4, C: 0.2} with truth %s: rank %d', (truth, rank) => {
    expect(rankOfTruth({ belief: { A: 0.4, B: 0.4, C: 0.2 }, truth }, labels)).toBe(rank);
  });

  test('a belief that is spread evenly earns the last rank, one that is certain the first', () => {
    expect(rankOfTruth({ belief: { A: 0.25, B: 0.25, C: 0.25, D: 0.25 }, truth: 'A' }, labels)).toBe(4);
    expect(rankOfTruth({ belief: { D: 1 }, truth: 'D' }, labels)).toBe(1);
    expect(rankOfTruth({ belief: { D: 1 }, truth: 'A' }, labels)).toBe(4);
  });

  test('equal up to rounding is equal: the rank does not depend on how a share was computed', () => {
    const belief = { A: 0.3, B: 0.1 + 0.2, C: 1 - 0.7, D: 1 - 0.9 };
    expect(labels.map((truth) => rankOfTruth({ belief, truth }, labels))).toEqual([3, 3, 3, 4]);
  });

  test('refuses a truth that is no label and a belief that is no distribution', () => {
    expect(() => rankOfTruth({ belief: { A: 1 }, truth: 'X' }, labels)).toThrow(RangeError);
    expect(() => rankOfTruth({ belief: { A: 0.5 }, truth: 'A' }, labels)).toThrow(RangeError);
  });

  test.each(beliefSets)('scipy rankdata of method max, scikit-learn label_ranking_average_precision_score: $name', (set) => {
    const ranks = set.cases.map((each) => rankOfTruth(each, set.labels));
    const share = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    set.labels.forEach((_, place) => {
      expectAgreement(share(ranks.map((rank) => (rank <= place + 1 ? 1 : 0))), set.expected.accuracyAtK[place] ?? null);
    });
    expectAgreement(share(ranks.map((rank) => 1 / rank)), set.expected.meanReciprocalRank);
  });

  test('property: does not depend on the order of the labels', () => {
    fc.assert(
      fc.property(believedCase(labels), fc.shuffledSubarray(labels, { minLength: 4 }), (each, order) => {
        expect(rankOfTruth(each, order)).toBe(rankOfTruth(each, labels));
      }),
    );
  });
});

describe('labelSetBrierLoss', () => {
  const labels = ['A', 'B', 'C'];

  test('by hand: (0.1² + 0.2² + 1²) / 3', () => {
    expect(labelSetBrierLoss({ belief: { A: 0.9, B: 0.2, C: 0 }, truth: ['A', 'C'] }, labels)).toBeCloseTo(0.35, 12);
    expect(labelSetBrierLoss({ belief: { A: 1, B: 0, C: 1 }, truth: ['C', 'A'] }, labels)).toBe(0);
    expect(labelSetBrierLoss({ belief: { A: 1, B: 1, C: 1 }, truth: [] }, labels)).toBe(1);
  });

  test.each([
    [{ A: 0.5, B: 0.5 }, [], labels],
    [{ A: 0.5, B: 0.5, C: 0, D: 1 }, [], labels],
    [{ A: 0.5, B: 0.5, C: 1.5 }, [], labels],
    [{ A: 0.5, B: 0.5, C: 0 }, ['D'], labels],
    [{ A: 0.5 }, [], ['A', 'A']],
    [{}, [], []],
  ] as const)('refuses %j with truth %j', (belief, truth, all) => {
    expect(() => labelSetBrierLoss({ belief, truth }, all)).toThrow(RangeError);
  });

  test('with one label it is the binary score, and the order of the labels does not matter', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, fc.subarray(labels), (a, b, c, truth) => {
        const loss = labelSetBrierLoss({ belief: { A: a, B: b, C: c }, truth }, labels);
        expect(labelSetBrierLoss({ belief: { C: c, A: a, B: b }, truth: truth.toReversed() }, labels.toReversed())).toBeCloseTo(
          loss,
          12,
        );
        expect(loss).toBeGreaterThanOrEqual(0);
        expect(loss).toBeLessThanOrEqual(1);
        expect(labelSetBrierLoss({ belief: { A: a }, truth: truth.includes('A') ? ['A'] : [] }, ['A'])).toBe(
          (a - (truth.includes('A') ? 1 : 0)) ** 2,
        );
      }),
    );
  });
});
