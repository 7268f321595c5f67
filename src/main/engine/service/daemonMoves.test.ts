import { readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { verifyStore } from '../audit/verify.ts';
import type { FakeBehaviour } from '../models/daemon/testing/fakeOllama.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { parseChain } from '../store/parseChain.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { kept } from '../testing/kept.ts';
import { reading } from '../testing/reading.ts';
import { openDaemonRoom, ownReady } from './testing/daemonHost.ts';
import { draft, reached, until } from './testing/runs.ts';

async function room(behaviour: FakeBehaviour) {
  const opened = await openDaemonRoom(behaviour);
  onTestFinished(opened.end);
  return { ...opened, client: opened.engine.client };
}

/** Takes a port as soon as it is free. */
async function demoAt(port: number): Promise<DemoServer> {
  for (let tries = 0; ; tries++) {
    try {
      return kept(await startDemoServer({ port, profile: 'instant' }));
    } catch (error) {
      if (tries > 2_000) throw error;
      await sleep(1);
    }
  }
}

const setup = z.object({ url: z.string() });

/** Keys of the answered calls of each trial, the addresses that they went to, and what the log of the runs says. */
function recorded(path: string, experiment: string) {
  return reading(path, (store) => {
    const chains = store.trials.ofExperiment(experiment).map(({ trial }) => parseChain(store.events.chain(trial)));
    const calls = chains.map((chain) => chain.flatMap((event) => (event.kind === 'call-answer' ? [event.payload] : [])));
    return {
      keys: calls.map((payloads) => payloads.map(({ key }) => key)),
      failures: calls.flat().filter(({ failure }) => failure !== undefined).length,
      urls: [...new Set(calls.flat().map((payload) => setup.parse(JSON.parse(store.blobs.need(payload.setup))).url))],
      log: store.runLog.of(experiment).map(({ event, detail }) => ({ event, detail: JSON.parse(detail) })),
    };
  });
}

test('a run keeps the Ollama that it began with where another address is set meanwhile; with the run that one ends', {
  tags: 'exhaustive',
}, async () => {
  const { engine, fake, client } = await room({ standin: true });
  const own = await ownReady(client);
  const theirs = kept(await startDemoServer({ profile: 'instant' }));
  const { experiment } = await client.experiments.start(draft('first', 20));
  await reached(client, experiment, ({ calls }) => calls > 5);
  await client.settings.change({ ollamaUrl: theirs.url });
  expect(await client.daemon.status({})).toMatchObject({ state: 'ready', own: false, url: theirs.url });
  const next = await client.experiments.start(draft('second', 2));
  expect(await reached(client, next.experiment, ({ state }) => state === 'finished' || state === 'failed')).toMatchObject({
    state: 'finished',
  });
  const run = await reached(client, experiment, ({ state }) => state === 'finished' || state === 'failed');
  expect(run).toMatchObject({ state: 'finished', done: 20, decided: 20 });
  expect(fake.lives()).toHaveLength(1);
  expect(fake.survivors()).toEqual([]);
  expect(recorded(engine.store, experiment).urls).toEqual([own.url]);
  expect(recorded(engine.store, next.experiment).urls).toEqual([theirs.url]);
});

test('a run follows its Ollama to another port; no call is lost, doubled, or answered by who took the old one', {
  tags: 'exhaustive',
}, async () => {
  const { engine, fake, client } = await room({ standin: true });
  const first = await ownReady(client);
  const { experiment } = await client.experiments.start(draft('moved', 20, 3));
  await reached(client, experiment, ({ calls }) => calls > 5);
  process.kill(first.pid ?? 0, 'SIGKILL');
  const stranger = await demoAt(Number(new URL(first.url).port));
  const second = await until(async () => {
    const status = await client.daemon.status({});
    return status.state === 'ready' && status.url !== first.url && status;
  });
  const run = await reached(client, experiment, ({ state }) => state === 'finished' || state === 'failed');
  expect(run).toMatchObject({ state: 'finished', done: 20, decided: 20 });
  expect(stranger.requests()).toEqual([]);
  const { keys, failures, urls, log } = recorded(engine.store, experiment);
  expect(urls.sort()).toEqual([first.url, second.url].sort());
  expect(keys.every((each) => each.length > 0 && new Set(each).size === each.length)).toBe(true);
  // The one call that was under way when its server died.
  expect(failures).toBeLessThanOrEqual(1);
  expect(log.filter(({ event }) => event === 'run-move')).toEqual([
    { event: 'run-move', detail: { backend: 'default', url: second.url } },
  ]);
  expect(fake.lives()).toHaveLength(2);
  await engine.end();
  expect(verifyStore(kept(openStoreReadOnly(engine.store)), {})).toMatchObject({ result: 'intact' });
});

/** An engine with an experiment that is begun, and whose own Ollama is being started for it and never ready. */
async function starting() {
  const opened = await room({ startMs: 600_000, deaf: true, child: true });
  const { client } = opened;
  const standin = await startDemoServer({ profile: 'instant' });
  await client.settings.change({ ollamaUrl: standin.url });
  const { experiment } = await client.experiments.start(draft('waits', 40));
  await reached(client, experiment, ({ calls }) => calls > 0);
  await client.runs.stop({ experiment });
  await reached(client, experiment, ({ state }) => state === 'stopped');
  await standin.close();
  const before = opened.fake.lives().length;
  await client.runs.resume({ experiment });
  await until(async () => opened.fake.lives().length > before);
  return { ...opened, experiment };
}

test('a run that waits for its Ollama to start is stopped without it', async () => {
  const { client, experiment, fake } = await starting();
  await client.runs.stop({ experiment });
  await reached(client, experiment, ({ state }) => state === 'stopped');
  expect(await client.daemon.status({})).toMatchObject({ state: 'starting', own: true });
  expect(await client.daemon.stop({})).toMatchObject({ state: 'away', own: false });
  expect(fake.survivors()).toEqual([]);
});

test('the program ends without waiting for an Ollama that is starting, and leaves nothing of it', async () => {
  const { engine, fake } = await starting();
  await engine.end();
  expect(fake.survivors()).toEqual([]);
  expect(readdirSync(fake.folder).filter((name) => name.includes('.ollama-'))).toEqual([]);
});
