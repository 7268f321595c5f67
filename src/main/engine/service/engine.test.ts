import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Run } from '../../../shared/api/engine.ts';
import type { TrialFrame } from '../../../shared/api/trials.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { timeless } from '../lab/testing/laboratory.ts';
import { type DemoServer, startDemoServer } from '../models/demo/demoServer.ts';
import { type EngineHost, startEngineHost } from './testing/engineHost.ts';
import { type Client, endRooms, type StartedRoom, startRoom } from './testing/engineRoom.ts';
import { draft, pace, reached, tryDraft, until } from './testing/runs.ts';

let standin: DemoServer;
let slow: DemoServer;
/** For what leaves the engine as it was. */
let room: StartedRoom;
const hosts: EngineHost[] = [];

beforeAll(async () => {
  standin = await startDemoServer({ profile: pace });
  slow = await startDemoServer({ profile: { ...pace, machine: { ...pace.machine, decodeRate: 800 } } });
  room = await startRoom();
});

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.remove()));
});

afterAll(async () => {
  await endRooms();
  await standin.close();
  await slow.close();
});

function host(options: Parameters<typeof startEngineHost>[0] = {}): EngineHost {
  const made = startEngineHost(options);
  hosts.push(made);
  return made;
}

/** Lets an engine ask a demo model. */
async function asking(client: Client, server = standin): Promise<Client> {
  await client.settings.change({ ollamaUrl: server.url });
  return client;
}

/** Whether nothing is asked any more: a call that has passed the gate may still be on its way. */
async function quiet(): Promise<boolean> {
  const seen = standin.requests().length;
  await sleep(100);
  return standin.load().busy === 0 && standin.requests().length === seen;
}

const allLines = async (client: Client, experiment: string): Promise<readonly TrialLine[]> =>
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

test('the stream of the engine begins with its status', async () => {
  for await (const status of await room.client.engine.watch({})) {
    expect(status).toMatchObject({ incarnation: 1, runs: [] });
    break;
  }
});

describe('a try', () => {
  test('that cannot begin leaves nothing on the record', async () => {
    const { client } = room;
    await client.settings.change({ ollamaUrl: 'http://127.0.0.1:9' });
    await expect(client.tries.start(tryDraft)).rejects.toMatchObject({ code: 'no-backend' });
    await expect(client.tries.start({ ...tryDraft, protocol: 'none' })).rejects.toMatchObject({ code: 'bad-input' });
    await expect(client.tries.start({ ...tryDraft, labels: ['A', 'A'] })).rejects.toMatchObject({
      code: 'bad-input',
      data: { field: 'labels' },
    });
    expect((await client.experiments.list({})).experiments).toEqual([]);
  });

  test('is watched from the first word to the ruling', async () => {
    const client = await asking(room.client, slow);
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

    const written = tokens.findLast(({ text }) => text !== '') ?? { key: '', text: '' };
    const shown = await client.trials.call({ trial, key: written.key });
    expect(shown.messages.some(({ content }) => content.includes(tryDraft.facts))).toBe(true);
    // What was seen being written is how the answer on the record begins.
    expect(written.text).not.toBe('');
    expect(shown.answer?.startsWith(written.text)).toBe(true);
  });
});

