import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { callSeed } from '../../../core/record/identity.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { lastingPort } from '../models/testing/server.ts';
import { kept } from '../testing/kept.ts';
import { type Laboratory, openLaboratory, type Plan, until } from './testing/laboratory.ts';

type DemoServerOptions = NonNullable<Parameters<typeof startDemoServer>[0]>;

async function demoWith(options: DemoServerOptions): Promise<DemoServer> {
  const standin = await startDemoServer({
    ...{ port: await lastingPort(), models: ['m:1', 'sick:1'], anyModel: false },
    ...options,
  });
  return kept(standin);
}

const laboratory = async (plan: Plan) => kept(await openLaboratory(plan));

const outcomes = (lab: Laboratory) =>
  Object.fromEntries(lab.lines().map(({ arm, case: id, outcome }) => [`${arm} ${id}`, outcome]));

const asks = (body: string, model: string) => body.includes(JSON.stringify(model));

test.each([0, 2])('a model whose calls all break off harms only its own arm, with %i retries', async (retries) => {
  const standin = await demoWith({ fault: (_seen, body) => (asks(body, 'sick:1') ? { kind: 'reset' } : null) });
  const lab = await laboratory({
    url: standin.url,
    cases: 2,
    arms: { sick: 'sick:1', well: 'm:1' },
    runtime: { retries, waitMinutes: 0 },
  });
  expect(await lab.run()).toMatchObject({ complete: true });
  expect(outcomes(lab)).toEqual({
    'sick c0': 'backend_error',
    'sick c1': 'backend_error',
    'well c0': 'decided',
    'well c1': 'decided',
  });
  expect(lab.log()).toEqual(['run-start', 'run-end']);
});

test.each([0, 2])('a server that breaks off every call is away: no trial ends by it, with %i retries', async (retries) => {
  let broken = true;
  const standin = await demoWith({ fault: () => (broken ? { kind: 'reset' } : null) });
  const lab = await laboratory({ url: standin.url, cases: 2, runtime: { retries, waitMinutes: 1 } });
  const running = lab.run();
  await until(() => lab.log().includes('run-pause'));
  expect(lab.lines().filter(({ outcome }) => outcome !== null)).toEqual([]);
  broken = false;
  expect(await running).toMatchObject({ outcomes: { decided: 2 } });
  expect(lab.log()).toEqual(['run-start', 'run-pause', 'run-resume', 'run-end']);
});

test.each([
  ['two sick models and one that is well', ['sick:1', 'sick:2', 'm:1'], { a: 'sick:1', b: 'sick:2', c: 'm:1' }],
  ['a sick model that is written without its tag', ['sick:latest', 'm:1'], { a: 'sick' }],
])('%s: no outage', async (_name, models, arms: Record<string, string>) => {
  const standin = await demoWith({ models, fault: (_seen, body) => (body.includes('"sick') ? { kind: 'reset' } : null) });
  const lab = await laboratory({ url: standin.url, cases: 1, arms, runtime: { retries: 0, waitMinutes: 0 } });
  expect(await lab.run()).toMatchObject({ complete: true });
  for (const { arm, outcome } of lab.lines()) expect(outcome).toBe(arms[arm] === 'm:1' ? 'decided' : 'backend_error');
  expect(lab.log()).toEqual(['run-start', 'run-end']);
});

test('a model whose calls all end with HTTP 500 harms only its own arm, and no small question is asked', async () => {
  const standin = await demoWith({ fault: (_seen, body) => (asks(body, 'sick:1') ? { kind: 'http-500' } : null) });
  const arms = { sick: 'sick:1', well: 'm:1' };
  const lab = await laboratory({ url: standin.url, cases: 2, arms, runtime: { retries: 0, waitMinutes: 0 } });
  expect(await lab.run()).toMatchObject({ outcomes: { backend_error: 2, decided: 2 } });
  const attempts = lab.lines().reduce((sum, line) => sum + line.attempts, 0);
  const chats = standin.requests().filter(({ endpoint }) => endpoint.includes('/chat'));
  expect(chats, 'an answer with an error is an answer of the server').toHaveLength(attempts);
});

/** A demo model that dies under calls with these seeds and is started again, long enough after for others to see that it was gone. */
async function dyingDemo(poisonous: ReadonlySet<number>, isSeen: () => boolean) {
  const deaths = new Map<number, number>();
  let standin: DemoServer;
  const options: DemoServerOptions = {
    fault({ seed }) {
      if (seed === null || !poisonous.has(seed)) return null;
      deaths.set(seed, (deaths.get(seed) ?? 0) + 1);
      const dying = standin;
      void dying.close().then(async () => {
        await until(isSeen);
        await sleep(500);
        standin = await demoWith({ ...options, port: dying.port });
      });
      return { kind: 'hang' };
    },
  };
  standin = await demoWith(options);
  return { url: standin.url, deaths };
}

test('a call that kills the server each time harms only its own trial, though others are asked at the same time', async () => {
  const poisonous = new Set<number>();
  const { url, deaths } = await dyingDemo(poisonous, () => lab.log().includes('run-pause'));
  const lab = await laboratory({ url, cases: 4, runtime: { retries: 1, waitMinutes: 1 } });
  const [victim] = lab.trials;
  for (let attempt = 1; attempt <= 2; attempt++) poisonous.add(callSeed(victim?.seed ?? 0, 1, `ruling/judge/attempt-${attempt}`));
  expect(await lab.run({ concurrency: 4 })).toMatchObject({ complete: true });
  expect(Object.values(outcomes(lab)).toSorted()).toEqual(['backend_error', 'decided', 'decided', 'decided']);
  const harmed = lab.lines().find(({ outcome }) => outcome === 'backend_error');
  expect(harmed?.trial).toBe(victim?.id);
  // Under each attempt it died with no other call there, and perhaps once before in company.
  expect(new Set(deaths.keys())).toEqual(poisonous);
  expect(Math.max(...deaths.values())).toBeLessThanOrEqual(2);
  const others = lab.lines().filter(({ trial }) => trial !== victim?.id);
  expect(others.map(({ calls, attempts }) => attempts - calls)).toEqual([0, 0, 0]);
});

test.each([1, 4])(
  'without any waiting a server that is started again at once ends no run, %i trials at a time',
  async (concurrency) => {
    const poisonous = new Set<number>();
    const { url } = await dyingDemo(poisonous, () => lab.log().includes('run-pause'));
    const lab = await laboratory({ url, cases: 4, runtime: { retries: 0, waitMinutes: 0 } });
    const [victim] = lab.trials;
    poisonous.add(callSeed(victim?.seed ?? 0, 1, 'ruling/judge/attempt-1'));
    expect(await lab.run({ concurrency })).toMatchObject({ outcomes: { backend_error: 1, decided: 3 } });
  },
);
