import { expect, test } from 'vitest';
import { randomGenerator } from '../cases/shuffle.ts';
import { holm } from './adjustedPValues.ts';
import { type GroupedCases, groupPermutation } from './groupPermutation.ts';

const casesOf = (groups: readonly number[], hits: readonly number[]): GroupedCases => ({
  group: Uint32Array.from(groups),
  sum: Float64Array.from(hits),
  count: new Float64Array(hits.length).fill(1),
});

test('Holm’s adjusted p-values, in any order and with gaps', () => {
  // R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
  expect(holm([0.01, null, 0.04, 0.03, 0.005])).toEqual([0.03, null, 0.06, 0.06, 0.02]);
  expect(holm([0.9, 0.8])).toEqual([1, 1]);
});

test('for two groups the p-value is that of Fisher’s exact test, and that of a rate without variance is none', () => {
  // 8 of 10 against 2 of 10: two-sided Fisher, R fisher.test(matrix(c(8, 2, 2, 8), 2)): p = 0.02301.
  const hits = [
    ...Array.from({ length: 10 }, (_, place) => (place < 8 ? 1 : 0)),
    ...Array.from({ length: 10 }, (_, place) => (place < 2 ? 1 : 0)),
  ];
  const found = casesOf(
    hits.map((_, place) => (place < 10 ? 0 : 1)),
    hits,
  );
  expect(groupPermutation([found], 2, { resamples: 20_000, seed: 1 })).toBeCloseTo(0.023, 2);
  expect(groupPermutation([casesOf([0, 0, 1, 1], [1, 1, 1, 1])], 2, { resamples: 100, seed: 1 })).toBeNull();
});

test('where groups are equal, at most one family of comparisons in twenty has a false alarm, small groups and large', () => {
  const columns = [
    [200, 12],
    [12, 60, 140],
    [11, 13, 20, 80, 88],
  ];
  const runs = 200;
  let alarms = 0;
  for (let run = 0; run < runs; run++) {
    const generator = randomGenerator(run, 'families');
    const hits = Array.from({ length: 212 }, () => ((generator.next() >>> 0) / 2 ** 32 < 0.15 ? 1 : 0));
    const found = columns.map((sizes) => {
      const group = sizes.flatMap((size, place) => Array.from({ length: size }, () => place));
      return groupPermutation([casesOf(group, hits)], sizes.length, { resamples: 199, seed: run });
    });
    if (holm(found).some((p) => p !== null && p <= 0.05)) alarms += 1;
  }
  // 5% of 200, and three standard errors of chance.
  expect(alarms).toBeLessThanOrEqual(19);
});
