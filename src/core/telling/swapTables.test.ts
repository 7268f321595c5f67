import { expect, test } from 'vitest';
import type { ChangeStatistics } from '../../shared/changeStatistics.ts';
import type { Measure, SwapStatistics } from '../../shared/statistics.ts';
import { swapTexts } from './swapTables.ts';

type Ends = readonly [value: number | null, low?: number | null, high?: number | null];

const measure = (name: string, [value, low = null, high = null]: Ends, more: Partial<Measure> = {}) =>
  ({ name, value, low, high, level: 0.95, n: 24, label: null, side: null, turn: null, ...more }) as Measure;

function said(flips: Ends, chance: Ends, change: Ends = [0], caution?: string) {
  const measures = [
    measure('flip_rate', flips),
    measure('replicate_flip_rate', chance),
    measure('positive_change', change, { label: 'refused', ...(caution === undefined ? {} : { caution }) }),
  ];
  const swap = { arm: 'court', swap: 'order', moves: [{ from: 'a', to: 'b', n: 5 }], measures } as unknown as SwapStatistics;
  return swapTexts({ swaps: [swap], positive: 'refused', arms: [] }).join('\n');
}

const begin = 'court: exchanging the order of the sides changed 5 of 24 verdicts';

test('what an exchange changed is compared with what trying again changes', () => {
  expect(said([0.208, 0.083, 0.417], [0.25, 0.089, 0.532])).toBe(
    `${begin} (20.8%, 95% interval 8.3% to 41.7%); two tries without an exchange differ in 25% of 24 pairs, 95% interval 8.9% to 53.2%, so no effect of the order of the sides is shown.`,
  );
  expect(said([0.6, 0.4, 0.8], [0.1, 0, 0.3])).toMatch(
    /10% of 24 pairs, 95% interval 0% to 30%: more verdicts change than by chance\.$/,
  );
});

test('a direction is named where interval and exact test speak for it', () => {
  expect(said([0.2, 0.1, 0.4], [0.25, 0.1, 0.5], [-0.125, -0.29, -0.04])).toMatch(
    /: with the exchange refused came out 12\.5 points less often \(95% interval −29 to −4\)\.$/,
  );
  expect(said([0.2, 0.1, 0.4], [0.25, 0.1, 0.5], [-0.125, -0.29, -0.04], 'too narrow')).toMatch(/so no effect .* is shown\.$/);
});

test('without a second try or without intervals nothing is concluded', () => {
  expect(said([0.2, 0.1, 0.4], [null])).toMatch(/no case was tried twice .* by chance is not known\.$/);
  expect(said([0.2], [0.25])).toBe(`${begin} (20%); two tries without an exchange differ in 25% of 24 pairs.`);
  expect(said([null], [0.25])).toBe('');
});

test('reversed examples are no sides, and tries with other seeds show what changes by chance', () => {
  const arm = { arm: 'alike', protocol: 'single' };
  const swap = { arm: 'alike', swap: 'order', moves: [], measures: [measure('flip_rate', [0])] } as unknown as SwapStatistics;
  const seeds = { arm: 'alike', measures: [measure('replicate_flip_rate', [0.333], { n: 15 })] } as unknown as ChangeStatistics;
  const reversed = 'alike: reversing the order of the examples changed 0 of 24 verdicts (0%)';
  const report = { swaps: [swap], positive: null, arms: [arm] };
  expect(swapTexts(report)).toEqual([expect.stringContaining(`${reversed}; no case was tried twice`)]);
  const ofFew = { arm: 'alike', measures: [measure('replicate_flip_rate', [1], { n: 2 })] } as unknown as ChangeStatistics;
  expect(swapTexts({ ...report, changes: [ofFew, seeds] })).toEqual([
    `${reversed}; two tries without an exchange differ in 33.3% of 15 pairs.`,
  ]);
});
