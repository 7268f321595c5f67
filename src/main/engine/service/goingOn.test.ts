import { cpSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { openPermissions } from '../permissions.ts';
import { openStore } from '../store/store.ts';
import { kept } from '../testing/kept.ts';
import { reading } from '../testing/reading.ts';
import { type Client, endRooms, type StartedRoom, startRoom } from './testing/engineRoom.ts';
import { draft, finished, pace, reached, runOf, tryDraft } from './testing/runs.ts';

let standin: DemoServer;

beforeEach(async () => {
  standin = await startDemoServer({ profile: pace });
});

afterEach(async () => {
  await endRooms();
  await standin.close();
});

async function start(folder?: string): Promise<StartedRoom> {
  const room = await startRoom(folder);
  await room.client.settings.change({ ollamaUrl: standin.url });
  return room;
}

/** A store on which the program was closed in the middle of a run. */
let cutShort: string;
/** How long the program takes here to start, to begin a run and to end. */
let usualMs: number;
beforeAll(async () => {
  const startedAt = performance.now();
  const server = await startDemoServer({ profile: pace });
  const room = await startRoom();
  await room.client.settings.change({ ollamaUrl: server.url });
  await room.client.experiments.start(draft('old', 6));
  await reached(room.client, 'old', ({ done }) => done > 0);
  await room.end();
  usualMs = performance.now() - startedAt;
  cutShort = mkdtempSync(join(tmpdir(), 'assize-cut-short-'));
  cpSync(room.folder, cutShort, { recursive: true });
  await server.close();
});
afterAll(() => rmSync(cutShort, { recursive: true }));

function copyOfCutShort(): string {
  const folder = mkdtempSync(join(tmpdir(), 'assize-engine-'));
  cpSync(cutShort, folder, { recursive: true });
  return folder;
}

describe('a planned run', () => {
  /** The oldest first. A slow machine may have warned that it can go to sleep. */
  const eventsOf = (log: readonly { readonly event: string }[]) =>
    log.flatMap(({ event }) => (event === 'run-warning' ? [] : event)).toReversed();
  const afterMs = (ms: number) => new Date(Date.now() + ms).toISOString();

  test('asks nothing before its time, also after the program was closed in between, then runs by itself, and nowhere else', async () => {
    const first = await start();
    await expect(first.client.experiments.start({ ...draft('wrong', 1), until: afterMs(-1000) })).rejects.toMatchObject({
      data: { field: 'until' },
    });
    const at = afterMs(2000 + 6 * usualMs);
    await first.client.experiments.start({ ...draft('night', 2), until: at });
    await reached(first.client, 'night', ({ state, paused_until: until }) => state === 'paused' && until === at);
    await first.end();
    const copied = mkdtempSync(join(tmpdir(), 'assize-engine-'));
    cpSync(first.folder, copied, { recursive: true });
    const elsewhere = await start(copied);
    expect(await runOf(elsewhere.client, 'night')).toMatchObject({ state: 'interrupted', paused_until: at });
    const second = await start(first.folder);
    expect(await runOf(second.client, 'night')).toMatchObject({ state: 'paused', paused_until: at, resumed: 0 });
    const { summary } = await second.client.experiments.read({ experiment: 'night' });
    expect(summary).toMatchObject({ running: 0, done: 0 });
    expect(standin.requests()).toEqual([]);
    await expect(second.client.runs.resume({ experiment: 'night', retry: ['timeout'], until: at })).rejects.toMatchObject({
      data: { field: 'until' },
    });
    await reached(second.client, 'night', ({ state }) => state === 'finished');
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(at));
    const { log } = await second.client.experiments.read({ experiment: 'night' });
    expect(eventsOf(log)).toEqual(['run-hold', 'run-continue', 'run-start', 'run-end']);
  });

  test('whose time passed while the program was closed waits for the user and says when it was planned', async () => {
    const first = await start();
    const at = afterMs(1000 + 3 * usualMs);
    await first.client.experiments.start({ ...draft('missed', 2), until: at });
    await first.end();
    expect(standin.requests()).toEqual([]);
    await expect.poll(() => Date.now(), { timeout: 100_000 }).toBeGreaterThan(Date.parse(at));
    const second = await start(first.folder);
    expect(await runOf(second.client, 'missed')).toMatchObject({ state: 'interrupted', paused_until: at });
    await second.client.runs.resume({ experiment: 'missed', until: afterMs(60_000) });
    await reached(second.client, 'missed', ({ state }) => state === 'paused');
    await second.client.runs.resume({ experiment: 'missed' });
    await reached(second.client, 'missed', ({ state }) => state === 'finished');
  });

  test('begins late where interrupted runs are to continue, and says so', async () => {
    const first = await start();
    await first.client.settings.change({ continueRuns: true });
    const at = afterMs(60_000);
    await first.client.experiments.start({ ...draft('late', 2), until: at });
    await first.end();
    vi.setSystemTime(Date.now() + 3600_000);
    onTestFinished(() => void vi.useRealTimers());
    const second = await start(first.folder);
    expect(await reached(second.client, 'late', ({ state }) => state === 'finished')).toMatchObject({ resumed: 0, done: 2 });
    const { log } = await second.client.experiments.read({ experiment: 'late' });
    expect(log.find(({ event }) => event === 'run-continue')?.detail).toEqual({ planned: at });
  });

  test('can be planned while its server is away, which is said, and waits for a server that comes up late', async () => {
    const port = Number(new URL(standin.url).port);
    await standin.close();
    const { client } = await start();
    await expect(client.experiments.start(draft('now', 1))).rejects.toMatchObject({ code: 'no-backend' });
    await client.experiments.start({ ...draft('night', 1), until: afterMs(2000 + 2 * usualMs) });
    await reached(
      client,
      'night',
      ({ state, warnings }) => state === 'paused' && warnings.some((each) => each.includes('Not ready yet')),
    );
    await reached(client, 'night', ({ state }) => state === 'running');
    standin = await startDemoServer({ profile: pace, port });
    await reached(client, 'night', ({ state, warnings }) => state === 'finished' && warnings.length === 0);
  });

  test('waits for its time once no other program writes to the store, and is forgotten when it is cancelled', async () => {
    const first = await start();
    const at = afterMs(60_000);
    await first.client.experiments.start({ ...draft('night', 2), until: at });
    await reached(first.client, 'night', ({ state }) => state === 'paused');
    await first.end();
    const store = join(first.folder, 'store.db');
    const writer = openStore(store, { create: false });
    const second = await start(first.folder);
    expect(await runOf(second.client, 'night')).toBeUndefined();
    writer.close();
    await reached(second.client, 'night', ({ state, paused_until: until }) => state === 'paused' && until === at);
    expect(openPermissions(store).hasPlanned('night', at)).toBe(true);
    await second.client.runs.stop({ experiment: 'night' });
    await reached(second.client, 'night', ({ state }) => state === 'stopped');
    expect(openPermissions(store).hasPlanned('night', at)).toBe(false);
  });
});

