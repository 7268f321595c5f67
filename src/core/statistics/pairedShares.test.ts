import { expect, test } from 'vitest';
import { pairedShares } from './pairedShares.ts';

/** Of 30 cases, over all outcomes: how often the interval holds the true difference. */
function coverage(shares: readonly [number, number, number, number]): number {
  const n = 30;
  const logFactorials = [0];
  for (let k = 1; k <= n; k++) logFactorials.push((logFactorials[k - 1] ?? 0) + Math.log(k));
  let held = 0;
  for (let both = 0; both <= n; both++)
    for (let first = 0; both + first <= n; first++)
      for (let second = 0; both + first + second <= n; second++) {
        const counts = [both, first, second, n - both - first - second];
        const chance = counts.reduce(
          (sum, k, place) => sum - (logFactorials[k] ?? 0) + k * Math.log(shares[place] ?? 1),
          logFactorials[n] ?? 0,
        );
        const found = pairedShares({ both, first, second, neither: counts[3] ?? 0 });
        const truth = shares[1] - shares[2];
        if (found !== null && found.low <= truth && truth <= found.high) held += Math.exp(chance);
      }
  return held;
}

test.each([[[0.27, 0.43, 0.07, 0.23]], [[0.4, 0.1, 0.1, 0.4]], [[0.1, 0.3, 0.3, 0.3]], [[0.05, 0.15, 0.05, 0.75]]] as const)(
  'the interval holds the true difference in about 95 of 100 experiments: %j',
  (shares) => {
    const held = coverage(shares);
    expect(held).toBeGreaterThan(0.935);
    expect(held).toBeLessThan(0.985);
  },
);

test('no case, no interval; from the other side it is turned', () => {
  expect(pairedShares({ both: 0, first: 0, second: 0, neither: 0 })).toBeNull();
  const counts = { both: 8, first: 13, second: 2, neither: 7 };
  const [one, other] = [pairedShares(counts), pairedShares({ ...counts, first: 2, second: 13 })];
  expect(one?.value).toBeCloseTo(11 / 30, 12);
  expect(other?.low).toBeCloseTo(-(one?.high ?? 0), 12);
  expect(other?.high).toBeCloseTo(-(one?.low ?? 0), 12);
});
