import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { daemonSettingsSchema } from '../../../../shared/api/daemon.ts';
import { type SupervisorClock, systemClock } from '../../service/supervisor.ts';
import { kept } from '../../testing/kept.ts';
import { createDispatcher } from '../dispatcher.ts';
import { serve } from '../testing/server.ts';
import { type OwnDaemon, type OwnPatience, type OwnStatus, openOwnDaemon } from './ownDaemon.ts';
import { type FakeBehaviour, type FakeOllama, fakeOllama } from './testing/fakeOllama.ts';

const settings = daemonSettingsSchema.parse({});
const brief = { restart: [1, 1], stop: 300, look: 20 } as const;

function own(
  behaviour: FakeBehaviour = {},
  { patience = {}, clock = systemClock }: { patience?: Partial<OwnPatience>; clock?: SupervisorClock } = {},
) {
  const fake = fakeOllama(behaviour);
  const ask = createDispatcher({ allowedHosts: [] });
  const env = { PATH: process.env.PATH, ...fake.env };
  const daemon = openOwnDaemon({ store: join(fake.folder, 'store.db'), ask, env, clock, patience: { ...brief, ...patience } });
  onTestFinished(async () => {
    await daemon.stop();
    await ask.close();
    expect(fake.survivors()).toEqual([]);
    fake.remove();
  });
  return { fake, daemon, start: () => daemon.start({ program: fake.program, settings }) };
}

const reached = (daemon: OwnDaemon, fits: (status: OwnStatus) => boolean): Promise<OwnStatus> =>
  new Promise((resolve) => {
    const look = () => {
      const now = daemon.status();
      if (!fits(now)) return;
      forget();
      resolve(now);
    };
    const forget = daemon.onChange(look);
    look();
  });

const notes = ({ folder }: FakeOllama) => readdirSync(folder).filter((name) => name.startsWith('store.ollama-'));

test('it is started, answers, is noted next to the store while it runs, and ends when asked to', async () => {
  const { fake, daemon, start } = own();
  expect(daemon.status()).toMatchObject({ state: 'stopped', url: null, pid: null });
  await start();
  const status = daemon.status();
  expect(status).toMatchObject({
    state: 'ready',
    version: '0.33.0',
    cloud: 'off',
    deaths: 0,
    last_end: null,
    problem: null,
    reproducible: false,
  });
  const [life] = fake.lives();
  expect(status.pid).toBe(life?.pid);
  // Security 31: it listens on 127.0.0.1, with its cloud features off.
  expect(life?.env).toMatchObject({ OLLAMA_NO_CLOUD: '1', OLLAMA_HOST: expect.stringMatching(/^127\.0\.0\.1:\d+$/) });
  expect(status.url).toBe(`http://${life?.env.OLLAMA_HOST}`);
  expect(await (await fetch(`${status.url}/`)).text()).toBe('Ollama is running');
  expect(daemon.log().lines.at(-1)?.text).toContain('Listening on 127.0.0.1:');
  expect(notes(fake)).toHaveLength(1);
  await daemon.stop();
  expect(daemon.status()).toMatchObject({ state: 'stopped', url: null, pid: null, problem: null });
  expect(fake.survivors()).toEqual([]);
  expect(notes(fake)).toEqual([]);
});

test('security 31: one whose cloud features are on all the same is ended, and the reason shown', async () => {
  const { fake, daemon, start } = own({ cloud: 'on' });
  await start();
  expect(daemon.status()).toMatchObject({
    state: 'failed',
    pid: null,
    problem: expect.stringContaining('cloud features are on'),
  });
  expect(fake.survivors()).toEqual([]);
});

test('one too old to report its cloud features runs, and a sentence says so', async () => {
  const { daemon, start } = own({ cloud: 'untold', version: '0.1.0' });
  await start();
  expect(daemon.status()).toMatchObject({
    state: 'ready',
    version: '0.1.0',
    cloud: null,
    problem: expect.stringContaining('does not say'),
  });
});

test('one that takes its time is waited for, and a sentence says so', async () => {
  const { daemon, start } = own({ startMs: 600 }, { patience: { slow: 100 } });
  const started = start();
  const slow = await reached(daemon, ({ problem }) => problem !== null);
  expect(slow).toMatchObject({ state: 'starting', problem: 'Ollama takes its time to start; it is given 60 s.' });
  await started;
  expect(daemon.status()).toMatchObject({ state: 'ready', problem: null });
});