describe('an interrupted run', () => {
  test('is shown while nothing writes, left alone when the engine of a later start dies, and dismissed by stop for good', async () => {
    const folder = copyOfCutShort();
    const writer = openStore(join(folder, 'store.db'), { create: false });
    const later = await start(folder);
    expect(await runOf(later.client, 'old')).toBeUndefined();
    writer.close();
    const { summary } = await later.client.experiments.read({ experiment: 'old' });
    expect(summary.run).toMatchObject({ state: 'interrupted', closed: true });
    const shown = await runOf(later.client, 'old');
    expect(shown).toMatchObject({
      state: 'interrupted',
      backend: 'ollama',
      planned: 6,
      done: summary.done,
      decided: summary.outcomes.decided,
    });
    expect(shown?.done).toBeGreaterThan(0);

    const next = await later.killed();
    expect(await runOf(next.client, 'old')).toEqual(shown);
    expect(standin.requests()).toEqual([]);
    await next.client.runs.stop({ experiment: 'old' });
    expect(await runOf(next.client, 'old')).toMatchObject({ state: 'stopped', planned: 6 });
    await next.end();

    const last = await start(next.folder);
    expect(await runOf(last.client, 'old')).toBeUndefined();
    await last.client.runs.resume({ experiment: 'old' });
    await reached(last.client, 'old', ({ state }) => state === 'finished');
  });

  test('continues at the next start if the settings say so', async () => {
    const first = await start(copyOfCutShort());
    await first.client.settings.change({ continueRuns: true });
    expect(await runOf(first.client, 'old')).toMatchObject({ state: 'interrupted' });
    await first.end();
    const next = await start(first.folder);
    expect(await reached(next.client, 'old', ({ state }) => state === 'finished')).toMatchObject({ resumed: 1 });
  });

  test('is shown neither while it is under way in another program nor once it is done there', async () => {
    const folder = copyOfCutShort();
    const one = await start(folder);
    const watching = await start(folder);
    expect(await runOf(watching.client, 'old')).toMatchObject({ state: 'interrupted' });
    await one.client.runs.resume({ experiment: 'old' });
    await reached(one.client, 'old', ({ calls }) => calls > 0);
    const {
      experiments: [during],
    } = await watching.client.experiments.list({});
    expect(during).toMatchObject({ run: null, open_run: true });
    expect(await watching.client.engine.status({})).toMatchObject({ writtenElsewhere: true });
    expect(await one.client.engine.status({})).toMatchObject({ writtenElsewhere: false });
    // Pressed a moment too early: once the other program is seen at work, no error is left of it.
    await watching.client.runs.resume({ experiment: 'old' });
    await expect.poll(() => runOf(watching.client, 'old')).toMatchObject({ error: { code: 'store-in-use' } });
    const read = await watching.client.experiments.read({ experiment: 'old' });
    expect(read.summary.run).toBeNull();
    const other = await start(folder);
    expect(await runOf(other.client, 'old')).toBeUndefined();
    await reached(one.client, 'old', ({ state }) => state === 'finished');
    const {
      experiments: [after],
    } = await watching.client.experiments.list({});
    expect(after).toMatchObject({ planned: 6, done: 6, run: null, open_run: false });
    expect(await runOf(watching.client, 'old')).toBeUndefined();
  });
});

