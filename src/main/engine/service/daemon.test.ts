import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { daemonSettingsSchema } from '../../../shared/api/daemon.ts';
import { settingsSchema } from '../../../shared/api/engine.ts';
import { type FakeBehaviour, fakeOllama } from '../models/daemon/testing/fakeOllama.ts';
import { startDemoServer } from '../models/demo/demoServer.ts';
import { createDispatcher } from '../models/dispatcher.ts';
import { lastingPort, serve } from '../models/testing/server.ts';
import { kept } from '../testing/kept.ts';
import { openDaemonManager } from './daemon.ts';
import { type SupervisorClock, systemClock } from './supervisor.ts';

interface Given {
  readonly ollamaUrl?: string;
  readonly startOwn?: boolean;
  readonly allowedHosts?: string[];
  readonly behaviour?: FakeBehaviour;
  readonly program?: boolean;
  readonly env?: Record<string, string>;
  readonly clock?: SupervisorClock;
  /** Called whenever the program of Ollama is looked for, as after each look at the server. */
  readonly onSearch?: () => void;
}

async function manager({ program = true, ...given }: Given = {}) {
  const fake = fakeOllama(given.behaviour);
  const ollamaUrl = given.ollamaUrl ?? `http://127.0.0.1:${await lastingPort()}`;
  let settings = settingsSchema.parse({
    ollamaUrl,
    allowedHosts: given.allowedHosts ?? [],
    daemon: daemonSettingsSchema.parse({ startOwn: given.startOwn ?? true }),
  });
  const network = createDispatcher({ allowedHosts: given.allowedHosts ?? [] });
  const errors: unknown[] = [];
  const env = {
    PATH: process.env.PATH,
    ASSIZE_OLLAMA: program ? fake.program : '/nonexistent/ollama',
    ...fake.env,
    ...given.env,
  };
  const executable = (path: string) => {
    given.onSearch?.();
    return path === fake.program;
  };
  const opened = openDaemonManager({
    store: join(fake.folder, 'store.db'),
    settings: { read: () => settings },
    network,
    around: () => ({ platform: process.platform, env, home: fake.folder, executable }),
    keepError: (error) => errors.push(error),
    ...(given.clock === undefined ? {} : { clock: given.clock }),
  });
  onTestFinished(async () => {
    await opened.close();
    await network.close();
    expect(fake.survivors()).toEqual([]);
    expect(errors).toEqual([]);
    fake.remove();
  });
  return {
    manager: opened,
    fake,
    ollamaUrl,
    network,
    set: (change: Partial<typeof settings>) => (settings = { ...settings, ...change }),
  };
}

/** A server that answers so; at an address where none is, if one is given. */
const listening = async (answer: (path: string) => string, url?: string) =>
  kept(
    await serve(
      (request, response) => response.end(answer(request.url ?? '')),
      url === undefined ? {} : { port: Number(new URL(url).port) },
    ),
  );

test('without a program and without a server there is none, and a sentence says what to do', async () => {
  const { manager: daemon, ollamaUrl } = await manager({ program: false });
  expect(await daemon.look()).toEqual({
    state: 'absent',
    own: false,
    url: ollamaUrl,
    version: null,
    cloud: null,
    standin: false,
    program: null,
    pid: null,
    deaths: 0,
    last_end: null,
    next_start_ms: null,
    problem: expect.stringContaining('ASSIZE_OLLAMA names no program'),
  });
  expect(await daemon.start()).toMatchObject({ state: 'absent', own: false });
});

