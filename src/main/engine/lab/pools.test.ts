import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AssizeError } from '../../../shared/errors.ts';
import type { BackendDefinition } from '../../../shared/experiment.ts';
import { BackendOutage, DiedUnderCall } from '../../../shared/model.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { emptyDisk } from '../models/demo/pulls.ts';
import { lastingPort } from '../models/testing/server.ts';
import { kept } from '../testing/kept.ts';
import { poolProblem } from './lanes.ts';
import { type Laboratory, openLaboratory, type Plan } from './testing/laboratory.ts';
import { type FakeServer, pooled } from './testing/pooled.ts';

/** Writes so many tokens a second; calls back at each request, with its number. */
async function server(
  decodeRate: number,
  onRequest: (number: number) => void = () => undefined,
  back?: number,
): Promise<DemoServer> {
  const machine = { timed: true, decodeRate, promptRate: 1e7, loadRate: 1e15, slots: 32 };
  let requests = 0;
  const fault = () => {
    onRequest(++requests);
    return null;
  };
  const port = back ?? (await lastingPort());
  return kept(await startDemoServer({ port, profile: { base: 'instant', machine }, disk: emptyDisk(), fault }));
}

async function laboratory(first: Pick<DemoServer, 'url'>, second: string, more: Partial<Plan> = {}): Promise<Laboratory> {
  const joined = { kind: 'ollama', url: second, joins: 'default', concurrency: 2 } as const;
  return kept(await openLaboratory({ url: first.url, servers: { joined }, cases: 12, ...more }));
}

const setupSchema = z.object({ backend: z.string(), url: z.string() });

/** Address -> answers from there, as recorded; every one of the backend that the cast names. */
function placesOf(lab: Laboratory): Map<string, number> {
  const places = new Map<string, number>();
  for (const { id } of lab.trials) {
    for (const event of lab.chain(id)) {
      if (event.kind !== 'call-answer') continue;
      const { backend, url } = setupSchema.parse(JSON.parse(lab.store.blobs.need(event.payload.setup)));
      expect(backend).toBe('default');
      places.set(url, (places.get(url) ?? 0) + 1);
    }
  }
  return places;
}

const allDone = { planned: 12, done: 12, outcomes: { decided: 12 } };

test('two servers share the calls of one backend, the quicker one takes more', async () => {
  const [quick, slow] = [await server(6000), await server(600)];
  const lab = await laboratory(quick, slow.url);
  expect(await lab.run({ concurrency: 2 })).toMatchObject(allDone);
  const places = placesOf(lab);
  expect(places.get(quick.url)).toBeGreaterThan(places.get(slow.url) ?? 0);
  expect(places.get(slow.url)).toBeGreaterThan(0);
  const asked = (standin: DemoServer) => standin.requests().length;
  expect(asked(quick) + asked(slow)).toBe([...places.values()].reduce((sum, count) => sum + count, 0));
});

test('a server that dies in mid-run leaves its calls to the other, and takes its share again when it is back', async () => {
  let [ended, back]: [Promise<unknown>, DemoServer | null] = [Promise.resolve(), null];
  const failing = await server(2000, (number) => {
    if (number === 4) ended = failing.close();
  });
  const port = Number(new URL(failing.url).port);
  const steady = await server(2000, (number) => {
    if (number === 6) void ended.then(async () => (back = await server(2000, undefined, port)));
  });
  const lab = await laboratory(steady, failing.url, { cases: 40 });
  expect(await lab.run({ concurrency: 2 })).toMatchObject({ planned: 40, done: 40, outcomes: { decided: 40 } });
  expect((back as DemoServer | null)?.requests().length).toBeGreaterThan(0);
  expect(lab.log().filter((event) => /pause|resume/.test(event))).toEqual(['run-pause', 'run-resume']);
  expect(placesOf(lab).get(failing.url)).toBeGreaterThan(3);
});

test('a run begins with those servers of a pool that are there, whichever they are, and does not wait', async () => {
  const here = await server(1e6);
  const nowhere = 'http://127.0.0.1:2';
  for (const [first, second] of [
    [here.url, nowhere],
    [nowhere, here.url],
  ] as const) {
    const lab = await laboratory({ url: first }, second);
    expect(await lab.run({ concurrency: 2 })).toMatchObject(allDone);
    expect([...placesOf(lab).keys()]).toEqual([here.url]);
    expect(lab.log()).toEqual(['run-start', 'run-pause', 'run-end']);
    expect(lab.store.runLog.isAway('laboratory')).toBe(false);
    expect(lab.progress.every(({ paused }) => paused === null)).toBe(true);
  }
  const neither = await laboratory({ url: nowhere }, 'http://127.0.0.1:3');
  await expect(neither.run()).rejects.toThrow('Ollama does not answer');
});