test('an interrupted run of all continues after one of its trials was tried again', async () => {
  const failing = await startDemoServer({ profile: pace, fault: () => ({ kind: 'truncated' }) });
  const before = await start();
  await before.client.settings.change({ ollamaUrl: failing.url, concurrency: 1 });
  await before.client.experiments.start(draft('one', 6));
  await reached(before.client, 'one', ({ done }) => done > 0);
  await before.end();
  await failing.close();

  const { client, store } = await start(before.folder);
  const { summary, lines } = {
    ...(await client.experiments.read({ experiment: 'one' })),
    ...(await client.experiments.trials({ experiment: 'one' })),
  };
  expect(summary).toMatchObject({ stopped_by_rule: false, run: { state: 'interrupted' } });
  const rowNow = () => reading(store, ({ runs }) => runs.of('one'));
  const row = rowNow();
  expect(row?.session).not.toBeNull();
  const failed = lines.filter(({ outcome }) => outcome === 'truncated');
  await client.runs.resume({ experiment: 'one', trial: failed[0]?.trial ?? '' });
  await reached(client, 'one', ({ state, finished_now }) => state === 'finished' && finished_now === 1);
  await expect(client.runs.resume({ experiment: 'one', trial: failed[0]?.trial ?? '' })).rejects.toMatchObject({
    code: 'bad-input',
  });
  const again = await client.experiments.read({ experiment: 'one' });
  expect(again.summary).toMatchObject({ done: summary.done, outcomes: { decided: 1 }, run: { state: 'interrupted' } });
  expect(rowNow()).toEqual(row);

  await client.runs.resume({ experiment: 'one' });
  expect(await reached(client, 'one', ({ state }) => state === 'finished')).toMatchObject({ planned: 6, done: 6 });
  expect(rowNow()?.session).toBeNull();
});

