import { expect, test } from 'vitest';
import { leastText, shapleyText } from '../../telling/factTables.ts';
import { neededCoalitions } from '../shapley.ts';
import { factStatistics } from './factStatistics.ts';
import type { PairedTrial } from './swapMeasures.ts';

const terms = { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false };
const trial = (YES: number, more: Partial<PairedTrial> = {}): PairedTrial => ({
  ...{ case: 'c', trial: 't', replicate: 0, outcome: 'decided', incomplete: false, inconsistent: false, truth: null, groups: {} },
  ...{ prediction: YES > 0.5 ? 'YES' : 'NO', confidence: null, belief: { NO: 1 - YES, YES }, path: null },
  ...more,
});

/** Tries a case of facts a, b and c without sets of them. @param shareOf P(YES) by the facts that are left */
function tried(sets: readonly string[], shareOf: (left: string) => number, broken: readonly string[] = []) {
  const failed = { outcome: 'timeout', prediction: null, belief: null } as const;
  const trials = new Map([['court', trial(shareOf('abc'))]]);
  const arms = sets.map((set) => {
    trials.set(
      set,
      trial(shareOf([...'abc'].filter((fact) => !set.includes(fact)).join('')), broken.includes(set) ? failed : {}),
    );
    return { arm: set, facts: [...set], of: 3 };
  });
  const found = factStatistics('court', arms, (arm) => [trials.get(arm)].flatMap((each) => each ?? []), terms);
  if (found === null) throw new Error('nothing found');
  return found;
}

// YES as long as a or b is there, NO without both; c adds a little.
const either = (left: string) => (/[ab]/.test(left) ? 0.8 : 0.2) + (left.includes('c') ? 0.1 : 0);

test('the smallest sets that flip are found, and the sentence says what was tried', () => {
  const singles = tried(['a', 'b', 'c'], either);
  expect(leastText(singles)).toBe('Leaving out facts does not flip the verdict. Tried: 3 of 3 single facts, no pairs.');
  expect(leastText(tried(['abc'], () => 0.8))).toMatch(/Tried: 1 of 1 sets of 3\.$/);
  expect(singles.shapley).toBeNull();
  const pairs = tried(['a', 'b', 'c', 'ab', 'ac', 'bc'], either, ['bc']);
  expect(pairs.smallest).toEqual([['a', 'b']]);
  expect(leastText(pairs)).toBe(
    'The smallest change of facts found that flips the verdict: without a and b. Tried: 3 of 3 single facts, 2 of 3 pairs.',
  );
  // What is larger than the smallest was not needed.
  expect(leastText(tried(['a', 'ab'], (left) => (left.includes('a') ? 0.8 : 0.2)))).toMatch(
    /without a\. Tried: 1 of 3 single facts\.$/,
  );
});

test('Shapley values share out the probability by hand, and sum to all less none', () => {
  const sets = neededCoalitions(3, null).flatMap((each) => {
    const left = [...'abc'].filter((_, place) => each[place] === '0').join('');
    return left === '' ? [] : [left];
  });
  const { shapley, ...rest } = tried(sets, either);
  // a and b: each brings the 0.6 where it comes before the other, that is half the time.
  expect(shapley?.values.map(({ fact }) => fact)).toEqual(['a', 'b', 'c']);
  for (const [place, value] of [0.3, 0.3, 0.1].entries()) expect(shapley?.values[place]?.value).toBeCloseTo(value, 12);
  expect([shapley?.method, shapley?.all, shapley?.none]).toEqual(['exact', 0.9, 0.2]);
  expect(shapleyText({ ...rest, shapley })).toContain('sum to +70 points: 90% with all facts minus 20% with none');
  expect(tried(sets, either, ['abc']).shapley).toBeNull();
});