describe('a run', () => {
  test('is paused, resumed and stopped, and continues after that', async () => {
    const client = await asking(room.client);
    const before = standin.requests().length;
    const { experiment } = await client.experiments.start(draft('paused', 4));
    await expect(client.runs.resume({ experiment })).rejects.toMatchObject({ code: 'bad-input' });
    await reached(client, experiment, ({ calls }) => calls > 0);
    await client.runs.pause({ experiment });
    // The call under way is finished; after it there is none.
    await until(quiet);
    const asked = standin.requests().length;
    await client.experiments.list({});
    expect(standin.requests()).toHaveLength(asked);
    const held = await reached(client, experiment, ({ calls }) => calls === asked - before);
    expect(held.state).toBe('paused');
    await client.runs.resume({ experiment });
    await reached(client, experiment, ({ calls }) => calls > held.calls);
    const at = new Date(Date.now() + 4000).toISOString();
    await client.runs.pause({ experiment });
    await client.runs.resume({ experiment, until: at });
    await reached(client, experiment, ({ state, paused_until: until }) => state === 'paused' && until === at);
    for (const wrong of [0, Date.now() + 8 * 24 * 3600_000]) {
      const until = new Date(wrong).toISOString();
      await expect(client.runs.resume({ experiment, until })).rejects.toMatchObject({ code: 'bad-input' });
    }
    await reached(client, experiment, ({ state, paused_until: until }) => state === 'running' && until === null);
    expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(at));
    await client.runs.stop({ experiment });
    await reached(client, experiment, ({ state }) => state === 'stopped');
    const { log } = await client.experiments.read({ experiment });
    expect(log.map(({ event }) => event).toReversed()).toEqual([
      ...['run-start', 'run-hold', 'run-continue', 'run-hold', 'run-hold', 'run-continue', 'run-interrupt'],
    ]);
    await client.runs.resume({ experiment });
    await reached(client, experiment, ({ calls }) => calls > 0);
    await client.runs.stop({ experiment });
    await reached(client, experiment, ({ state }) => state === 'stopped');
  });

  test('continues by itself after kill -9 of the engine, twice, and ends as one that was never killed', {
    tags: 'exhaustive',
    timeout: 120_000,
  }, async () => {
    const before = standin.requests().length;
    let client = await asking(room.client);
    await client.experiments.start(draft('whole', 4));
    await reached(client, 'whole', ({ state }) => state === 'finished');
    const reference = (await allLines(client, 'whole')).map(timeless);
    expect(reference).toHaveLength(4);
    const asked = standin.requests().length;

    const engine = host();
    await engine.ready();
    client = await asking(engine.connect().client);
    await client.experiments.start(draft('whole', 4));
    for (const incarnation of [2, 3]) {
      await reached(client, 'whole', ({ calls }) => calls > 5);
      engine.child().kill('SIGKILL');
      await engine.ready(incarnation);
      client = engine.connect().client;
      expect((await client.engine.status({})).incarnation).toBe(incarnation);
    }
    const ended = await reached(client, 'whole', ({ state }) => state !== 'running');
    expect(ended).toMatchObject({ state: 'finished', done: 4, resumed: 2, error: null });
    expect((await allLines(client, 'whole')).map(timeless)).toEqual(reference);
    const { log } = await client.experiments.read({ experiment: 'whole' });
    const recovered = ['run-recover', 'run-start'];
    expect(log.map(({ event }) => event).toReversed()).toEqual(['run-start', ...recovered, ...recovered, 'run-end']);
    // Of the calls that a kill cut short, and of no others, each is asked again.
    const again = standin.requests().length - asked - (asked - before);
    expect(again).toBeGreaterThanOrEqual(0);
    expect(again).toBeLessThanOrEqual(2);
  });

  test('that was paused when the engine died stays paused', async () => {
    const first = await startRoom();
    await asking(first.client);
    await first.client.experiments.start(draft('held', 6));
    await reached(first.client, 'held', ({ calls }) => calls > 0);
    await first.client.runs.pause({ experiment: 'held' });
    await until(quiet);
    const { client } = await first.killed();
    const asked = standin.requests().length;
    const held = await reached(client, 'held', ({ planned }) => planned > 0);
    expect(held).toMatchObject({ state: 'paused', calls: 0, resumed: 1 });
    expect(standin.requests()).toHaveLength(asked);
    await client.runs.resume({ experiment: 'held' });
    await reached(client, 'held', ({ calls }) => calls > 0);
  });

  test('whose demo server has gone names it in error and log, and continues with the demo model', async () => {
    const gone = await startDemoServer({ profile: pace });
    const client = await asking(room.client, gone);
    await client.experiments.start(draft('gone', 4));
    await reached(client, 'gone', ({ calls }) => calls > 3);
    await client.runs.stop({ experiment: 'gone' });
    await reached(client, 'gone', ({ state }) => state === 'stopped');
    await gone.close();
    const read = () => client.experiments.read({ experiment: 'gone' });
    expect(await read()).toMatchObject({ demo_chosen: false, demo_offered: true, asks: [{ url: gone.url, here: true }] });
    await client.runs.resume({ experiment: 'gone' });
    const failed = await reached(client, 'gone', ({ state }) => state === 'failed');
    expect(failed.error?.message).toContain(
      `; the answers so far came from the demo model at ${gone.url}; choose “Continue with the built-in demo model”`,
    );
    const [newest] = (await read()).log;
    expect(newest).toMatchObject({ event: 'run-refuse', detail: { reason: failed.error?.message } });
    await client.runs.resume({ experiment: 'gone', demo: true });
    await reached(client, 'gone', ({ state }) => state === 'finished');
    expect((await allLines(client, 'gone')).map((line) => line.standin)).toEqual([true, true, true, true]);
    expect(await read()).toMatchObject({ demo_chosen: true, demo_offered: true });
    await client.runs.resume({ experiment: 'gone', demo: false });
    await reached(client, 'gone', ({ state }) => state === 'finished');
    expect(await read()).toMatchObject({ demo_chosen: false });
  });
});

