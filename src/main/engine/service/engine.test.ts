import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Run } from '../../../shared/api/engine.ts';
import type { TrialFrame } from '../../../shared/api/trials.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { timeless } from '../lab/testing/laboratory.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { openStore } from '../store/store.ts';
import { type Client, type Connection, type EngineHost, startEngineHost } from './testing/engineHost.ts';
import { draft, pace, reached, runOf, tryDraft, until } from './testing/runs.ts';

let hosts: EngineHost[] = [];
let standin: DemoServer;
/** One at which a trial takes seconds. */
let slow: DemoServer;

beforeEach(async () => {
  hosts = [];
  standin = await startDemoServer({ port: 0, profile: pace });
  slow = await startDemoServer({ port: 0, profile: { ...pace, machine: { ...pace.machine, decodeRate: 800 } } });
});

afterEach(async () => {
  await Promise.all(hosts.map((host) => host.remove()));
  await standin.close();
  await slow.close();
});

/** An engine whose Ollama server is a demo model of the test. */
async function start(server = standin): Promise<EngineHost & Connection> {
  const host = startEngineHost();
  hosts.push(host);
  await host.ready();
  const connection = host.connect();
  await connection.client.settings.change({ ollamaUrl: server.url });
  return { ...host, ...connection };
}

const allLines = async (client: Client, experiment: string): Promise<TrialLine[]> =>
  (await client.experiments.trials({ experiment, order: 'case', limit: 500 })).lines;

/** Frames of a trial until it is done. */
async function watch(client: Client, trial: string, after: number, stop: (frame: TrialFrame) => boolean) {
  const bodies: TrialFrame[] = [];
  for await (const body of await client.trials.watch({ trial, after })) {
    bodies.push(body);
    if (stop(body)) break;
  }
  return bodies;
}

const isDone = (body: TrialFrame) => body.kind === 'line' && body.line.status === 'done';
const seqs = (bodies: readonly TrialFrame[]) =>
  bodies.flatMap((body) => (body.kind === 'entries' ? body.entries.map(({ seq }) => seq) : []));

describe('a try', () => {
  test('is watched from the first word to the ruling', async () => {
    const { client } = await start(slow);
    const { experiment, trial } = await client.tries.start(tryDraft);
    const bodies = await watch(client, trial, -1, isDone);
    const entries = bodies.flatMap((body) => (body.kind === 'entries' ? body.entries : []));
    expect(entries.filter(({ kind }) => kind === 'call')).toHaveLength(13);
    expect(entries.at(-1)).toMatchObject({ kind: 'close', outcome: 'decided' });
    const tokens = bodies.flatMap((body) => (body.kind === 'tokens' ? [body] : []));
    expect(new Set(tokens.map(({ key }) => key)).size).toBeGreaterThan(1);

    const view = await client.trials.read({ trial });
    expect(view.entries).toEqual(entries);
    expect(view.line).toMatchObject({ status: 'done', standin: true, experiment });
    expect(view.facts).toEqual([{ name: 'text', value: tryDraft.facts }]);
    expect(await client.trials.check({ trial })).toMatchObject({ chain: 'intact', replay: 'identical', problem: null });

    const written = tokens.at(-1) ?? { key: '', text: '' };
    const shown = await client.trials.call({ trial, key: written.key });
    expect(shown.messages.some(({ content }) => content.includes(tryDraft.facts))).toBe(true);
    // What was seen being written is how the answer on the record begins.
    expect(written.text).not.toBe('');
    expect(shown.answer?.startsWith(written.text)).toBe(true);
  });

  test('that cannot begin leaves nothing on the record', async () => {
    const { client } = await start();
    await client.settings.change({ ollamaUrl: 'http://127.0.0.1:9' });
    await expect(client.tries.start(tryDraft)).rejects.toMatchObject({ code: 'no-backend' });
    await expect(client.tries.start({ ...tryDraft, protocol: 'none' })).rejects.toMatchObject({ code: 'bad-input' });
    await expect(client.tries.start({ ...tryDraft, labels: ['A', 'A'] })).rejects.toMatchObject({
      code: 'bad-input',
      data: { field: 'labels' },
    });
    expect(await client.experiments.list({})).toEqual([]);
  });
});

