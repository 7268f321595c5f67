import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PreparedCall } from '../../../core/record/effects.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { BackendOutage } from '../../../shared/model.ts';
import { createDispatcher, type NetworkDispatcher } from '../models/dispatcher.ts';
import { movingOllama, ollamaModel } from '../models/ollama.ts';
import type { LanguageModel } from '../models/port.ts';
import { emptyResult } from '../models/testing/results.ts';
import { last, part, serveOllama, type TestServer } from '../models/testing/server.ts';
import { kept } from '../testing/kept.ts';
import { type ReadyBackend, readyBackends } from './backends.ts';
import { type CallWatch, callPerformer, type PerformerOptions } from './performer.ts';
import { until } from './testing/laboratory.ts';

const call: PreparedCall = {
  key: 'turn-1/judge/attempt-1',
  role: 'judge',
  backend: 'default',
  request: {
    model: 'm:1',
    messages: [{ role: 'user', content: 'x' }],
    schema: { type: 'object' },
    options: { temperature: 0, seed: 1, numCtx: 512, numPredict: 16 },
  },
};

const answers: RequestListener = (_request, response) => response.end(part('{}') + last());
let dispatcher: NetworkDispatcher;

beforeEach(() => {
  dispatcher = createDispatcher({ allowedHosts: [] });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await dispatcher.close();
});

const serving = async (chat: RequestListener, more?: Parameters<typeof serveOllama>[1]) => kept(await serveOllama(chat, more));

const ready = (url: string) =>
  readyBackends(
    new Map([['default', ollamaModel(dispatcher, { url, timeoutMs: 60_000, idleMs: 60_000 })]]),
    new Map([['default', new Map([['m:1', 512]])]]),
  );

function performing(backends: ReadonlyMap<string, ReadyBackend>, options: Partial<PerformerOptions> = {}) {
  const notes: string[] = [];
  const effects = callPerformer(backends, {
    signal: new AbortController().signal,
    waitMs: 10_000,
    retryPauseMs: 0,
    onPause: (backend, reason) => notes.push(`pause ${backend}: ${reason}`),
    onResume: (backend) => notes.push(`resume ${backend}`),
    ...options,
  });
  return { notes, perform: (watch?: CallWatch) => effects.perform(call, watch) };
}

async function errorOf(action: Promise<unknown>): Promise<AssizeError> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof AssizeError) return error;
  throw new Error(`not an expected failure: ${String(error)}`);
}

describe('answer', () => {
  test('is reported with where it came from and how long it took', async () => {
    const server = await serving(answers, { version: '0.33.1', digest: 'abc' });
    const { notes, perform } = performing(await ready(server.url));
    const report = await perform();
    expect(report).toMatchObject({
      result: { text: '{}' },
      failure: null,
      sentTo: { url: server.url, version: '0.33.1', digest: 'abc' },
    });
    expect(report.wallMs).toBeGreaterThan(0);
    expect(new Date(report.at).toISOString()).toBe(report.at);
    expect(notes).toEqual([]);
  });

  test('that failed is reported and not thrown', async () => {
    const server = await serving((_request, response) => response.writeHead(500).end('{"error":"boom"}'));
    const { notes, perform } = performing(await ready(server.url));
    const failure = { kind: 'backend_error', message: 'HTTP 500: boom', permanent: false };
    expect(await perform()).toMatchObject({ result: null, failure });
    expect(notes).toEqual([]);
  });

  test('that the backend failed is held back for a while, as the next attempt follows at once', async () => {
    const controller = new AbortController();
    const server = await serving((_request, response) => response.writeHead(500).end());
    const backends = await ready(server.url);
    const startedAt = performance.now();
    const report = await performing(backends, { retryPauseMs: 400 }).perform();
    const took = performance.now() - startedAt;
    expect(took).toBeGreaterThanOrEqual(199);
    expect(report.wallMs, 'the call itself took no longer').toBeLessThan(took - 190);
    const abortHeldBack = (isUnderWay: boolean) => void (isUnderWay || setImmediate(() => controller.abort()));
    const { perform } = performing(backends, { retryPauseMs: 600_000, signal: controller.signal });
    expect((await perform({ underWay: abortHeldBack })).failure, 'what failed is kept').toMatchObject({ kind: 'backend_error' });
  });

  test('that is refused for good is not held back', async () => {
    const server = await serving((_request, response) => response.writeHead(400).end('{"error":"bad"}'));
    const { perform } = performing(await ready(server.url), { retryPauseMs: 60_000 });
    expect((await perform()).failure).toMatchObject({ permanent: true });
  });

  test.each([401, 403])('refused with HTTP %i ends the run: no-backend', async (status) => {
    const server = await serving((_request, response) => response.writeHead(status).end('{"error":"facts"}'));
    const error = await errorOf(performing(await ready(server.url)).perform());
    expect(error.code).toBe('no-backend');
    expect(error.message).toContain(`${server.url}: the server refuses access (HTTP ${status}); `);
  });

  test('for a model that is gone ends the run: missing-model', async () => {
    const server = await serving((_request, response) => response.writeHead(404).end('{"error":"model not found"}'));
    const error = await errorOf(performing(await ready(server.url)).perform());
    expect([error.code, error.exitCode]).toEqual(['missing-model', 4]);
  });
});