test('with a program and without a server it can be started, and takes the address until it is stopped', async () => {
  const { manager: daemon, ollamaUrl, fake } = await manager();
  expect(await daemon.look()).toMatchObject({
    state: 'away',
    program: 'configured',
    problem: expect.stringContaining(ollamaUrl),
  });
  expect(daemon.url()).toBe(ollamaUrl);
  const started = await daemon.start();
  expect(started).toMatchObject({
    state: 'ready',
    own: true,
    version: '0.33.0',
    cloud: 'off',
    pid: fake.lives()[0]?.pid,
    problem: null,
  });
  expect(daemon.url()).toBe(started.url);
  expect(daemon.url()).not.toBe(ollamaUrl);
  expect(await daemon.start()).toEqual(started);
  expect(
    daemon
      .log()
      .lines.map(({ text }) => text)
      .join(),
  ).toContain('Listening on');
  expect(await daemon.stop()).toMatchObject({ state: 'away', own: false, url: ollamaUrl, pid: null });
  expect(daemon.url()).toBe(ollamaUrl);
  expect(fake.lives()).toHaveLength(1);
});

test("another's Ollama is used, never doubled and never stopped", async () => {
  const theirs = await listening((path) =>
    path === '/'
      ? 'Ollama is running'
      : JSON.stringify(path === '/api/version' ? { version: '0.20.1' } : { cloud: { disabled: false } }),
  );
  const { manager: daemon, fake } = await manager({ ollamaUrl: theirs.url });
  expect(await daemon.start()).toMatchObject({
    state: 'ready',
    own: false,
    url: theirs.url,
    version: '0.20.1',
    cloud: 'on',
    pid: null,
  });
  await daemon.ensure();
  expect(await daemon.stop()).toMatchObject({ state: 'ready', own: false });
  await daemon.close();
  expect(fake.lives()).toEqual([]);
  expect(await (await fetch(theirs.url)).text()).toBe('Ollama is running');
});

test('a demo model is known as one', async () => {
  const standin = kept(await startDemoServer({ profile: 'instant' }));
  const { manager: daemon } = await manager({ ollamaUrl: standin.url });
  expect(await daemon.look()).toMatchObject({ state: 'ready', standin: true, cloud: 'off' });
});

test('a server that is no Ollama is reported, and nothing is started in its place', async () => {
  const theirs = await listening(() => '<html>nginx</html>');
  const { manager: daemon, fake } = await manager({ ollamaUrl: theirs.url });
  expect(await daemon.start()).toMatchObject({
    state: 'away',
    own: false,
    problem: expect.stringContaining('does not answer as Ollama does'),
  });
  expect(fake.lives()).toEqual([]);
});

test('another machine is not asked unless it is allowed, and nothing is started in its place', async () => {
  const { manager: daemon, fake, network } = await manager({ ollamaUrl: 'http://models.invalid:11434' });
  expect(await daemon.start()).toMatchObject({
    state: 'away',
    problem: expect.stringContaining('models.invalid is not this machine'),
  });
  await daemon.ensure();
  expect(network.refused()).toBe(0);
  expect([...network.connections()]).toEqual([]);
  const allowed = await manager({ ollamaUrl: 'http://models.invalid:11434', allowedHosts: ['models.invalid'] });
  expect(await allowed.manager.start()).toMatchObject({
    state: 'away',
    problem: expect.stringContaining('not started from here'),
  });
  expect([...fake.lives(), ...allowed.fake.lives()]).toEqual([]);
});

test('where the settings have the usual address, OLLAMA_HOST says where Ollama is', async () => {
  const theirs = await listening(() => 'Ollama is running');
  const { manager: daemon, set } = await manager({
    ollamaUrl: 'http://127.0.0.1:11434',
    env: { OLLAMA_HOST: theirs.url.replace('http://127.0.0.1', '0.0.0.0') },
  });
  expect(daemon.url()).toBe(theirs.url);
  expect(await daemon.look()).toMatchObject({ state: 'ready', own: false, url: theirs.url, version: null });
  set({ ollamaUrl: 'http://127.0.0.1:9' });
  expect(daemon.url()).toBe('http://127.0.0.1:9');
});

test('before a run it is started where the settings say so, and not otherwise', async () => {
  const off = await manager({ startOwn: false });
  await off.manager.ensure();
  expect(off.fake.lives()).toEqual([]);
  const on = await manager();
  await Promise.all([on.manager.ensure(), on.manager.ensure()]);
  expect(on.manager.status()).toMatchObject({ state: 'ready', own: true });
  expect(on.fake.lives()).toHaveLength(1);
});