describe('a run', () => {
  test('is paused, resumed and stopped, and goes on after that', async () => {
    const { client } = await start();
    const { experiment } = await client.experiments.start(draft('paused', 4));
    await expect(client.runs.resume({ experiment })).rejects.toMatchObject({ code: 'bad-input' });
    await reached(client, experiment, ({ calls }) => calls > 0);
    await client.runs.pause({ experiment });
    // The call under way is finished; after it there is none.
    await until(async () => standin.load().busy === 0);
    const asked = standin.requests().length;
    await client.experiments.list({});
    expect(standin.requests()).toHaveLength(asked);
    const held = await reached(client, experiment, ({ calls }) => calls === asked);
    expect(held.state).toBe('paused');
    await client.runs.resume({ experiment });
    await reached(client, experiment, ({ calls }) => calls > held.calls);
    await client.runs.stop({ experiment });
    await reached(client, experiment, ({ state }) => state === 'stopped');
    const { log } = await client.experiments.read({ experiment });
    expect(log.map(({ event }) => event).toReversed()).toEqual(['run-start', 'run-hold', 'run-continue', 'run-interrupt']);
    await client.runs.resume({ experiment });
    await reached(client, experiment, ({ calls }) => calls > 0);
    await client.runs.stop({ experiment });
  });

  test('goes on by itself after kill -9 of the engine, twice, and ends as one that was never killed', {
    timeout: 120_000,
  }, async () => {
    const whole = await start();
    await whole.client.experiments.start(draft('whole', 4));
    await reached(whole.client, 'whole', ({ state }) => state === 'finished');
    const reference = (await allLines(whole.client, 'whole')).map(timeless);
    expect(reference).toHaveLength(4);
    const asked = standin.requests().length;

    const host = await start();
    await host.client.experiments.start(draft('whole', 4));
    let { client } = host;
    for (const incarnation of [2, 3]) {
      await reached(client, 'whole', ({ calls }) => calls > 5);
      process.kill(host.child().pid ?? 0, 'SIGKILL');
      await host.ready(incarnation);
      client = host.connect().client;
      expect((await client.engine.status({})).incarnation).toBe(incarnation);
    }
    const ended = await reached(client, 'whole', ({ state }) => state !== 'running');
    expect(ended).toMatchObject({ state: 'finished', done: 4, resumed: 2, error: null });
    expect((await allLines(client, 'whole')).map(timeless)).toEqual(reference);
    const { log } = await client.experiments.read({ experiment: 'whole' });
    const recovered = ['run-recover', 'run-start'];
    expect(log.map(({ event }) => event).toReversed()).toEqual(['run-start', ...recovered, ...recovered, 'run-end']);
    // Of the calls that a kill cut short, and of no others, each is asked again.
    const again = standin.requests().length - 2 * asked;
    expect(again).toBeGreaterThanOrEqual(0);
    expect(again).toBeLessThanOrEqual(2);
  });

  test('that was paused when the engine died stays paused', async () => {
    const host = await start();
    await host.client.experiments.start(draft('held', 6));
    await reached(host.client, 'held', ({ calls }) => calls > 0);
    await host.client.runs.pause({ experiment: 'held' });
    await until(async () => standin.load().busy === 0);
    process.kill(host.child().pid ?? 0, 'SIGKILL');
    await host.ready(2);
    const { client } = host.connect();
    const asked = standin.requests().length;
    const held = await reached(client, 'held', ({ planned }) => planned > 0);
    expect(held).toMatchObject({ state: 'paused', calls: 0, resumed: 1 });
    expect(standin.requests()).toHaveLength(asked);
    await client.runs.resume({ experiment: 'held' });
    await reached(client, 'held', ({ calls }) => calls > 0);
  });

  test('that an orderly end cut short is shown as interrupted, and goes on when it is told to', async () => {
    const first = await start();
    await first.client.experiments.start(draft('cut', 3));
    await reached(first.client, 'cut', ({ calls }) => calls > 3);
    await first.stop();
    expect(first.child().exitCode).toBe(0);
    const second = startEngineHost({ folder: first.folder });
    hosts.push(second);
    await second.ready();
    const { client } = second.connect();
    expect(await runOf(client, 'cut')).toMatchObject({ state: 'interrupted', backend: 'ollama' });
    await client.runs.resume({ experiment: 'cut' });
    await reached(client, 'cut', ({ state }) => state === 'finished');
    expect(await allLines(client, 'cut')).toHaveLength(3);
  });

  test('of a store that another program writes to fails with that reason, and never runs twice', async () => {
    const { client, store } = await start();
    await client.experiments.start(draft('shared', 1));
    await reached(client, 'shared', ({ state }) => state === 'finished');
    const other = openStore(store, { create: false });
    await client.runs.resume({ experiment: 'shared' });
    const failed = await reached(client, 'shared', ({ state }) => state === 'failed');
    expect(failed.error?.code).toBe('store-in-use');
    expect(failed.error?.message).not.toContain(store);
    other.close();
    await client.runs.resume({ experiment: 'shared' });
    await reached(client, 'shared', ({ state }) => state === 'finished');
  });
});