/** A server that ends in the middle of its first answer. */
async function dyingServer(): Promise<TestServer> {
  const server = await serving((_request, response) => {
    response.write(part('half'), () => void server.close());
  });
  return server;
}

describe('outage', () => {
  test('pauses once however many calls meet it, and all continue when the server is back', async () => {
    const first = await serving(answers);
    const { notes, perform } = performing(await ready(first.url));
    await first.close();
    const calls = Promise.all([perform(), perform(), perform()]);
    await until(() => notes.length > 0);
    const again = await serving(answers, { port: first.port });
    for (const report of await calls) expect(report).toMatchObject({ result: { text: '{}' }, failure: null });
    expect(notes).toEqual([`pause default: no connection to ${first.url}: ECONNREFUSED`, 'resume default']);
    expect(again.requests.filter(({ path }) => path === '/api/chat')).toHaveLength(3);
  });

  test('of an overloaded server is one too, and the next one is reported again', async () => {
    const paused = 'pause default: HTTP 503 (unavailable)';
    let refusals = 0;
    const server = await serving((request, response) => {
      refusals += 1;
      if (refusals % 2 === 1) response.writeHead(503).end('{"error":"busy"}');
      else answers(request, response);
    });
    const { notes, perform } = performing(await ready(server.url));
    expect((await perform()).failure).toBe(null);
    expect((await perform()).failure).toBe(null);
    expect(notes).toEqual([paused, 'resume default', paused, 'resume default']);
  });

  test('a call that alone kills the server, which comes back, has failed', async () => {
    const first = await dyingServer();
    const { notes, perform } = performing(await ready(first.url));
    const outcome = perform();
    await until(() => notes.length > 0);
    await serving(answers, { port: first.port });
    expect((await outcome).failure).toMatchObject({
      kind: 'backend_error',
      permanent: false,
      message: expect.stringContaining('went away'),
    });
    expect(notes).toHaveLength(2);
  });

  test.each([true, false])('is looked for once more after a death, however short the wait; it comes back: %s', async (back) => {
    const first = await dyingServer();
    const { notes, perform } = performing(await ready(first.url), { waitMs: 0, lookAgainMs: back ? 60_000 : 600 });
    const outcome = perform().catch((error: unknown) => error);
    await until(() => notes.length > 0);
    if (back) await serving(answers, { port: first.port });
    expect(await outcome).toMatchObject(back ? { failure: { kind: 'backend_error' } } : { code: 'no-backend', exitCode: 4 });
  });

  test('may bring back another version and other weights, which is recorded', async () => {
    const first = await serving(answers, { version: '0.33.0', digest: 'old' });
    const { notes, perform } = performing(await ready(first.url));
    expect((await perform()).sentTo).toMatchObject({ version: '0.33.0', digest: 'old' });
    await first.close();
    const outcome = perform();
    await until(() => notes.length > 0);
    await serving(answers, { port: first.port, version: '0.34.0', digest: 'new' });
    expect((await outcome).sentTo).toMatchObject({ version: '0.34.0', digest: 'new' });
    expect((await perform()).sentTo).toMatchObject({ version: '0.34.0', digest: 'new' });
  });

  test.each([0, 400])('that lasts longer than %i ms ends the run: no-backend', async (waitMs) => {
    const server = await serving(answers);
    const { notes, perform } = performing(await ready(server.url), { waitMs, lookAgainMs: 0 });
    await server.close();
    const startedAt = performance.now();
    const error = await errorOf(perform());
    expect([error.code, error.exitCode]).toEqual(['no-backend', 4]);
    expect(error.message).toMatch(/^backend "default" was away for .*(ECONNREFUSED|UND_ERR_SOCKET).*run again to continue$/);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(waitMs);
    expect(notes).toHaveLength(waitMs === 0 ? 0 : 1);
  });

  test('an interruption ends the wait at once', async () => {
    const server = await serving(answers);
    const controller = new AbortController();
    const { notes, perform } = performing(await ready(server.url), { signal: controller.signal, waitMs: 3_600_000 });
    await server.close();
    const waiting = errorOf(perform());
    await until(() => notes.length > 0);
    controller.abort();
    const error = await waiting;
    expect([error.code, error.exitCode]).toEqual(['interrupted', 130]);
    expect((await errorOf(perform())).code, 'and nothing is asked any more').toBe('interrupted');
  });

  /** A server that is away at each of the first calls, each later by the same time on the clock. */
  async function failingEvery(seconds: number, times: number, asleep = 0) {
    let passed = 0;
    let failures = 0;
    const real = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => real() + passed);
    const clock = Date.now.bind(Date);
    vi.spyOn(Date, 'now').mockImplementation(() => clock() + failures * asleep * 1000);
    const model: LanguageModel = {
      kind: 'ollama',
      url: 'http://127.0.0.1:1',
      version: () => Promise.resolve({ version: '1', standin: false }),
      models: () => Promise.resolve([]),
      unload: () => Promise.resolve(),
      embed: () => Promise.reject(new Error('no vectors are asked for')),
      complete(request) {
        if (request.model === 'other') return Promise.resolve(emptyResult);
        passed += seconds * 1000;
        failures += 1;
        return failures > times ? Promise.resolve(emptyResult) : Promise.reject(new BackendOutage('away'));
      },
    };
    return new Map([
      ['default', { name: 'default', model, version: '1', standin: false, digests: new Map(), needed: new Map() }],
    ]);
  }

  test('time in which the machine slept is no waiting', async () => {
    const { perform } = performing(await failingEvery(120, 4, 120), { waitMs: 60_000 });
    expect((await perform()).failure).toBe(null);
  });

  test('time before the backend answered another call is no waiting', async () => {
    const backends = await failingEvery(40, 4);
    const effects = callPerformer(backends, {
      signal: new AbortController().signal,
      waitMs: 60_000,
      onPause: () => void effects.perform({ ...call, request: { ...call.request, model: 'other' } }),
      onResume: () => undefined,
    });
    expect((await effects.perform(call)).failure).toBe(null);
  });

  test.each([25, 61, 120])('attempts that take %i s to fail are waiting', async (seconds) => {
    const { perform } = performing(await failingEvery(seconds, 9), { waitMs: 60_000 });
    expect((await errorOf(perform())).code).toBe('no-backend');
  });
});

