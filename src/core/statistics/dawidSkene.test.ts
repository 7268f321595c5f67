import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/dawidSkene.json' with { type: 'json' };
import { dawidSkene } from './dawidSkene.ts';

const givenBy = (ratings: readonly number[]) => ratings.map((rating) => (rating < 0 ? null : rating));

test.each(reference.sets)('labels as crowd-kit has them, probabilities within 1e-6: $name', ({ ratings, ...expected }) => {
  const { probabilities, converged } = dawidSkene(
    ratings.map((unit) => ({ ratings: givenBy(unit), times: 1 })),
    1 + Math.max(...ratings.flat()),
  );
  expect(converged).toBe(true);
  expect(probabilities.map((shares) => shares.indexOf(Math.max(...shares)))).toEqual(expected.verdicts);
  probabilities.forEach((shares, unit) => {
    shares.forEach((share, label) => {
      expect(Math.abs(share - (expected.probabilities[unit]?.[label] ?? 0))).toBeLessThan(1e-6);
    });
  });
});

test('units that are rated alike count as often as they occur', () => {
  const [{ ratings, labels } = { ratings: [], labels: 0 }] = reference.sets;
  const single = ratings.map((unit) => ({ ratings: givenBy(unit), times: 1 }));
  const groups = [...Map.groupBy(single, (unit) => JSON.stringify(unit.ratings)).values()];
  const together = groups.flatMap(([first, ...rest]) => (first ? [{ ...first, times: 1 + rest.length }] : []));
  expect(together.length).toBeLessThan(single.length);
  const found = new Map(
    dawidSkene(together, labels).probabilities.map((shares, place) => [JSON.stringify(together[place]?.ratings), shares]),
  );
  dawidSkene(single, labels).probabilities.forEach((shares, unit) => {
    const alike = found.get(JSON.stringify(single[unit]?.ratings));
    for (const [label, share] of shares.entries()) expect(alike?.[label]).toBeCloseTo(share, 7);
  });
});

test('a rater who always says the opposite is no vote against', () => {
  const { probabilities } = dawidSkene(
    [
      { ratings: [0, 0, 1], times: 20 },
      { ratings: [1, 1, 0], times: 20 },
      { ratings: [0, null, 1], times: 3 },
    ],
    2,
  );
  expect(probabilities.map((shares) => [...shares].map((share) => Math.round(share * 1e6) / 1e6))).toEqual([
    [1, 0],
    [0, 1],
    [1, 0],
  ]);
});