describe('streams', () => {
  test('of a trial go on after kill -9 from the last event, with none missing and none twice', async () => {
    const host = await start(slow);
    const { trial } = await host.client.tries.start(tryDraft);
    let last = -1;
    const before: number[] = [];
    const broken = (async () => {
      for await (const body of await host.client.trials.watch({ trial, after: -1 })) {
        if (body.kind === 'entries') {
          before.push(...body.entries.map(({ seq }) => seq));
          last = body.lastSeq;
          if (before.length > 4) process.kill(host.child().pid ?? 0, 'SIGKILL');
        }
      }
    })();
    await expect(broken).rejects.toThrow();
    await host.ready(2);
    const { client } = host.connect();
    const after = seqs(await watch(client, trial, last, isDone));
    const { entries } = await client.trials.read({ trial });
    expect([...before, ...after]).toEqual(entries.map(({ seq }) => seq));
    expect(after.length).toBeGreaterThan(0);
  });

  test('of an experiment tell every trial that ended; a cursor of another process is a gap', async () => {
    const host = await start();
    const { experiment } = await host.client.experiments.start(draft('watched', 3));
    const { cursor } = await host.client.experiments.read({ experiment });
    const done = new Set<string>();
    let run: Run | null = null;
    for await (const body of await host.client.experiments.watch({ experiment, cursor })) {
      if (body.kind === 'run') run = body.run;
      if (body.kind === 'trials') for (const { trial, status } of body.lines) if (status === 'done') done.add(trial);
      if (done.size === 3 && run?.state === 'finished') break;
    }
    expect([...done].toSorted()).toEqual((await allLines(host.client, experiment)).map(({ trial }) => trial).toSorted());
    const { arms } = await host.client.experiments.stats({ experiment });
    expect(arms).toMatchObject([{ arm: 'court', planned: 3, n: 3, standin: true }]);
    process.kill(host.child().pid ?? 0, 'SIGKILL');
    await host.ready(2);
    const { client } = host.connect();
    for await (const body of await client.experiments.watch({ experiment, cursor })) {
      if (body.kind === 'run') continue;
      expect(body.kind).toBe('gap');
      break;
    }
  });

  test('of the engine begin with its status', async () => {
    const { client } = await start();
    for await (const status of await client.engine.watch({})) {
      expect(status).toMatchObject({ incarnation: 1, runs: [] });
      break;
    }
  });
});

test('the engine ends with its host', async () => {
  const host = await start();
  const ended = once(host.child(), 'exit');
  host.child().disconnect();
  expect((await ended)[0]).toBe(0);
});

test('an engine that comes to an error of its own ends with 70 and leaves its details in the log', async () => {
  const host = await start();
  const ended = once(host.child(), 'exit');
  host.child().send({ kind: 'nonsense' });
  expect((await ended)[0]).toBe(70);
  expect(readFileSync(join(host.folder, 'assize.log'), 'utf8')).toContain('assize engine');
  await host.ready(2);
});

test('a store that cannot be read is refused in a sentence, and nothing is tried again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assize-odd-'));
  writeFileSync(join(folder, 'store.db'), 'this is a letter and no store');
  const host = startEngineHost({ folder });
  hosts.push(host);
  await expect(host.ready()).rejects.toThrow('refused: this is not a store');
  expect((await once(host.child(), 'exit'))[0]).toBe(2);
  expect(host.supervisor.state()).toBe('refused');
});

test('an engine that waits for a page leaves the store as it is until one has spoken', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assize-waits-'));
  const older = gunzipSync(readFileSync(join(import.meta.dirname, '../store/fixtures/format-1.db.gz')));
  writeFileSync(join(folder, 'store.db'), older);
  const host = startEngineHost({ folder, awaitPage: true });
  hosts.push(host);
  const heard: string[] = [];
  host.supervisor.onMessage(({ kind }) => heard.push(kind));
  await host.ready();
  const { client } = host.connect();
  const untouched = readdirSync(folder).toSorted();
  expect(untouched.filter((name) => name.startsWith('store.db'))).toEqual(['store.db']);
  expect(readFileSync(join(folder, 'store.db'))).toEqual(older);
  await client.engine.status({});
  await client.experiments.list({});
  expect(heard.slice(0, 3)).toEqual(['ready', 'heard', 'data']);
  expect(heard.filter((kind) => kind === 'heard')).toHaveLength(1);
});
