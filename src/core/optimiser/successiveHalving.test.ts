import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomGenerator } from '../cases/shuffle.ts';
import { comparisonsOf, contender } from '../statistics/measures/comparisons.ts';
import { trial } from '../statistics/measures/trials.fixture.ts';
import { rungsOf, successiveHalving } from './successiveHalving.ts';

const candidates = Array.from({ length: 8 }, (_, index) => `c${index}`);

describe('the stages', () => {
  test('are as derived by hand: 8, 4, 2 candidates on 10, 20, 40 further cases', () => {
    expect(rungsOf(8, 70)).toEqual([
      { from: 0, to: 10, keep: 4 },
      { from: 10, to: 30, keep: 2 },
      { from: 30, to: 70, keep: 1 },
    ]);
    expect(rungsOf(1, 70)).toEqual([]);
    expect(() => rungsOf(8, 2)).toThrow(RangeError);
  });

  test('use every case once and leave one candidate', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 80, max: 500 }), (count, cases) => {
        const rungs = rungsOf(count, cases);
        expect(rungs.map(({ from }) => from)).toEqual([0, ...rungs.slice(0, -1).map(({ to }) => to)]);
        expect(rungs.at(-1)).toMatchObject({ to: cases, keep: 1 });
      }),
    );
  });
});

/** Answers of candidates to cases that are easy or hard for all of them: right with a probability that the case moves. */
function world(seed: number, rightOf: (candidate: string) => number) {
  const generator = randomGenerator(seed, 'split');
  const draw = () => (generator.next() >>> 0) / 2 ** 32;
  const hardness = Array.from({ length: 800 }, () => 0.3 * (draw() - 0.5));
  const known = new Map<string, boolean>();
  const isRight = (candidate: string, place: number) => {
    const key = `${candidate}/${place}`;
    const found = known.get(key) ?? draw() < rightOf(candidate) + (hardness[place] ?? 0);
    known.set(key, found);
    return found;
  };
  const tryOn = (some: readonly string[], { from, to }: { from: number; to: number }) =>
    Promise.resolve(
      new Map(some.map((each) => [each, Array.from({ length: to - from }, (_, at) => (isRight(each, from + at) ? 1 : 0))])),
    );
  return { isRight, tryOn };
}

test('a planted best candidate is found in at least 9 of 10 seeds, and losers cost little', async () => {
  let found = 0;
  for (let seed = 0; seed < 10; seed++) {
    const { tryOn } = world(seed, (candidate) => (candidate === 'c5' ? 0.75 : 0.55));
    const standings = await successiveHalving(candidates, 300, tryOn);
    if (standings[0]?.candidate === 'c5') found += 1;
    const trials = standings.reduce((sum, { right }) => sum + right.length, 0);
    expect(trials).toBeLessThan(0.5 * 8 * 300);
  }
  expect(found).toBeGreaterThanOrEqual(9);
});

// 20 cases are the fewest that a search confirms on.
test.each([20, 100])(
  'where all are equal, the interval of the winner on %i other cases covers no difference in 95 of 100 runs',
  async (cases) => {
    const runs = 200;
    let covered = 0;
    let optimistic = 0;
    for (let seed = 0; seed < runs; seed++) {
      const { isRight, tryOn } = world(seed, () => 0.6);
      const [winner] = await successiveHalving(candidates, 300, tryOn);
      const name = winner?.candidate ?? '';
      optimistic += (winner?.right ?? []).reduce((sum, each) => sum + each, 0) / 300 / runs;
      const answers = (who: string) =>
        contender(
          who,
          false,
          () => Array.from({ length: cases }, (_, at) => trial(`x${at}`, { prediction: isRight(who, 400 + at) ? 'NO' : 'YES' })),
          { labels: ['NO', 'YES'], multiLabel: false },
        );
      const [comparison] = comparisonsOf([answers(name), answers('shipped')], { resamples: 400, seed, level: 0.95 }).comparisons;
      const { low, high } = comparison?.difference ?? { low: null, high: null };
      if (low !== null && high !== null && low <= 0 && high >= 0) covered += 1;
    }
    // 190 of 200 are expected; fewer than 182 would be at a rate of 95% in 1 of 100 such tests.
    expect(covered).toBeGreaterThanOrEqual(182);
    // What it was chosen by is no estimate: better than the true 60%.
    expect(optimistic).toBeGreaterThan(0.61);
  },
);

test('the same answers choose the same candidate, and of equals the first', async () => {
  const tryOn = (some: readonly string[], { from, to }: { from: number; to: number }) =>
    Promise.resolve(new Map(some.map((each) => [each, Array.from({ length: to - from }, () => 1)])));
  expect((await successiveHalving(candidates, 70, tryOn)).map(({ candidate, rungs }) => [candidate, rungs])).toEqual([
    ['c0', 3],
    ['c1', 3],
    ['c2', 2],
    ['c3', 2],
    ['c4', 1],
    ['c5', 1],
    ['c6', 1],
    ['c7', 1],
  ]);
});