test('one that does not answer in the time that it is given is ended', async () => {
  const { fake, daemon, start } = own({ startMs: 60_000 }, { patience: { ready: 400 } });
  await start();
  expect(daemon.status()).toMatchObject({ state: 'failed', problem: expect.stringContaining('gave no version within 0.4 s') });
  expect(fake.survivors()).toEqual([]);
});

test('where its port is taken meanwhile it gets another one, which counts as no death', async () => {
  const { fake, daemon, start } = own({ takenPorts: 2 });
  await start();
  expect(daemon.status()).toMatchObject({ state: 'ready', deaths: 0, last_end: null });
  expect(new Set(fake.lives().map(({ env }) => env.OLLAMA_HOST)).size).toBe(3);
});

test('where every port is taken it is given up', async () => {
  const { daemon, start } = own({ takenPorts: 100 });
  await start();
  expect(daemon.status()).toMatchObject({ state: 'failed', problem: expect.stringContaining('ports taken') });
});

test('a death is noticed, and it is started again at the same address', async () => {
  const { fake, daemon, start } = own();
  await start();
  const { url, pid } = daemon.status();
  process.kill(pid ?? 0, 'SIGKILL');
  const restarting = await reached(daemon, ({ state }) => state === 'restarting');
  expect(restarting).toMatchObject({
    deaths: 1,
    last_end: { code: null, signal: 'SIGKILL' },
    problem: expect.stringContaining('signal SIGKILL'),
  });
  expect(restarting.next_start_ms).not.toBeNull();
  const again = await reached(daemon, ({ state }) => state === 'ready');
  expect(again).toMatchObject({ url, deaths: 1, next_start_ms: null, problem: null });
  expect(again.pid).not.toBe(pid);
  expect(fake.lives()).toHaveLength(2);
});

test('one that keeps dying is given up, with what it said last', async () => {
  const { fake, daemon, start } = own({ earlyDeaths: 100 });
  await start();
  expect(daemon.status()).toMatchObject({
    state: 'failed',
    deaths: 3,
    last_end: { code: 1, signal: null },
    problem: expect.stringMatching(/ended 3 times in a row .*permission denied/),
  });
  expect(fake.lives()).toHaveLength(3);
});

test('a program that cannot run is given up with the reason', async () => {
  const { fake, daemon } = own();
  await daemon.start({ program: join(fake.folder, 'gone'), settings });
  expect(daemon.status()).toMatchObject({ state: 'failed', problem: expect.stringContaining('exit code 127') });
});

test('one that has answered for a while may die again and again; soon after its start it may not', {
  tags: 'exhaustive',
}, async () => {
  const kept = own({ lateDeaths: 5 }, { patience: { kept: 0 } });
  await kept.start();
  expect(await reached(kept.daemon, ({ state, deaths }) => state === 'ready' && deaths === 5)).toMatchObject({ problem: null });
  const soon = own({ lateDeaths: 5 });
  await soon.start();
  expect(await reached(soon.daemon, ({ state }) => state === 'failed')).toMatchObject({
    deaths: 3,
    problem: expect.stringContaining('panic: runtime error'),
  });
});

test('between two starts it waits as long as its clock says, and can be stopped then', async () => {
  const asked: number[] = [];
  // Only short waits move this clock, so that only a stop ends the wait before the restart.
  const clock: SupervisorClock = {
    now: systemClock.now,
    after(milliseconds, action) {
      asked.push(milliseconds);
      return milliseconds >= 10_000 ? () => undefined : systemClock.after(milliseconds, action);
    },
  };
  const { fake, daemon, start } = own({ earlyDeaths: 100 }, { clock, patience: { restart: [10_000] } });
  const started = start();
  await reached(daemon, ({ state }) => state === 'restarting');
  expect(asked).toContain(10_000);
  expect(daemon.status().next_start_ms).toBeGreaterThan(5_000);
  await daemon.stop();
  await started;
  expect(daemon.status()).toMatchObject({ state: 'stopped', next_start_ms: null });
  expect(fake.lives()).toHaveLength(1);
});

test('one that does not hear its interrupt is killed, with what it has started', async () => {
  const { fake, daemon, start } = own({ deaf: true, child: true });
  await start();
  expect(fake.survivors().length).toBeGreaterThan(1);
  await daemon.stop();
  expect(fake.survivors()).toEqual([]);
});