test('an address that is set while the former one is looked at is looked at too, and none is started in its place', async () => {
  const theirs = await listening(() => 'Ollama is running');
  let change = () => undefined as unknown;
  const { manager: daemon, fake, set } = await manager({ onSearch: () => change() });
  change = () => set({ ollamaUrl: theirs.url });
  expect(await daemon.start()).toMatchObject({ state: 'ready', own: false, url: theirs.url });
  expect(fake.lives()).toEqual([]);
});

test('one that cannot be kept running is reported with the reason, until another one answers', async () => {
  const { manager: daemon, ollamaUrl } = await manager({ behaviour: { cloud: 'on' } });
  expect(await daemon.start()).toMatchObject({
    state: 'failed',
    own: false,
    url: ollamaUrl,
    problem: expect.stringContaining('cloud'),
  });
  expect(daemon.url()).toBe(ollamaUrl);
  expect(await daemon.look()).toMatchObject({ state: 'failed' });
  await listening(() => 'Ollama is running', ollamaUrl);
  expect(await daemon.look()).toMatchObject({ state: 'ready', own: false, problem: null });
});

test('while someone watches, a server that others start and end is noticed', async () => {
  const clock: SupervisorClock = { now: systemClock.now, after: (_milliseconds, action) => systemClock.after(1, action) };
  const { manager: daemon, ollamaUrl } = await manager({ clock, startOwn: false });
  const seen: string[] = [];
  const noticed = (state: string) => expect.poll(() => (seen.includes(state) ? state : seen), { timeout: 30_000 }).toBe(state);
  const forget = daemon.onChange(() => seen.push(daemon.status().state));
  const server = await listening(() => 'Ollama is running', ollamaUrl);
  await noticed('ready');
  seen.length = 0;
  await server.close();
  await noticed('away');
  forget();
});

test('while someone watches, a server that answers wrongly once stays ready, and one that does so again does not', async () => {
  const clock: SupervisorClock = { now: systemClock.now, after: (_milliseconds, action) => systemClock.after(1, action) };
  let wrong = 0;
  let looks = 0;
  const { url } = await listening((path) => {
    if (path !== '/') return '';
    looks += 1;
    wrong -= 1;
    return wrong >= 0 ? 'too busy' : 'Ollama is running';
  });
  const { manager: daemon } = await manager({ clock, ollamaUrl: url, startOwn: false });
  const seen: string[] = [];
  const forget = daemon.onChange(() => seen.push(daemon.status().state));
  const looked = (more: number) => {
    const until = looks + more;
    return expect.poll(() => looks, { timeout: 30_000 }).toBeGreaterThan(until);
  };
  await looked(2);
  wrong = 1;
  await looked(3);
  expect(seen).toEqual(['ready']);
  wrong = 2;
  await looked(4);
  expect(seen).toEqual(['ready', 'away', 'ready']);
  forget();
});

test('slots are those that it was started with; the next start goes by the settings of its moment', async () => {
  const { manager: daemon, fake, set } = await manager();
  expect(daemon.slots()).toBeNull();
  await daemon.start();
  expect(daemon.slots()).toBe(1);
  set({ daemon: daemonSettingsSchema.parse({ parallel: 4 }) });
  expect(daemon.slots()).toBe(1);
  await daemon.stop();
  await daemon.start();
  expect(daemon.slots()).toBe(4);
  expect(fake.lives().map(({ env }) => env.OLLAMA_NUM_PARALLEL)).toEqual(['1', '4']);
});

test('a start after a stop that overtook an earlier start starts it', async () => {
  const { manager: daemon, fake } = await manager();
  const overtaken = daemon.start();
  const stopped = daemon.stop();
  const started = await daemon.start();
  await Promise.all([overtaken, stopped]);
  expect(started).toMatchObject({ state: 'ready', own: true });
  expect(fake.lives()).toHaveLength(1);
});
