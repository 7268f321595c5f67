import { expect, test } from 'vitest';
import { z } from 'zod';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { kept } from '../testing/kept.ts';
import { type Laboratory, openLaboratory, type Plan } from './testing/laboratory.ts';

/** A demo model with so many slots that only its client limits the calls, and the most calls that were under way there. */
async function measured(): Promise<{ standin: DemoServer; most: () => number }> {
  let most = 0;
  const standin = await startDemoServer({
    profile: {
      base: 'instant',
      machine: { timed: true, decodeRate: 1500, promptRate: 1e7, loadRate: 1e15, slots: 32 },
    },
    fault: () => {
      most = Math.max(most, standin.requests().filter(({ status }) => status === null).length);
      return null;
    },
  });
  kept(standin);
  return { standin, most: () => most };
}

const laboratory = async (plan: Plan) => kept(await openLaboratory(plan));

const setupSchema = z.object({ backend: z.string(), kind: z.string(), url: z.string(), version: z.string() });

/** Where the calls of each arm went, as recorded. */
function placesOf(lab: Laboratory): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const { id, arm } of lab.trials) {
    for (const event of lab.chain(id)) {
      if (event.kind !== 'call-answer') continue;
      const { backend, kind, url, version } = setupSchema.parse(JSON.parse(lab.store.blobs.need(event.payload.setup)));
      places.set(arm, (places.get(arm) ?? new Set()).add(`${backend}: ${kind} ${version} at ${url}`));
    }
  }
  return places;
}

test('servers of both kinds work at the same time, each with its own number of calls, and the record distinguishes them', {
  tags: 'exhaustive',
}, async () => {
  const [near, far] = [await measured(), await measured()];
  const lab = await laboratory({
    url: near.standin.url,
    servers: { gpu: { kind: 'openai', url: `${far.standin.url}/v1`, concurrency: 5 } },
    cases: 10,
    arms: { small: 'm:1', gpu: 'm:70b' },
  });
  expect(await lab.run({ concurrency: 2 })).toMatchObject({ planned: 20, done: 20, outcomes: { decided: 20 }, standin: true });
  expect([near.most(), far.most()]).toEqual([2, 5]);
  expect(new Set(far.standin.requests().map(({ endpoint }) => endpoint))).toEqual(new Set(['/v1/chat/completions']));
  const firstOfFar = Date.parse(far.standin.requests()[0]?.time ?? '');
  const lastOfNear = Date.parse(near.standin.requests().at(-1)?.time ?? '');
  expect(firstOfFar, 'the second server did not wait for the first').toBeLessThan(lastOfNear);
  expect(placesOf(lab)).toEqual(
    new Map([
      ['small', new Set([`default: ollama 0.0.0-standin at ${near.standin.url}`])],
      ['gpu', new Set([`gpu: openai 0.0.0-standin at ${far.standin.url}/v1`])],
    ]),
  );
});

test('a server with its own limit gets no more calls than that, even if the run allows more', async () => {
  const { standin, most } = await measured();
  const lab = await laboratory({
    url: standin.url,
    servers: { gpu: { kind: 'openai', url: `${standin.url}/v1`, concurrency: 3 } },
    cases: 8,
    arms: { gpu: 'm:1' },
  });
  expect(await lab.run({ concurrency: 16 })).toMatchObject({ done: 8, outcomes: { decided: 8 } });
  expect(most()).toBe(3);
});
