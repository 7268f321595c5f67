import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AssizeError } from '../../../shared/errors.ts';
import { verifyStore } from '../audit/verify.ts';
import { type DemoServer, type DemoServerOptions, startDemoServer } from '../models/demo/demoServer.ts';
import { lastingPort, serve, type TestServer } from '../models/testing/server.ts';
import { kept } from '../testing/kept.ts';
import { runNow } from './recordedProgress.ts';
import { callFinder, type Laboratory, openLaboratory, type Plan, timeless, until } from './testing/laboratory.ts';

const standing = async (options: Partial<DemoServerOptions> = {}) =>
  kept(await startDemoServer({ port: await lastingPort(), ...options }));

const laboratory = async (plan: Plan) => kept(await openLaboratory(plan));

/** Slow enough that something can happen in the middle of a call. */
const unhurried = {
  base: 'instant',
  machine: { timed: true, decodeRate: 40_000, promptRate: 1e7, loadRate: 1e15, slots: 8 },
} as const;

/**
 * A server before the demo model: it answers no call before as many as `wanted` wait for it at once.
 * @param slots reported as llama.cpp does; absent: not reported
 */
async function gate(standin: DemoServer, wanted: number, slots?: number): Promise<TestServer & { most(): number }> {
  const waiting = Promise.withResolvers<void>();
  let calls = 0;
  let most = 0;
  const server = await serve(async (_request, response) => {
    const { method = '', path = '', body = '' } = server.requests.at(-1) ?? {};
    const isCall = path === '/api/chat' || path === '/v1/chat/completions';
    if (path === '/props' && slots !== undefined) {
      response.end(JSON.stringify({ build_info: 'b1', total_slots: slots }));
      return;
    }
    if (isCall) {
      calls += 1;
      most = Math.max(most, calls);
      if (most >= wanted) waiting.resolve();
      await waiting.promise;
    }
    const answer = await fetch(`${standin.url}${path}`, method === 'GET' ? {} : { method, body });
    const content = Buffer.from(await answer.arrayBuffer());
    // Before its end is sent: the client may ask again at once.
    if (isCall) calls -= 1;
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(content);
  });
  kept(server);
  return { ...server, most: () => most };
}

async function failureCode(run: Promise<unknown>): Promise<string> {
  try {
    await run;
  } catch (error) {
    if (error instanceof AssizeError) return error.code;
    throw error;
  }
  return 'none';
}

const decided = (lab: Laboratory) => lab.lines().filter(({ outcome }) => outcome === 'decided').length;

describe('several at once', () => {
  test.each([1, 3, 8])('%i: never more requests in flight, and as many as that', async (concurrency) => {
    const server = await gate(await standing(), concurrency);
    const lab = await laboratory({ url: server.url, cases: 10 });
    const report = await lab.run({ concurrency });
    expect(report).toMatchObject({
      planned: 10,
      done: 10,
      finished_now: 10,
      complete: true,
      standin: true,
      outcomes: { decided: 10 },
    });
    expect(server.most()).toBe(concurrency);
    expect(lab.progress.at(-1)).toMatchObject({ done: 10, decided: 10, finished_now: 10, paused: null, seconds_left: 0 });
  });

  test.each([
    { runtime: {}, concurrency: 1, slots: undefined, calls: 1 },
    { runtime: {}, concurrency: 2, slots: undefined, calls: 2 },
    { runtime: {}, concurrency: 1, slots: 3, calls: 3 },
    { runtime: { reproducible: true }, concurrency: 4, slots: undefined, calls: 1 },
  ])(
    'a trial that asks five judges at once keeps to $calls at once: $runtime, $concurrency trials, $slots slots',
    async ({ runtime, concurrency, slots, calls }) => {
      const machine = { ...unhurried.machine, decodeRate: 1500, slots: 32 };
      const standin = await standing({ models: ['m:1'], profile: { ...unhurried, machine } });
      const server = await gate(standin, 1, slots);
      const protocol = { name: 'courtroom', params: { judges: 5, deliberation: 'parallel', shots: 0 } };
      const kind = slots === undefined ? 'ollama' : 'openai';
      const lab = await laboratory({ url: server.url, kind, cases: 2, protocol, runtime });
      expect(await lab.run({ concurrency })).toMatchObject({ outcomes: { decided: 2 } });
      expect(server.most()).toBe(calls);
      const [start] = lab.store.runLog.of('laboratory');
      expect(JSON.parse(start?.detail ?? '')).toMatchObject({ calls_at_a_time: { default: calls } });
    },
  );

  test('16 at once do not make node warn of too many listeners', { tags: 'exhaustive' }, async () => {
    const warnings: string[] = [];
    const listen = (warning: Error) => warnings.push(warning.message);
    process.on('warning', listen);
    const lab = await laboratory({ url: (await standing()).url, cases: 24 });
    await lab.run({ concurrency: 16 });
    await sleep(10);
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });

  test('the limit of trials is kept, and the next run does the rest', async () => {
    const lab = await laboratory({ url: (await standing()).url, cases: 5 });
    expect(await lab.run({ concurrency: 2, maxTrials: 3 })).toMatchObject({ done: 3, finished_now: 3, complete: false });
    expect(await lab.run({ concurrency: 2 })).toMatchObject({ done: 5, finished_now: 2, complete: true });
    expect(await lab.run({ concurrency: 2 })).toMatchObject({ done: 5, finished_now: 0, complete: true });
    expect(lab.log()).toEqual(['run-start', 'run-end', 'run-start', 'run-end']);
  });
});

