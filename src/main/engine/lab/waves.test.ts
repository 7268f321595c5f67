import { expect, test } from 'vitest';
import { startDemoServer } from '../models/demo/demoServer.ts';
import { emptyDisk } from '../models/demo/pulls.ts';
import { kept } from '../testing/kept.ts';
import type { ReadyBackend } from './backends.ts';
import { loadFrozen } from './frozen.ts';
import { serverKnowledge } from './serverKnowledge.ts';
import { openLaboratory, type Plan } from './testing/laboratory.ts';

/** Trials of two models, each of which takes a quarter of a second to load, where so many fit into memory. */
async function laboratory(room: number, more: Partial<Plan> = {}) {
  const machine = { timed: true, decodeRate: 1e5, promptRate: 1e7, loadRate: 2.5e9, slots: 32, room };
  const server = kept(await startDemoServer({ port: 0, profile: { base: 'instant', machine }, disk: emptyDisk() }));
  const arms = { court: { '*': 'a:1', judge: 'b:1' } };
  const lab = kept(await openLaboratory({ url: server.url, cases: 30, arms, ...more }));
  return {
    ...lab,
    url: server.url,
    /** Calls, and those of them that waited for a model to be loaded. */
    counted() {
      const answers = lab.trials.flatMap(({ id }) => lab.chain(id)).filter(({ kind }) => kind === 'call-answer');
      const waited = answers.filter(({ payload }) => 'loadMs' in payload && Number(payload.loadMs) > 100);
      return { calls: answers.length, waited: waited.length };
    },
  };
}

test('where two models take turns in memory, trials are opened until each is loaded seldom', async () => {
  const lab = await laboratory(1);
  expect(await lab.run({ concurrency: 2 })).toMatchObject({ done: 30, outcomes: { decided: 30 } });
  expect(lab.log()).toContain('run-wave');
  const { calls, waited } = lab.counted();
  expect(waited).toBeLessThan(calls / 4);
});

test('where both fit, and where answers are to come again alike, no further trial is opened', async () => {
  const fits = await laboratory(2, { cases: 6 });
  await fits.run({ concurrency: 2 });
  expect(fits.log()).not.toContain('run-wave');
  const again = await laboratory(1, { cases: 1, runtime: { reproducible: true } });
  await again.run();
  expect(again.log()).not.toContain('run-wave');
});

test('in the order of the file, trials begin arm by arm, whatever is loaded for that', async () => {
  const lab = await laboratory(1, {
    arms: { one: 'a:1', other: 'b:1', third: 'a:1' },
    cases: 2,
    runtime: { order: 'as-written' },
  });
  const begun: string[] = [];
  await lab.run({ concurrency: 1, onTrial: (trial) => begun.push(trial) });
  expect([...new Set(begun)]).toEqual(lab.trials.map(({ id }) => id));
  expect(lab.trials.map(({ arm }) => arm)).toEqual(['one', 'one', 'other', 'other', 'third', 'third']);
});

test('with fewer cases than places, arms of other models wait, and what was seen is known to the next run', async () => {
  const lab = await laboratory(1, { arms: { one: 'a:1', other: 'b:1', third: 'c:1' }, cases: 3 });
  expect(await lab.run({ concurrency: 4 })).toMatchObject({ done: 9 });
  // Three calls wait for each model; some more where two were tried together.
  const { calls, waited } = lab.counted();
  expect(waited).toBeGreaterThanOrEqual(9);
  expect(waited).toBeLessThan(calls / 4);
  const backends = new Map([['default', { model: { url: lab.url } } as unknown as ReadyBackend]]);
  const known = serverKnowledge(lab.store, loadFrozen(lab.store, 'laboratory'), backends, new Map());
  expect(known.loadMs()).toBeGreaterThan(200);
  expect(known.callMs('one')).toBeGreaterThan(1);
});
