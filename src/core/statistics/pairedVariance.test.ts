import { expect, test } from 'vitest';
import { randomGenerator } from '../cases/shuffle.ts';
import { pairedVariance, smallestDetectable, type Tried } from './pairedVariance.ts';
import { signFlipTest } from './signFlipTest.ts';

const tried = (right: number, times = 2): Tried => ({ right, times });

/** One experiment: cases of different difficulty, a right more often by `difference` on average, each tried `times` times. */
function experiment(random: () => number, { cases, times, difference }: { cases: number; times: number; difference: number }) {
  return Array.from({ length: cases }, () => {
    const hard = 0.1 + 0.7 * random();
    // The effect differs between cases, so that replicates alone cannot make it certain.
    const better = Math.min(1, Math.max(0, hard + difference + 0.2 * (random() - 0.5)));
    const share = (p: number) =>
      Array.from({ length: times }, () => (random() < p ? 1 : 0)).reduce((sum: number, each) => sum + each, 0) / times;
    return { a: { right: share(better), times }, b: { right: share(hard), times } };
  });
}

const generator = randomGenerator(5, 'variance');
const random = () => (generator.next() >>> 0) / 2 ** 32;
const p = (pairs: ReturnType<typeof experiment>, times: number) =>
  signFlipTest(pairs.map(({ a, b }) => Math.round((a.right - b.right) * times))).p;

test('by hand: two cases, the second side fixed', () => {
  const pairs = [
    { a: tried(0.5), b: tried(0, 1) },
    { a: tried(1), b: tried(1, 1) },
  ];
  expect(pairedVariance(pairs, { b: true })).toEqual({ cases: 0, replicates: 1 / 8 });
  expect(pairedVariance(pairs, { b: false })).toBeNull();
});

test('both parts are found again on average, and more replicates shrink one of them alone', () => {
  const mean = (times: number) => {
    const found = Array.from({ length: 20 }, () =>
      pairedVariance(experiment(random, { cases: 4000, times, difference: 0.05 }), { b: false }),
    );
    return (part: 'cases' | 'replicates') => found.reduce((sum, each) => sum + (each?.[part] ?? 0), 0) / found.length;
  };
  const [three, nine] = [mean(3), mean(9)];
  // The true effect is uniform of width 0.2: variance 0.2² / 12 = 0.0033.
  for (const found of [three, nine]) expect(Math.abs(found('cases') - 0.2 ** 2 / 12)).toBeLessThan(0.0015);
  expect(three('replicates') / nine('replicates')).toBeCloseTo(3, 0);
});

test.each([
  { cases: 200, times: 3, alpha: 0.05 },
  { cases: 80, times: 5, alpha: 0.01 },
  { cases: 300, times: 1, alpha: 0.05 },
])('the smallest detectable difference is found four times in five: %o', ({ cases, times, alpha }) => {
  const least =
    smallestDetectable(experiment(random, { cases: 4000, times, difference: 0 }).slice(0, cases))({ alpha, power: 0.8 }) ?? 0;
  const found = (difference: number) =>
    Array.from({ length: 500 }, () => p(experiment(random, { cases, times, difference }), times)).filter((each) => each <= alpha)
      .length / 500;
  expect(found(least)).toBeGreaterThan(0.7);
  expect(found(least)).toBeLessThan(0.9);
  expect(found(0)).toBeLessThanOrEqual(alpha + 0.02);
});

test('there is none where nothing differs, or without a case', () => {
  expect(smallestDetectable([{ a: tried(0.5), b: tried(0.5) }])({ alpha: 0.05, power: 0.8 })).toBeNull();
  expect(smallestDetectable([])({ alpha: 0.05, power: 0.8 })).toBeNull();
});

test('with replicates nothing is detectable where fewer cases differ than the test of their signs needs', () => {
  const leastOf = (differing: number) => {
    const pairs = Array.from({ length: 16 }, (_, place) => ({ a: tried(place < differing ? 1 : 0.5), b: tried(0.5) }));
    return smallestDetectable(pairs)({ alpha: 0.05, power: 0.8 });
  };
  expect(leastOf(5)).toBeNull();
  expect(signFlipTest([1, 1, 1, 1, 1, 0]).p).toBeGreaterThan(0.05);
  expect(leastOf(6)).toBeGreaterThan(0);
  expect(signFlipTest([1, 1, 1, 1, 1, 1]).p).toBeLessThan(0.05);
});