describe('a retry', () => {
  /** An experiment of which every trial failed, and a server that now answers well. */
  async function allFailed(cases: number) {
    const failing = await startDemoServer({ port: 0, profile: 'instant+truncated:1' });
    const host = await start();
    await host.client.settings.change({ ollamaUrl: failing.url });
    await host.client.experiments.start(draft('again', cases));
    await reached(host.client, 'again', ({ state }) => state === 'finished');
    await failing.close();
    await host.client.settings.change({ ollamaUrl: standin.url });
    const {
      experiments: [summary],
    } = await host.client.experiments.list({});
    const outcomes = Object.keys(summary?.outcomes ?? {});
    expect(outcomes).not.toContain('decided');
    return { host, outcomes };
  }

  const attemptsOf = async (client: Client) =>
    (await client.experiments.trials({ experiment: 'again' })).lines.map(({ outcome, attempt }) => `${outcome} ${attempt}`);

  test('continues after the engine has died, and tries nothing twice', { tags: 'exhaustive' }, async () => {
    const { host, outcomes } = await allFailed(6);
    await host.client.runs.resume({ experiment: 'again', retry: outcomes });
    await reached(host.client, 'again', ({ finished_now }) => finished_now > 0);
    const { client } = await host.killed();
    await reached(client, 'again', ({ state }) => state === 'finished');
    expect(await attemptsOf(client)).toEqual(Array.from({ length: 6 }, () => 'decided 2'));
    await client.runs.resume({ experiment: 'again' });
    await reached(client, 'again', ({ state, calls }) => state === 'finished' && calls === 0);
  });

  test('that fails again is not tried a third time after the engine has died', { tags: 'exhaustive' }, async () => {
    const { host, outcomes } = await allFailed(4);
    const failing = await startDemoServer({ port: 0, profile: pace, fault: () => ({ kind: 'truncated' }) });
    await host.client.settings.change({ ollamaUrl: failing.url });
    await host.client.runs.resume({ experiment: 'again', retry: outcomes });
    await reached(host.client, 'again', ({ finished_now }) => finished_now > 0);
    const { client } = await host.killed();
    await reached(client, 'again', ({ state }) => state === 'finished');
    const attempts = (await client.experiments.trials({ experiment: 'again' })).lines.map(({ attempt }) => attempt);
    expect(attempts).toEqual([2, 2, 2, 2]);
    await failing.close();
  });

  test('that is asked for while the run is paused is done when it continues', { tags: 'exhaustive' }, async () => {
    const failing = await startDemoServer({ port: 0, profile: pace, fault: () => ({ kind: 'truncated' }) });
    const { client } = await start();
    await client.settings.change({ ollamaUrl: failing.url });
    await client.experiments.start(draft('again', 6));
    await reached(client, 'again', ({ finished_now }) => finished_now > 0);
    await client.runs.pause({ experiment: 'again' });
    const {
      experiments: [summary],
    } = await client.experiments.list({});
    const failed = Object.keys(summary?.outcomes ?? {});
    expect(failed).not.toEqual([]);
    await client.settings.change({ ollamaUrl: standin.url });
    await client.runs.resume({ experiment: 'again', retry: failed });
    expect(await reached(client, 'again', ({ state }) => state === 'finished')).toMatchObject({ done: 6, decided: 6 });
    expect(await attemptsOf(client)).toContain('decided 2');
    await failing.close();
  });
});

