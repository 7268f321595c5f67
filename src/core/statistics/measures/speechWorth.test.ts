import { expect, test } from 'vitest';
import type { PathStep } from '../../trajectory/verdictPath.ts';
import { speechWorth } from './speechWorth.ts';
import type { PairedTrial } from './swapMeasures.ts';

const resampling = { resamples: 400, seed: 1, level: 0.95 };
const terms = { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false };
const yes = (share: number) => ({ NO: 1 - share, YES: share });

const trial = (id: string, share: number, more: Partial<PairedTrial> = {}): PairedTrial => ({
  ...{ case: id, trial: id, replicate: 0, outcome: 'decided', incomplete: false, inconsistent: false, truth: null, groups: {} },
  ...{ prediction: share > 0.5 ? 'YES' : 'NO', confidence: null, belief: yes(share), path: null },
  ...more,
});

function worthOf(arms: Readonly<Record<string, readonly PairedTrial[]>>, runs: readonly (readonly [string, string])[]) {
  const speech = { arm: 'court', speech: 'turn-1/defense', runs: runs.map(([heard, withheld]) => ({ heard, withheld })) };
  const [found] = speechWorth([speech], (arm) => arms[arm] ?? [], terms, resampling);
  if (found === undefined) throw new Error('no worth');
  return { found, measure: (name: string) => found.measures.find((each) => each.name === name) };
}

test('the worth is the loss without the speech against the same seeds, each case weighing the same', () => {
  const { found, measure } = worthOf(
    {
      court: [trial('c0', 0.7), trial('c1', 0.4), trial('c2', 0.9)],
      seeds: [trial('c0', 0.6), trial('c2', 0.9, { outcome: 'timeout', prediction: null, belief: null })],
      silent: [trial('c0', 0.3), trial('c1', 0.4), trial('c2', 0.8)],
      silentSeeds: [trial('c0', 0.4), trial('c2', 0.1)],
    },
    [
      ['court', 'silent'],
      ['seeds', 'silentSeeds'],
    ],
  );
  // c0: (0.7 - 0.3 + 0.6 - 0.4) / 2 = 0.3; c1: 0; c2: 0.1, since its other pair failed.
  expect(measure('worth_belief')?.value).toBeCloseTo((0.3 + 0 + 0.1) / 3, 12);
  // c0 turns to NO without the speech under both seeds.
  expect(measure('worth_verdict')?.value).toBeCloseTo(1 / 3, 12);
  expect([measure('worth_belief')?.n, measure('worth_belief')?.cases, found]).toMatchObject([
    4,
    3,
    { pairs: 5, cases: 3, seeds: 2, label: 'YES' },
  ]);
});

test('of one case the interval is over the seeds, from six on', () => {
  const shares = [0.2, 0.3, 0.4, 0.25, 0.35, 0.3];
  const arms = Object.fromEntries(
    shares.flatMap((share, run) => [
      [`heard${run}`, [trial('c0', 0.5 + share)]],
      [`silent${run}`, [trial('c0', 0.5)]],
    ]),
  );
  const runs = shares.map((_, run) => [`heard${run}`, `silent${run}`] as const);
  const worth = worthOf(arms, runs).measure('worth_belief');
  expect(worth).toMatchObject({ n: 6, cases: 6, why_null: null });
  expect(worth?.value).toBeCloseTo(0.3, 12);
  expect(worth?.low).toBeGreaterThanOrEqual(0.2);
  expect(worth?.high).toBeLessThanOrEqual(0.4);
  const few = worthOf(arms, runs.slice(1)).measure('worth_belief');
  expect(few).toMatchObject({ n: 5, low: null, high: null });
  expect(few?.value).toBeCloseTo(0.32, 12);
  expect(few?.why_null).toContain('there are 5');
});

test('the observed movement is that of the original trials after this speech alone', () => {
  const step = (moment: PathStep['moment'], share: number, role: string | null): PathStep => ({
    ...{ moment, prediction: null, belief: yes(share) },
    ...(role === null ? { after: null, speech: null } : { after: `turn-1/${role}/utterance`, speech: { role, turn: 'opening' } }),
  });
  const path = {
    steps: [step('live', 0.8, 'prosecutor'), step('live', 0.55, 'defense'), step('ruling', 0.6, null)],
    initial: null,
  };
  const arms = { court: [trial('c0', 0.6, { path }), trial('c1', 0.6)], silent: [trial('c0', 0.6), trial('c1', 0.6)] };
  const { measure } = worthOf(arms, [['court', 'silent']]);
  // The belief fell by 0.25 after the defense, and yet the verdict would have been the same without it.
  expect(measure('observed_movement')).toMatchObject({ n: 1, value: expect.closeTo(-0.25, 12) });
  expect(measure('worth_belief')?.value).toBe(0);
});

test('pairs in which nobody whose belief counts heard the speech are left out and counted', () => {
  const unheard = { path: { steps: [], initial: null, unheard: { ownBelief: true } } };
  const heard = [trial('c0', 0.7), trial('c1', 0.6)];
  const { found, measure } = worthOf({ court: heard, silent: [trial('c0', 0.4), trial('c1', 0.6, unheard)] }, [
    ['court', 'silent'],
  ]);
  expect(found).toMatchObject({ pairs: 1, cases: 1, unheard: 1 });
  expect(measure('worth_belief')?.value).toBeCloseTo(0.3, 12);
  const none = worthOf({ court: heard.slice(1), silent: [trial('c1', 0.6, unheard)] }, [['court', 'silent']]);
  expect(none.measure('worth_belief')).toMatchObject({
    value: null,
    why_null: expect.stringContaining('nobody whose belief counts'),
  });
});
