import { copyFileSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Part } from '../../../shared/part.ts';
import { openFolder, writeExperiment } from '../audit/testing/sampleStore.ts';
import { plan, run } from '../engine.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { startDemoServer } from '../models/demo/demoServer.ts';
import { merge } from '../newStores.ts';
import { summaryOf } from '../queries/experiment.ts';
import { kept } from '../testing/kept.ts';
import { reading } from '../testing/reading.ts';
import { endRooms, startRoom } from './testing/engineRoom.ts';
import { finished, pace, reached } from './testing/runs.ts';

const home = openFolder('part-runs');
const name = 'nlsy97-demo';
/** Five cases before two arms. */
const file = writeExperiment(home.folder, { cases: 5 });
const planned = 10;

const runInto = (url: string, store: string, how: { part?: Part; maxTrials?: number; enough?: number }) => {
  const stop = new AbortController();
  return run(file, {
    store,
    url,
    concurrency: how.enough === undefined ? 8 : 1,
    maxTrials: how.maxTrials ?? null,
    part: how.part,
    signal: stop.signal,
    onProgress({ done }) {
      if (done >= (how.enough ?? Number.POSITIVE_INFINITY)) stop.abort();
    },
  });
};

const triedIn = (store: string) =>
  reading(store, ({ trials }) => trials.ofExperiment(name).flatMap(({ trial, status }) => (status === 'done' ? [trial] : [])));

test('a part that was interrupted continues as that part on the screens and at the next start, and joins with the other', async () => {
  const { url } = kept(await startDemoServer({ profile: pace }));
  onTestFinished(endRooms);
  const start = home.path('start.db');
  await runInto(url, start, { maxTrials: 0 });
  const other = home.path('second.db');
  copyFileSync(start, other);
  const second = await runInto(url, other, { part: { number: 2, of: 2 } });
  const mine = planned - second.done;

  const folder = mkdtempSync(join(tmpdir(), 'assize-engine-'));
  const store = join(folder, 'store.db');
  copyFileSync(start, store);
  await expect(runInto(url, store, { part: { number: 1, of: 2 }, enough: 1 })).rejects.toMatchObject({ code: 'interrupted' });

  const room = await startRoom(folder);
  await room.client.settings.change({ ollamaUrl: url, concurrency: 1, continueRuns: true });
  const before = await room.client.experiments.read({ experiment: name });
  expect(before.summary).toMatchObject({ planned, part: { number: 1, of: 2, planned: mine } });
  // A trial that had begun may have ended after the interruption.
  const done = before.summary.part?.done ?? 0;
  expect(done).toBeGreaterThan(0);
  const report = await plan(file, { store, url, part: { number: 1, of: 2 } });
  expect(report).toMatchObject({ part: { number: 1, of: 2 }, trials: mine, done });
  expect(report.arms.reduce((sum, { remaining }) => sum + remaining, 0)).toBe(mine - done);
  expect(before.rest?.calls).toBe((report.calls.min + report.calls.max) / 2);
  await room.client.runs.resume({ experiment: name });
  await reached(room.client, name, (now) => now.done > done);
  await room.end();

  const next = await startRoom(folder);
  expect(await finished(next.client, name)).toMatchObject({ planned: mine, done: mine, resumed: 1 });
  const { summary, log } = await next.client.experiments.read({ experiment: name });
  expect(summary.part).toMatchObject({ planned: mine, done: mine, running: 0 });
  const starts = log.filter(({ event }) => event === 'run-start');
  expect(starts.map(({ detail }) => detail.part)).toEqual(Array.from({ length: 3 }, () => ({ number: 1, of: 2 })));
  await next.end();

  expect(new Set([...triedIn(store), ...triedIn(other)]).size).toBe(planned);
  const { check, repeated } = await merge([store, other], home.path('all.db'), {
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  expect([check.trials, repeated]).toEqual([planned, 0]);
});

test('in a store that has tried all parts nothing is said of the last one, and a log that cannot be read names none', async () => {
  const { url } = kept(await startDemoServer({ profile: pace }));
  const store = home.path('both.db');
  await runInto(url, store, { maxTrials: 0 });
  const partIn = () => reading(store, (opened) => summaryOf(opened, loadFrozen(opened, name)).part);
  await runInto(url, store, { part: { number: 1, of: 2 } });
  expect(await partIn()).toMatchObject({ number: 1, of: 2 });
  const log = new Database(store);
  const [{ detail } = { detail: '' }] = log
    .prepare<[], { detail: string }>("SELECT detail FROM run_log WHERE event = 'run-start'")
    .all();
  const change = log.prepare("UPDATE run_log SET detail = ? WHERE event = 'run-start'");
  change.run('{');
  expect(await partIn()).toBeUndefined();
  change.run(detail);
  log.close();
  await runInto(url, store, { part: { number: 2, of: 2 } });
  expect(triedIn(store)).toHaveLength(planned);
  expect(await partIn()).toBeUndefined();
});