describe('server that goes away', () => {
  test('and comes back in mid-run costs at most one attempt: of a call that both outages hit', async () => {
    const first = await standing({ profile: unhurried });
    const { port } = first;
    const whole = await laboratory({ url: first.url, cases: 8 });
    await whole.run({ concurrency: 3 });

    const lab = await laboratory({ url: first.url, cases: 8 });
    const running = lab.run({ concurrency: 3 });
    let standin = first;
    for (let outage = 0; outage < 2; outage++) {
      const seen = standin.requests().length;
      await until(() => standin.requests().length > seen + 6 && standin.load().busy > 0);
      await standin.close();
      await until(() => lab.log().filter((event) => event === 'run-pause').length > outage);
      expect(lab.store.runLog.isAway('laboratory')).toBe(true);
      standin = await standing({ profile: unhurried, port });
    }
    expect(await running).toMatchObject({ complete: true, outcomes: { decided: 8 } });
    const harmed = lab.lines().flatMap(({ attempts, calls }, index) => (attempts > calls ? [index] : []));
    const others = (of: Laboratory) =>
      of
        .lines()
        .map(timeless)
        .filter((_line, index) => !harmed.includes(index));
    expect(others(lab)).toEqual(others(whole));
    expect(lab.lines().reduce((sum, { attempts, calls }) => sum + attempts - calls, 0)).toBeLessThanOrEqual(1);
    expect(lab.log().filter((event) => event === 'run-pause')).toHaveLength(2);
    expect(lab.log().filter((event) => event === 'run-resume')).toHaveLength(2);
    expect(lab.store.runLog.isAway('laboratory')).toBe(false);
    expect(lab.progress.some(({ paused }) => paused?.backend === 'default')).toBe(true);
    expect(lab.progress.at(-1)?.paused).toBe(null);
    expect(verifyStore(lab.store, {}).result).toBe('intact');
  });
});

describe('interruption', () => {
  test('that comes when all is done changes nothing', async () => {
    const lab = await laboratory({ url: (await standing()).url, cases: 2 });
    const controller = new AbortController();
    const onProgress = ({ done, planned }: { done: number; planned: number }) => {
      if (done === planned) controller.abort();
    };
    expect(await lab.run({ signal: controller.signal, onProgress })).toMatchObject({ complete: true });
    expect(lab.log()).toEqual(['run-start', 'run-end']);
  });

  const unreadable = () => {
    throw new AssizeError('disk', 'the disk cannot be read');
  };

  test('is in the log with what the run reached, also where the record can no longer be read as a whole', async () => {
    const lab = await laboratory({ url: (await standing()).url, cases: 3 });
    const controller = new AbortController();
    const { ofExperiment } = lab.store.trials;
    // A trial that is ending when the run is stopped counts too.
    let reached = 0;
    const onProgress = ({ done }: { done: number }) => {
      reached = done;
      if (done === 0) return;
      controller.abort();
      Object.assign(lab.store.trials, { ofExperiment: unreadable });
    };
    expect(await failureCode(lab.run({ signal: controller.signal, onProgress }))).toBe('interrupted');
    Object.assign(lab.store.trials, { ofExperiment });
    const [end] = lab.store.runLog.of('laboratory').slice(-1);
    expect([end?.event, JSON.parse(end?.detail ?? '')]).toEqual(['run-interrupt', { done: reached, planned: 3 }]);
    Object.assign(lab.store.experiments, { names: unreadable });
    expect(runNow(lab.store, 'laboratory', lab.store.path)).toMatchObject({ done: reached, planned: 3 });
  });

  test('so is the end of a run that was done when the record could no longer be read', async () => {
    const lab = await laboratory({ url: (await standing()).url, cases: 1 });
    const onProgress = ({ done }: { done: number }) => {
      if (done === 1) Object.assign(lab.store.trials, { ofExperiment: unreadable });
    };
    expect(await failureCode(lab.run({ onProgress }))).toBe('disk');
    const [end] = lab.store.runLog.of('laboratory').slice(-1);
    expect([end?.event, JSON.parse(end?.detail ?? '')]).toEqual(['run-end', { done: 1, planned: 1 }]);
  });
});

