import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { attempt } from '../main/engine/attempt.ts';
import { kills } from '../shared/exhaustive.fixture.ts';
import { callsOf, linesOf, openServer, writeDemo } from './disturbance.fixture.ts';
import { openBench, until } from './testing.ts';

const cases = 3;
const hourMs = 3_600_000;

/** Called for each request that reaches the demo model in this process. */
let onRequest: () => void = () => undefined;
const bench = await openBench({
  profile: 'workstation',
  fault() {
    onRequest();
    return null;
  },
});

type Asked = Readonly<Record<'model' | 'seed', unknown>>;
const callOf = ({ model, seed }: Asked) => `${model} ${seed}`;
const askedTwice = (requests: readonly Asked[]) => {
  const asked = requests.filter(({ seed }) => seed !== null).map(callOf);
  return asked.filter((call, index) => asked.indexOf(call) !== index);
};

/** Whether this machine lets the test lock files: as root, on a file system that knows how. */
const canLock = attempt(() => {
  const room = bench.room('probe');
  setLocked(room, true);
  setLocked(room, false);
  return true;
}, false);

/** A small disk at a folder, as root. It goes also where a process still uses it. */
const mount = (folder: string) => execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', folder], { stdio: 'ignore' });
const unmount = (folder: string) => execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
const canMount = attempt(() => {
  const room = bench.room('mounted');
  mount(room);
  unmount(room);
  return true;
}, false);

/** Leaves no room on the disk of a new file. */
function fillDisk(file: string): void {
  const block = Buffer.alloc(4096);
  const opened = openSync(file, 'w');
  while (attempt(() => writeSync(opened, block), 0) > 0);
  closeSync(opened);
}

/** Permissions hold only for files that are opened later, and never for root. */
function setLocked(folder: string, isLocked: boolean): void {
  // A write to memory that maps a locked file ends a process at once.
  const names = readdirSync(folder).filter((name) => !name.endsWith('-shm'));
  execFileSync('chattr', [isLocked ? '+i' : '-i', folder, ...names.map((name) => join(folder, name))], { stdio: 'ignore' });
}

