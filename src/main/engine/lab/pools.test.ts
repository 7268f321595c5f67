import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { BackendDefinition } from '../../../shared/experiment.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { emptyDisk } from '../models/demo/pulls.ts';
import { type ReadyBackend, whyApart } from './backends.ts';
import { poolProblem } from './pools.ts';
import { type Laboratory, openLaboratory, type Plan } from './testing/laboratory.ts';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each.close();
});

/** Writes so many tokens a second; told of each request, by number. */
async function server(decodeRate: number, onRequest: (number: number) => void = () => undefined, port = 0): Promise<DemoServer> {
  const machine = { timed: true, decodeRate, promptRate: 1e7, loadRate: 1e15, slots: 32 };
  let requests = 0;
  const fault = () => {
    onRequest(++requests);
    return null;
  };
  const standin = await startDemoServer({ port, profile: { base: 'instant', machine }, disk: emptyDisk(), fault });
  opened.push(standin);
  return standin;
}

async function laboratory(first: DemoServer, second: string, more: Partial<Plan> = {}): Promise<Laboratory> {
  const joined = { kind: 'ollama', url: second, joins: 'default', concurrency: 2 } as const;
  const made = await openLaboratory({ url: first.url, servers: { joined }, cases: 12, ...more });
  opened.push(made);
  return made;
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
  const other = await openLaboratory({
    url: nowhere,
    servers: { joined: { kind: 'ollama', url: here.url, joins: 'default' } },
    cases: 2,
  });
  opened.push(other);
  await expect(other.run()).rejects.toThrow('backend "default" does not answer');
});

describe('servers that cannot share calls', () => {
  const ready = (name: string, version: string, digest: string | null) =>
    ({
      name,
      version,
      model: { url: `http://${name}` },
      needed: new Map([['m', 1]]),
      digests: new Map(digest === null ? [] : [['m', digest]]),
    }) as unknown as ReadyBackend;

  test.each([
    [ready('b', '2', 'x'), null],
    [ready('b', '1', 'y'), 'model m at http://b has other weights than at http://a'],
    [ready('b', '1', null), 'http://b does not have model m'],
  ])('with digests, weights decide', (other, why) => {
    expect(whyApart(ready('a', '1', 'x'), other)).toBe(why);
  });

  test('without digests, the version decides', () => {
    expect(whyApart(ready('a', '1', null), ready('b', '1', null))).toBeNull();
    expect(whyApart(ready('a', '1', null), ready('b', '2', null))).toMatch(
      /tells no digest .* version 2, while http:\/\/a has 1/,
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