describe('fatal failure', () => {
  test('of one worker ends the others, even one that hangs, and its cause is reported', async () => {
    const standin = await standing({
      anyModel: false,
      models: ['m:1', 'm:2'],
      fault: ({ model }) => (model === 'm:1' ? { kind: 'hang' } : null),
    });
    const lab = await laboratory({ url: standin.url, cases: 1, arms: { hanging: 'm:1', failing: 'm:2' } });
    const running = lab.run({ concurrency: 2, onProgress: () => undefined });
    await fetch(`${standin.url}/api/delete`, { method: 'DELETE', body: '{"model":"m:2"}' });
    const outcome = await running.catch((error: unknown) => error);
    expect(outcome).toMatchObject({ code: 'missing-model', message: expect.stringContaining('m:2') });
    await until(() => standin.load().busy === 0);
    expect(lab.lines().map(({ status }) => status)).not.toContain('done');
  });

  test('of the end of a trial that began while the end of the one before was on its way to the disk', async () => {
    const lab = await laboratory({ url: (await standing()).url, cases: 3 });
    const { writeSoon } = lab.store;
    const flushed = Promise.withResolvers<void>();
    let ends = 0;
    lab.store.writeSoon = async (action, options) => {
      if (options?.durable !== true) return writeSoon(action, options);
      ends += 1;
      if (ends > 1) {
        setTimeout(flushed.resolve, 20);
        throw new AssizeError('disk', 'the disk is full');
      }
      const result = await writeSoon(action, options);
      await flushed.promise;
      return result;
    };
    expect(await failureCode(lab.run())).toBe('disk');
    expect(decided(lab)).toBe(1);
    expect(lab.progress.at(-1)).toMatchObject({ finished_now: 1 });
  });
});

describe('retry', () => {
  test('opens a further attempt of the named outcomes only, and keeps the old one in the record', async () => {
    let broken = true;
    const standin = await standing({
      fault: ({ seed }) => (broken && call(seed)?.trial.caseId === 'c1' ? { kind: 'empty' } : null),
    });
    const lab = await laboratory({ url: standin.url, cases: 3 });
    const call = callFinder(lab.trials, ['ruling/judge'], 3);
    expect(await lab.run()).toMatchObject({ complete: true, outcomes: { decided: 2, malformed: 1 } });
    const id = lab.trials.find(({ caseId }) => caseId === 'c1')?.id ?? '';
    const before = lab.chain(id);
    const others = lab.lines().filter(({ trial }) => trial !== id);

    broken = false;
    expect(await lab.run({ retry: ['timeout', 'overflow'] })).toMatchObject({ finished_now: 0, outcomes: { malformed: 1 } });
    expect(lab.chain(id)).toEqual(before);
    expect(await lab.run({ retry: ['timeout', 'malformed'] })).toMatchObject({ finished_now: 1, outcomes: { decided: 3 } });
    expect(lab.progress.at(-1)).toMatchObject({ done: 3, decided: 3 });

    const after = lab.chain(id);
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.flatMap((event) => (event.kind === 'trial-open' ? [event.payload.attempt] : []))).toEqual([1, 2]);
    expect(after.flatMap((event) => (event.kind === 'trial-close' ? [event.payload.outcome] : []))).toEqual([
      'malformed',
      'decided',
    ]);
    expect(lab.lines().find(({ trial }) => trial === id)).toMatchObject({
      attempt: 2,
      outcome: 'decided',
      calls: 5,
      attempts: 5,
    });
    expect(lab.lines().filter(({ trial }) => trial !== id)).toEqual(others);
    expect(verifyStore(lab.store, {}).result).toBe('intact');
    expect(await lab.run({ retry: ['malformed'] })).toMatchObject({ finished_now: 0 });
  });

  test('that is interrupted continues in the same attempt', async () => {
    let broken = true;
    const standin = await standing({ fault: () => (broken ? { kind: 'http-500' } : null) });
    const lab = await laboratory({ url: standin.url, cases: 1, runtime: { retries: 0 } });
    expect(await lab.run()).toMatchObject({ outcomes: { backend_error: 1 } });
    broken = false;
    const controller = new AbortController();
    const seen = standin.requests().length;
    const running = failureCode(lab.run({ retry: ['backend_error'], signal: controller.signal }));
    await until(() => standin.requests().length > seen);
    controller.abort();
    expect(await running).toBe('interrupted');
    expect(lab.lines()[0]).toMatchObject({ status: 'running', attempt: 2 });
    expect(await lab.run()).toMatchObject({ complete: true, outcomes: { decided: 1 } });
    expect(lab.lines()[0]).toMatchObject({ attempt: 2, outcome: 'decided' });
  });
});

describe('reproducible runs', () => {
  test('try one case at a time and free the model before each', async () => {
    const standin = await standing({});
    const lab = await laboratory({ url: standin.url, cases: 3, runtime: { reproducible: true } });
    expect(await lab.run({ concurrency: 4 })).toMatchObject({ complete: true });
    const asked = standin.requests().flatMap(({ endpoint, messages }) => (endpoint === '/api/chat' ? [messages] : []));
    const unloads = asked.flatMap((messages, index) => (messages === 0 ? [index] : []));
    // A trial of one turn a side is five calls; an unloading request has no messages.
    expect(unloads).toEqual([0, 6, 12]);
    expect(asked).toHaveLength(18);
  });
});