describe.runIf(kills >= 40)('a run gives the same record as an undisturbed one', { timeout: 600_000 }, () => {
  let server: Awaited<ReturnType<typeof openServer>>;
  let lines: Awaited<ReturnType<typeof linesOf>>;
  let calls: Awaited<ReturnType<typeof callsOf>>;
  const words = (store: string, url = server.url, runtime = {}) =>
    `run ${writeDemo(bench, 'demo', cases, { runtime })} --store ${store} --ollama ${url} --concurrency 4`;

  beforeAll(async () => {
    server = await openServer(bench, 'server');
    const store = bench.path('undisturbed.db');
    const { code, errors } = await bench.start(words(store)).ended;
    expect(code, errors).toBe(0);
    lines = await linesOf(bench, store);
    calls = await callsOf(store);
  });
  afterEach(() => {
    onRequest = () => undefined;
    vi.useRealTimers();
  });
  afterAll(() => server.end());

  /** @param mayFail whether calls may have failed: the next attempts have other seeds, so their trials are others from there on */
  async function expectSame(store: string, mayFail = false) {
    const found = await callsOf(store);
    const isSame = (trial: string) => !mayFail || found.get(trial)?.every(({ failure }) => failure === null) === true;
    const same = <Value>(all: ReadonlyMap<string, Value>) => new Map([...all].filter(([trial]) => isSame(trial)));
    expect([...found.keys()]).toEqual([...calls.keys()]);
    // The reason of a failed call says more than the answers that differ after it.
    const failures = [...found.values()].flat().flatMap(({ key, failure }) => (failure === null ? [] : `${key}: ${failure}`));
    if (!mayFail) expect(failures).toEqual([]);
    expect(same(found)).toEqual(same(calls));
    expect(same(await linesOf(bench, store))).toEqual(same(lines));
    for (const command of ['verify', 'replay']) {
      const { code, output, errors } = await bench.assize(`${command} ${store}`);
      expect(code, output + errors).toBe(0);
    }
  }

  /** A run in which a process is stopped again and again for a while. */
  async function runWithStops(store: string, runtime: object, stopMs: number, of: 'run' | 'server') {
    const from = server.seen().length;
    const run = bench.start(words(store, server.url, runtime));
    const stopped = of === 'run' ? run : server;
    let over = false;
    void run.ended.then(() => (over = true));
    let stops = 0;
    for (; stops < 3; stops++) {
      const answered = server.answered();
      await until(() => over || server.answered() > answered + 2);
      if (over) break;
      stopped.kill('SIGSTOP');
      await sleep(stopMs);
      stopped.kill('SIGCONT');
    }
    const { code, errors } = await run.ended;
    await expectSame(store, of === 'server');
    expect(code, errors).toBe(0);
    expect(stops).toBe(3);
    const arrived = server.seen().slice(from);
    expect(askedTwice(arrived.filter(({ event }) => event === 'arrived'))).toEqual([]);
  }

  test('where the clock is set back and forward by hours', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const store = bench.path('clock.db');
    const startedAt = Date.now();
    let arrived = 0;
    onRequest = () => {
      arrived += 1;
      vi.setSystemTime(startedAt + (arrived % 2 === 0 ? 9 : -5) * hourMs + arrived);
    };
    const { code, errors } = await bench.assize(words(store, bench.standin.url));
    expect(code, errors).toBe(0);
    await expectSame(store);
    expect(askedTwice(bench.standin.requests())).toEqual([]);
    const spent = (await bench.lines(store, 'nlsy97-demo')).flatMap(({ wall_ms, model_ms }) => [wall_ms, model_ms]);
    expect(Math.min(...spent)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...spent)).toBeLessThan(hourMs);
  });

  /** A run that ends in its middle because of its disk, and is started again when that is repaired. */
  async function runOverFault(room: string, { fail, repair, says }: { fail(): void; repair(): void; says: RegExp }) {
    const store = join(room, 'store.db');
    const answered = server.answered();
    const { ended } = bench.start(words(store));
    await until(() => server.answered() > answered + 8);
    fail();
    onTestFinished(() => void attempt(repair, undefined));
    const { code, errors } = await ended;
    expect([code, errors]).toEqual([70, expect.stringMatching(says)]);
    repair();
    expect((await bench.assize(`verify ${store}`)).code).toBe(0);
    const recorded = new Set([...(await callsOf(store)).values()].flat().map(callOf));
    expect(recorded.size).toBeGreaterThan(0);
    const from = server.seen().length;
    const again = await bench.start(words(store)).ended;
    expect(again.code, again.errors).toBe(0);
    await expectSame(store);
    const arrived = server.seen().slice(from);
    expect(arrived.filter((request) => recorded.has(callOf(request)))).toEqual([]);
  }

  test.runIf(canLock)('where its folder was read-only for a while', async () => {
    const room = bench.room('locked');
    const says = /store\.db: the disk could not be read or written; .*try again/;
    await runOverFault(room, { fail: () => setLocked(room, true), repair: () => setLocked(room, false), says });
  });

  test('where its disk was full for a while', async ({ skip }) => {
    skip(!canMount, 'only root can mount a small disk');
    const room = bench.room('small');
    mount(room);
    onTestFinished(() => void unmount(room));
    const filler = join(room, 'filler');
    const says = /store\.db: the disk is full; free some space and try again/;
    await runOverFault(room, { fail: () => fillDisk(filler), repair: () => rmSync(filler, { force: true }), says });
  });

  test('where its process is stopped for longer than a call may take', async () => {
    // A busy machine takes seconds for a call: with a short limit some truly run out of time.
    await runWithStops(bench.path('stopped.db'), { timeoutSeconds: 30, idleSeconds: 20 }, 32_000, 'run');
  });

  test('where the server is stopped for longer than it keeps idle connections', async () => {
    await runWithStops(bench.path('server.db'), {}, 8000, 'server');
  });
});
