import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AssizeError } from '../../../shared/errors.ts';
import type { BackendDefinition } from '../../../shared/experiment.ts';
import { BackendOutage, DiedUnderCall, type ModelInfo } from '../../../shared/model.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { emptyDisk } from '../models/demo/pulls.ts';
import type { LanguageModel } from '../models/port.ts';
import { emptyResult } from '../models/testing/results.ts';
import { lastingPort } from '../models/testing/server.ts';
import { kept } from '../testing/kept.ts';
import { type ReadyBackend, readyBackends, whyApart } from './backends.ts';
import { poolProblem } from './lanes.ts';
import { callPerformer, type PerformerOptions } from './performer.ts';
import { type Laboratory, openLaboratory, type Plan } from './testing/laboratory.ts';

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

async function laboratory(first: DemoServer, second: string, more: Partial<Plan> = {}): Promise<Laboratory> {
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

test('a run begins without a server that joins and is away; without the first it does not', async () => {
  const here = await server(1e6);
  const nowhere = 'http://127.0.0.1:2';
  const lab = await laboratory(here, nowhere);
  expect(await lab.run({ concurrency: 2 })).toMatchObject(allDone);
  expect([...placesOf(lab).keys()]).toEqual([here.url]);
  const other = kept(
    await openLaboratory({
      url: nowhere,
      servers: { joined: { kind: 'ollama', url: here.url, joins: 'default' } },
      cases: 2,
    }),
  );
  await expect(other.run()).rejects.toThrow('Ollama does not answer');
});

/** A server of a pool whose answers the test decides. */
function named(name: string) {
  const state = { isUp: true, digest: 'x' as string | null, has: 'm', error: null as Error | null, asked: 0, looked: 0 };
  const refuse = () => {
    if (!state.isUp) throw new BackendOutage(`${name} is away`);
  };
  const model: LanguageModel = {
    kind: 'ollama',
    url: `http://${name}`,
    version: async () => {
      state.looked += 1;
      refuse();
      return { version: '1', standin: false };
    },
    models: async () => {
      refuse();
      return [{ name: state.has, digest: state.digest, remote: false } as ModelInfo];
    },
    complete: async () => {
      state.asked += 1;
      const { error } = state;
      if (error instanceof DiedUnderCall) state.isUp = false;
      if (error !== null) throw error;
      refuse();
      return { ...emptyResult, text: '{}' };
    },
    embed: () => Promise.reject(new Error('no one asks for vectors')),
  };
  return { name, state, model };
}

const request = {
  model: 'm',
  messages: [],
  schema: {},
  options: { temperature: 0, seed: 1, numCtx: 512, numPredict: 16 },
};

/** Two servers of a pool, of which the second may be named by an arm too. */
async function pooled(options: Partial<PerformerOptions> = {}) {
  const [a, b] = [named('a'), named('b')];
  const needed = new Map([a, b].map(({ name }) => [name, new Map([['m', 512]])]));
  const backends = await readyBackends(new Map([a, b].map(({ name, model }) => [name, model])), needed, [], new Set(['b']));
  const notes: string[] = [];
  const performer = callPerformer(backends, {
    signal: AbortSignal.timeout(60_000),
    waitMs: 30_000,
    retryPauseMs: 0,
    lookAgainMs: 1000,
    pools: new Map([
      ['b', ['b']],
      ['a', ['a', 'b']],
    ]),
    onPause: (backend, reason) => notes.push(`${backend}: ${reason}`),
    onResume: (backend) => notes.push(`${backend} is back`),
    ...options,
  });
  const ask = async () => (await performer.perform({ key: 'k', role: 'judge', backend: 'a', request })).sentTo.url;
  return { a, b, notes, ask };
}

async function untilLooked({ state }: ReturnType<typeof named>, ask: () => Promise<unknown>): Promise<void> {
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
  const ready = (name: string, version: string, digest: string | null) =>
    ({
      name,
      version,
      model: { url: `http://${name}` },
      needed: new Map([['m', 1]]),
      digests: new Map(digest === '' ? [] : [['m', digest]]),
    }) as unknown as ReadyBackend;

  test.each([
    [ready('b', '2', 'x'), null],
    [ready('b', '1', 'y'), 'model m at http://b has other weights than at http://a'],
    [ready('b', '1', ''), 'http://b does not have model m'],
  ])('with digests, weights decide', (other, why) => {
    expect(whyApart(ready('a', '1', 'x'), other)).toBe(why);
  });

  test('without digests, the version decides', () => {
    expect(whyApart(ready('a', '1', null), ready('b', '1', null))).toBeNull();
    expect(whyApart(ready('a', '1', null), ready('b', '2', null))).toMatch(
      /states no digest .* version 2, while http:\/\/a has 1/,
    );
  });

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