describe('a store that is taken away under a run', () => {
  const away = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('store.db'));
  const sentence = { code: 'store-unreadable', message: expect.stringContaining('moved or removed') };

  test('ends the run with that reason, also in place of what the database then says', async () => {
    const { client, folder } = await start();
    await client.experiments.start(draft('gone', 6));
    await reached(client, 'gone', ({ calls }) => calls > 0);
    for (const name of away(folder)) rmSync(join(folder, name));
    const failed = await reached(client, 'gone', ({ state }) => state !== 'running');
    expect(failed).toMatchObject({ state: 'failed', error: sentence });
    expect(failed.error?.message).not.toContain(folder);
    expect(existsSync(join(folder, 'store.db'))).toBe(false);
  });

  test('and restored has its answers, and the run continues', async () => {
    const { client, folder, store } = await start();
    await client.experiments.start(draft('back', 4));
    await reached(client, 'back', ({ calls }) => calls > 0);
    const names = away(folder);
    for (const name of names) renameSync(join(folder, name), join(folder, `moved-${name}`));
    openStore(store, { create: true }).close();
    expect(await reached(client, 'back', ({ state }) => state !== 'running')).toMatchObject({ error: sentence });
    for (const name of away(folder)) rmSync(join(folder, name));
    for (const name of names.filter((each) => existsSync(join(folder, `moved-${each}`)))) {
      renameSync(join(folder, `moved-${name}`), join(folder, name));
    }
    await client.runs.resume({ experiment: 'back' });
    expect(await reached(client, 'back', ({ state }) => state !== 'running')).toMatchObject({ state: 'finished', done: 4 });
    expect(reading(store, ({ trials }) => trials.ofExperiment('back'))).toHaveLength(4);
  });
});

test('a paused run takes in a server that the settings have by then, and asks nothing twice', async () => {
  const { client } = await start();
  await client.experiments.start(draft('long', 12, 2));
  await reached(client, 'long', ({ done }) => done > 1);
  await client.runs.pause({ experiment: 'long' });
  await expect.poll(() => standin.requests().every(({ status }) => status !== null)).toBe(true);
  const second = kept(await startDemoServer({ profile: pace }));
  await client.settings.change({
    servers: [{ name: 'second', backend: { kind: 'ollama', url: second.url, joins: 'default' } }],
  });
  await client.runs.resume({ experiment: 'long' });
  await reached(client, 'long', ({ state }) => state === 'finished');
  const asked = [standin, second].map((server) => server.requests().map(({ seed }) => seed));
  expect(asked.every(({ length }) => length > 0)).toBe(true);
  expect(new Set(asked.flat()).size).toBe(asked.flat().length);
  const { log } = await client.experiments.read({ experiment: 'long' });
  expect(log.filter(({ event }) => event === 'run-start')).toHaveLength(2);
});

describe('a trial that is started by hand', () => {
  test('goes before the run that asks the same server, until it ends or is paused; others continue', async () => {
    const { client } = await start();
    await client.experiments.start(draft('long', 40, 2));
    await client.experiments.start({ ...draft('elsewhere', 2), backend: 'standin' });
    await reached(client, 'long', ({ calls }) => calls > 0);
    const { experiment } = await client.tries.start(tryDraft);
    const waits = await reached(client, 'long', ({ gives_way }) => gives_way);
    expect(waits.state).toBe('running');
    expect((await finished(client, 'elsewhere')).gives_way).toBe(false);
    await finished(client, experiment);
    const after = await reached(client, 'long', ({ gives_way, calls }) => !gives_way && calls > waits.calls);
    // Only what was under way came in between.
    expect(after.calls - waits.calls).toBeLessThan(2 * pace.machine.slots);

    const second = await client.tries.start(tryDraft);
    await reached(client, 'long', ({ gives_way }) => gives_way);
    await client.runs.pause({ experiment: second.experiment });
    await reached(client, 'long', ({ gives_way }) => !gives_way);
    await client.runs.resume({ experiment: second.experiment, retry: [] });
    await finished(client, second.experiment);
    await client.runs.stop({ experiment: 'long' });
    await reached(client, 'long', ({ state, gives_way }) => state === 'stopped' && !gives_way);
  });
});