test('what it has started ends with it, also when it ends unexpectedly', async () => {
  const { fake, daemon, start } = own({ child: true }, { patience: { restart: [] } });
  await start();
  process.kill(daemon.status().pid ?? 0, 'SIGKILL');
  await reached(daemon, ({ state }) => state === 'failed');
  expect(fake.survivors()).toEqual([]);
});

test('endless output is read on, and little of it is stored', async () => {
  const { daemon, start } = own({ chatter: true });
  await start();
  await reached(daemon, () => daemon.log().dropped > 1_000);
  const { lines } = daemon.log();
  expect(lines).toHaveLength(400);
  expect(Math.max(...lines.map(({ text }) => text.length))).toBeLessThanOrEqual(501);
  expect(lines.every(({ text }) => /^[xy]+…?$/.test(text))).toBe(true);
});

test('one that is stopped before it has answered ends the wait, though it does not hear its interrupt', {
  tags: 'exhaustive',
}, async () => {
  const { fake, daemon, start } = own({ startMs: 600_000, deaf: true, child: true }, { patience: { stop: 600_000 } });
  const started = start();
  await reached(daemon, () => fake.lives().length > 0);
  await expect.poll(() => fake.survivors().length).toBeGreaterThan(1);
  await daemon.stop();
  await started;
  expect(fake.survivors()).toEqual([]);
  expect(notes(fake)).toEqual([]);
});

test('several starts at once start one, and a stop without a start does nothing', async () => {
  const { fake, daemon, start } = own();
  await daemon.stop();
  await Promise.all([start(), start(), start()]);
  await start();
  expect(fake.lives()).toHaveLength(1);
  await Promise.all([daemon.stop(), daemon.stop()]);
  expect(daemon.status().state).toBe('stopped');
});

test('starts and stops leave no process, no note and no handle', { tags: 'exhaustive' }, async () => {
  const { fake, daemon, start } = own({ child: true });
  const handles = () => process.getActiveResourcesInfo().filter((kind) => /Process|Pipe|Server/.test(kind)).length;
  const descriptors = () => readdirSync('/proc/self/fd').length;
  await start();
  await daemon.stop();
  const before = { handles: handles(), descriptors: descriptors() };
  for (let cycle = 0; cycle < 8; cycle++) {
    await start();
    expect(daemon.status().state).toBe('ready');
    await daemon.stop();
  }
  expect(fake.lives()).toHaveLength(9);
  expect(fake.survivors()).toEqual([]);
  expect(notes(fake)).toEqual([]);
  // A guard has a moment left after its daemon.
  await expect.poll(handles, { timeout: 30_000 }).toBeLessThanOrEqual(before.handles);
  await expect.poll(descriptors, { timeout: 30_000 }).toBeLessThanOrEqual(before.descriptors + 3);
});

test('an engine of its that found a port taken does not move one that has answered to another port', async () => {
  const lastWords = 'llama-server: bind: address already in use';
  const { fake, daemon, start } = own({ lateDeaths: 1, lastWords }, { patience: { slow: 0 } });
  await start();
  await reached(daemon, ({ state, deaths }) => state === 'ready' && deaths === 1);
  const [first, second] = fake.lives();
  expect(second?.env.OLLAMA_HOST).toBe(first?.env.OLLAMA_HOST);
});

test('a start during a stop restarts it, unless it is stopped again', async () => {
  const { fake, daemon, start } = own({ endMs: 200 }, { patience: { stop: 5_000 } });
  await start();
  const stopping = daemon.stop();
  expect(daemon.status().slots).toBe(1);
  await start();
  await stopping;
  expect(daemon.status().state).toBe('ready');
  expect(fake.lives()).toHaveLength(2);
  const [first, overtaken, last] = [daemon.stop(), start(), daemon.stop()];
  await Promise.all([first, overtaken, last]);
  expect(daemon.status().state).toBe('stopped');
  expect(fake.lives()).toHaveLength(2);
});

test('when it is restarted it listens where it did, unless another program does', async () => {
  const { fake, daemon, start } = own();
  await start();
  const { url } = daemon.status();
  await daemon.stop();
  await start();
  expect(daemon.status()).toMatchObject({ state: 'ready', url });
  await daemon.stop();
  kept(await serve((_request, response) => response.end('Ollama is running'), { port: Number(new URL(url ?? '').port) }));
  await start();
  expect(daemon.status().state).toBe('ready');
  expect(daemon.status().url).not.toBe(url);
  expect(fake.lives()).toHaveLength(3);
});
