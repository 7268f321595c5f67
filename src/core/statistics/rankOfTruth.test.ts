import fc from 'fast-check';
import { expect, test } from 'vitest';
import { believedCase, expectAgreement } from './agreement.fixture.ts';
import { rankOfTruth } from './rankOfTruth.ts';
import { beliefSets } from './reference.fixture.ts';

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