describe('a server that moves', () => {
  test('is not asked where it was, even if something answers there, and waits while it is nowhere', async () => {
    const asked: string[] = [];
    const noting =
      (name: string): RequestListener =>
      (request, response) => {
        asked.push(name);
        answers(request, response);
      };
    const before = await serving(noting('before'), { version: '1', digest: 'a' });
    const after = await serving(noting('after'), { version: '2', digest: 'b' });
    let place: string | null = before.url;
    const moving = movingOllama(dispatcher, { timeoutMs: 60_000, idleMs: 60_000 }, { url: before.url, now: () => place });
    const backends = await readyBackends(new Map([['default', moving]]), new Map([['default', new Map([['m:1', 512]])]]));
    const moves: string[] = [];
    const { notes, perform } = performing(backends, {
      onMove: (backend, url) => moves.push(`${backend} ${url}`),
      onPause: (_backend, reason) => {
        notes.push(reason);
        place = after.url;
      },
    });
    expect((await perform()).sentTo).toMatchObject({ url: before.url, version: '1', digest: 'a' });
    place = null;
    expect((await perform()).sentTo).toMatchObject({ url: after.url, version: '2', digest: 'b' });
    expect(notes).toEqual(['Ollama has ended and is not back yet', 'resume default']);
    place = before.url;
    expect((await perform()).sentTo).toMatchObject({ url: before.url, version: '1' });
    expect(asked).toEqual(['before', 'after', 'before']);
    expect(moves).toEqual([`default ${after.url}`, `default ${before.url}`]);
  });

  test('is asked where it is once a call has a place, not where it was before; an answer from there counts for nothing', async () => {
    let answer: () => void = () => undefined;
    const before = await serving((request, response) => {
      answer = () => answers(request, response);
    });
    const after = await serving(answers);
    let place = before.url;
    const moving = movingOllama(dispatcher, { timeoutMs: 60_000, idleMs: 60_000 }, { url: before.url, now: () => place });
    const backends = await readyBackends(new Map([['default', moving]]), new Map([['default', new Map([['m:1', 512]])]]));
    const { perform } = performing(backends, { limits: new Map([['default', 1]]) });
    const ways: boolean[] = [];
    const first = perform();
    await expect.poll(() => before.requests.filter(({ path }) => path === '/api/chat')).toHaveLength(1);
    const second = perform({ underWay: (is) => ways.push(is) });
    place = after.url;
    expect(ways, 'a call that waits for its place is not under way').toEqual([]);
    answer();
    expect((await first).sentTo.url).toBe(after.url);
    expect((await second).sentTo.url).toBe(after.url);
    expect(ways).toEqual([true, false]);
  });
});