async function untilLooked({ state }: FakeServer, ask: () => Promise<unknown>): Promise<void> {
  const before = state.looked;
  await expect.poll(() => ask().then(() => state.looked)).toBeGreaterThan(before);
}

describe('a server of a pool that went away', () => {
  test.each(['a', 'b'] as const)(
    '%s gets no calls when it comes back with other weights, or without the model',
    { tags: 'exhaustive' },
    async (which) => {
      const pool = await pooled();
      // Two at once, so that both servers are asked.
      const askTwice = () => Promise.all([pool.ask(), pool.ask()]);
      const [gone, other] = which === 'a' ? [pool.a, pool.b] : [pool.b, pool.a];
      gone.state.error = new BackendOutage('away');
      await expect.poll(() => askTwice().then(() => pool.notes)).toEqual([`${gone.name}: away`]);
      gone.state.error = null;
      gone.state.digest = 'y';
      const { asked } = gone.state;
      await untilLooked(gone, askTwice);
      expect(await pool.ask()).toBe(`http://${other.name}`);
      gone.state.digest = 'x';
      gone.state.has = 'another';
      await untilLooked(gone, askTwice);
      expect(gone.state.asked).toBe(asked);
      gone.state.has = 'm';
      await expect.poll(() => askTwice().then(() => pool.notes)).toEqual([`${gone.name}: away`, `${gone.name} is back`]);
    },
  );

  test('leaves its calls to the other also where it refuses them for good', async () => {
    const { a, ask } = await pooled();
    a.state.error = new AssizeError('bad-input', 'the server wants another key');
    expect(await ask()).toBe('http://b');
  });

  test('is looked for no longer than the run waits when all are away, however much each had answered', async () => {
    const { a, b, ask } = await pooled({ waitMs: 1500 });
    for (let calls = 0; calls < 3; calls++) await ask();
    for (const { state } of [a, b]) Object.assign(state, { isUp: false, error: new BackendOutage('away') });
    await expect(ask()).rejects.toMatchObject({ code: 'no-backend' });
  });

  test('gives way to others: its calls are made elsewhere, and wait only where no server is left', async () => {
    const closed = new Set(['http://a']);
    const opened = Promise.withResolvers<void>();
    const isHeld = (url = '') => closed.has(url);
    const hold = { heldMs: () => 0, isHeld, passed: async (url?: string) => (isHeld(url) ? opened.promise : undefined) };
    const { ask } = await pooled({ hold });
    expect(await Promise.all([ask(), ask()])).toEqual(['http://b', 'http://b']);
    closed.add('http://b');
    const waiting = ask();
    closed.clear();
    opened.resolve();
    expect(await waiting).toMatch(/^http/);
  });

  test('under a call that was alone leaves it to the other; under which both die, it has failed', async () => {
    const first = await pooled();
    first.a.state.error = new DiedUnderCall('gone');
    expect(await first.ask()).toBe('http://b');
    const second = await pooled();
    for (const { state } of [second.a, second.b]) state.error = new DiedUnderCall('gone');
    const asking = second.ask();
    await expect.poll(() => [second.a.state.asked, second.b.state.asked]).toEqual([1, 1]);
    for (const { state } of [second.a, second.b]) Object.assign(state, { isUp: true, error: null });
    await asking;
    expect(second.a.state.asked + second.b.state.asked).toBeLessThanOrEqual(3);
  });
});

describe('servers that cannot share calls', () => {
  const first: BackendDefinition = { kind: 'ollama', url: 'http://127.0.0.1:1' };
  test.each<[string, Record<string, BackendDefinition>, RegExp]>([
    ['a name that is not there', { a: { ...first, joins: 'b' } }, /no other backend "b"/],
    ['its own name', { a: { ...first, joins: 'a' } }, /no other backend "a"/],
    ['one that joins', { a: first, b: { ...first, joins: 'a' }, c: { ...first, joins: 'b' } }, /"b" shares calls itself/],
    ['another kind', { a: first, b: { kind: 'openai', url: 'http://127.0.0.1:1/v1', joins: 'a' } }, /of kind ollama/],
  ])('%s is refused', (_what, backends, why) => {
    expect(poolProblem(backends, false)?.problem).toMatch(why);
  });

  test('a reproducible run is refused', () => {
    expect(poolProblem({ a: first, b: { ...first, joins: 'a' } }, true)).toMatchObject({
      backend: 'b',
      problem: expect.stringMatching('reproducible'),
    });
    expect(poolProblem({ a: first, b: { ...first, joins: 'a' } }, false)).toBeNull();
  });
});
