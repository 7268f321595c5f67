import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { LoadedModel, Pull } from '../../../../shared/api/models.ts';
import { type DemoServer, type DemoServerOptions, startDemoServer } from '../../models/demo/demoServer.ts';
import { type EngineRoom, failureOf, openEngineRoom } from '../testing/engineRoom.ts';
import { draft, pace, reached, until } from '../testing/runs.ts';

let room: EngineRoom;
const servers: DemoServer[] = [];
beforeAll(() => {
  room = openEngineRoom({ name: 'models' });
});
afterAll(() => room.close());
afterEach(async () => {
  for (const { model, state } of room.service.models.pulls.list()) {
    if (['waiting', 'pulling', 'verifying'].includes(state)) room.service.models.pulls.cancel(model);
    room.service.models.pulls.dismiss(model);
  }
  await room.service.models.pulls.idle();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

async function server(options: Partial<DemoServerOptions> = {}): Promise<DemoServer> {
  const standin = await startDemoServer({ port: 0, ...options });
  servers.push(standin);
  await room.client.settings.change({ ollamaUrl: standin.url });
  return standin;
}

/** What a screen got, and how to leave. */
async function watching() {
  const leave = new AbortController();
  const seen: { installed: number; loaded: (readonly LoadedModel[])[]; pulls: (readonly Pull[])[] } = {
    installed: 0,
    loaded: [],
    pulls: [],
  };
  const frames = await room.client.models.watch({}, { signal: leave.signal });
  const read = async () => {
    for await (const body of frames) {
      if (body.kind === 'installed') seen.installed += 1;
      if (body.kind === 'loaded') seen.loaded.push(body.loaded);
      if (body.kind === 'pulls') seen.pulls.push(body.pulls);
    }
  };
  const reading = read().catch(() => undefined);
  return {
    seen,
    async leave() {
      leave.abort();
      await reading;
    },
  };
}

const named = (names: readonly string[]) => expect.arrayContaining(names.map((name) => expect.objectContaining({ name })));

describe('what is installed', () => {
  test('is unknown where no server answers: a sentence, and no failure', async () => {
    const gone = await server();
    await gone.close();
    expect(await room.client.models.read({})).toEqual({
      url: gone.url,
      problem: expect.stringMatching(
        /^no answer from http.*nothing listens there \(ECONNREFUSED\); start Ollama there, or check the address\.$/,
      ),
      standin: false,
      installed: [],
      disk_free: null,
    });
    expect(await failureOf(room.client.models.delete({ model: 'a:1b' }))).toMatchObject({ code: 'no-backend' });
    expect(await failureOf(room.client.models.fits({ context: 4096, slots: 1 }))).toMatchObject({ code: 'no-backend' });
    expect((await room.client.models.ensembles({})).every(({ models }) => models.every(({ installed }) => !installed))).toBe(
      true,
    );
  });

  test('a host that is not allowed is not asked', async () => {
    await room.client.settings.change({ ollamaUrl: 'http://models.example:11434' });
    expect((await room.client.models.read({})).problem).toContain('models.example is not this machine');
  });
});

describe('fetching', () => {
  test('goes by the stream to the end, and says that the list has changed', async () => {
    const standin = await server({ models: ['llama3.1:8b'] });
    const { seen, leave } = await watching();
    await room.client.models.pull({ models: ['newcomer:3b', 'missing:1b'] });
    await room.service.models.pulls.idle();
    const ended = (pulls: readonly Pull[] | undefined) =>
      pulls?.length === 2 && pulls.every(({ state }) => state === 'done' || state === 'failed');
    await until(async () => ended(seen.pulls.at(-1)) && seen.installed > 0);
    expect(seen.pulls.at(-1)).toMatchObject([
      { model: 'missing:1b', state: 'failed', problem: expect.stringContaining('no model of this name') },
      { model: 'newcomer:3b', state: 'done', resumed: 0 },
    ]);
    expect((await room.client.models.read({})).installed).toEqual(named(['newcomer:3b']));
    await room.client.models.dismiss({ model: 'missing:1b' });
    await until(async () => seen.pulls.at(-1)?.length === 1);
    expect(await failureOf(room.client.models.dismiss({ model: 'missing:1b' }))).toMatchObject({ code: 'bad-input' });
    await leave();
    expect(standin.pulls()).toBe(0);
  });

  test('cancelled, it stops at the server; it cannot be deleted meanwhile', async () => {
    const standin = await server({ profile: 'laptop', models: ['llama3.1:8b'] });
    await room.client.models.pull({ models: ['slow:8b'] });
    await until(async () => standin.pulls() === 1);
    expect(await failureOf(room.client.models.delete({ model: 'slow:8b' }))).toMatchObject({
      code: 'bad-input',
      message: 'slow:8b is being fetched; cancel that first',
    });
    await room.client.models.cancel({ model: 'slow:8b' });
    await until(async () => standin.pulls() === 0);
    expect(room.service.models.pulls.list()).toMatchObject([{ state: 'cancelled' }]);
    expect(await failureOf(room.client.models.cancel({ model: 'slow:8b' }))).toMatchObject({ code: 'bad-input' });
  });
});

describe('what is in memory', () => {
  test('is read while someone watches, and freed on demand', async () => {
    const standin = await server({ profile: 'workstation', models: ['llama3.1:8b'], anyModel: false });
    standin.showGpuShare(1);
    const { seen, leave } = await watching();
    await until(async () => seen.loaded.length > 0);
    expect(seen.loaded.at(-1)).toEqual([]);
    const load = { model: 'llama3.1:8b', messages: [], keep_alive: -1, options: { num_ctx: 8192 } };
    await fetch(`${standin.url}/api/chat`, { method: 'POST', body: JSON.stringify(load) });
    await until(async () => seen.loaded.at(-1)?.length === 1);
    expect(seen.loaded.at(-1)).toMatchObject([{ name: 'llama3.1:8b', gpu_share: 1, context: 8192, expires_at: null }]);
    await room.client.models.unload({ model: 'llama3.1:8b' });
    await until(async () => seen.loaded.at(-1)?.length === 0);
    await leave();
    await until(async () => room.service.models.lastLoaded() === null);
    expect(await failureOf(room.client.models.unload({ model: 'absent:1b' }))).toMatchObject({ code: 'missing-model' });
  });
});

describe('deleting', () => {
  test('is refused while a run asks the model, also while it is paused', async () => {
    await server({ profile: pace, models: ['m:1', 'other:1b'] });
    await room.client.experiments.start(draft('busy', 4));
    await reached(room.client, 'busy', ({ calls }) => calls > 0);
    await room.client.runs.pause({ experiment: 'busy' });
    expect(await failureOf(room.client.models.delete({ model: 'M:1' }))).toMatchObject({
      code: 'bad-input',
      message: 'the run of "busy" asks M:1; stop it first, or let it end',
    });
    await room.client.models.delete({ model: 'other:1b' });
    await room.client.runs.stop({ experiment: 'busy' });
    await reached(room.client, 'busy', ({ state }) => state === 'stopped');
    await room.client.models.delete({ model: 'm:1' });
    expect((await room.client.models.read({})).installed).toEqual([]);
  });
});

test('nothing that should not have happened was kept', () => {
  expect(room.kept).toEqual([]);
});