describe('streams', () => {
  test('of a trial continue after kill -9 from the last event, with none missing and none twice', {
    tags: 'exhaustive',
  }, async () => {
    const engine = host();
    await engine.ready();
    const first = await asking(engine.connect().client, slow);
    const { trial } = await first.tries.start(tryDraft);
    let last = -1;
    const before: number[] = [];
    const broken = (async () => {
      for await (const body of await first.trials.watch({ trial, after: -1 })) {
        if (body.kind === 'entries') {
          before.push(...body.entries.map(({ seq }) => seq));
          last = body.lastSeq;
          if (before.length > 4) engine.child().kill('SIGKILL');
        }
      }
    })();
    await expect(broken).rejects.toThrow();
    await engine.ready(2);
    const { client } = engine.connect();
    const after = seqs(await watch(client, trial, last, isDone));
    const { entries } = await client.trials.read({ trial });
    expect([...before, ...after]).toEqual(entries.map(({ seq }) => seq));
    expect(after.length).toBeGreaterThan(0);
  });

  test('of an experiment report every trial that ended; a cursor of another process is a gap', async () => {
    const before = await startRoom();
    await asking(before.client);
    const { experiment } = await before.client.experiments.start(draft('watched', 3));
    const { cursor } = await before.client.experiments.read({ experiment });
    const done = new Set<string>();
    let run: Run | null = null;
    for await (const body of await before.client.experiments.watch({ experiment, cursor })) {
      if (body.kind === 'run') run = body.run;
      if (body.kind === 'trials') for (const { trial, status } of body.lines) if (status === 'done') done.add(trial);
      if (done.size === 3 && run?.state === 'finished') break;
    }
    expect([...done].toSorted()).toEqual((await allLines(before.client, experiment)).map(({ trial }) => trial).toSorted());
    const { arms } = await before.client.experiments.stats({ experiment });
    expect(arms).toMatchObject([{ arm: 'court', planned: 3, n: 3, standin: true }]);
    const { client } = await before.killed();
    for await (const body of await client.experiments.watch({ experiment, cursor })) {
      if (body.kind === 'run') continue;
      expect(body.kind).toBe('gap');
      break;
    }
  });
});

test('after an internal error the engine exits with 70, writes the details to the log and starts again; it ends with its host', async () => {
  const engine = host();
  await engine.ready();
  const failed = once(engine.child(), 'exit');
  engine.child().send({ kind: 'nonsense' });
  expect((await failed)[0]).toBe(70);
  expect(readFileSync(join(engine.folder, 'assize.log'), 'utf8')).toContain('assize engine');
  await engine.ready(2);
  const ended = once(engine.child(), 'exit');
  engine.child().disconnect();
  expect((await ended)[0]).toBe(0);
});

test('a store that cannot be read is refused in a sentence, and nothing is tried again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assize-odd-'));
  writeFileSync(join(folder, 'store.db'), 'this is a letter and no store');
  const engine = host({ folder });
  await expect(engine.ready()).rejects.toThrow('refused: this is not a store');
  expect((await once(engine.child(), 'exit'))[0]).toBe(2);
  expect(engine.supervisor.state()).toBe('refused');
});

test('an engine that waits for a page does not change the store until one has spoken', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assize-waits-'));
  const older = gunzipSync(readFileSync(join(import.meta.dirname, '../store/fixtures/format-1.db.gz')));
  writeFileSync(join(folder, 'store.db'), older);
  const engine = host({ folder, awaitPage: true });
  const heard: string[] = [];
  engine.supervisor.onMessage(({ kind }) => heard.push(kind));
  await engine.ready();
  const { client } = engine.connect();
  const untouched = readdirSync(folder).toSorted();
  expect(untouched.filter((name) => name.startsWith('store.db'))).toEqual(['store.db']);
  expect(readFileSync(join(folder, 'store.db'))).toEqual(older);
  await client.engine.status({});
  await client.experiments.list({});
  expect(heard.slice(0, 3)).toEqual(['ready', 'heard', 'data']);
  expect(heard.filter((kind) => kind === 'heard')).toHaveLength(1);
});
