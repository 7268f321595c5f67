import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServerSetting } from '../../../../shared/api/engine.ts';
import type { DraftInput } from '../../../../shared/api/experiments.ts';
import { verifyPath } from '../../audit/testing/tampering.ts';
import { type DemoServer, startDemoServer } from '../../models/demo/demoServer.ts';
import { serve } from '../../models/testing/server.ts';
import { draftBackends, runBackends } from '../servers.ts';
import { type EngineRoom, failureOf, openEngineRoom } from '../testing/engineRoom.ts';
import { finished } from '../testing/runs.ts';

let room: EngineRoom;
let gpu: DemoServer;
let second: DemoServer;
beforeAll(async () => {
  room = openEngineRoom({ name: 'servers' });
  gpu = await startDemoServer({ models: ['Org/Large:7b'], anyModel: false });
  second = await startDemoServer({ models: ['small:1b'], anyModel: false });
});
afterAll(async () => {
  await room.close();
  await gpu.close();
  await second.close();
});

const large = (url = `${gpu.url}/v1`): ServerSetting => ({ name: 'gpu', backend: { kind: 'openai', url, concurrency: 4 } });
const small = (): ServerSetting => ({ name: 'second', backend: { kind: 'ollama', url: second.url } });

const draft = (given: Partial<DraftInput> = {}): DraftInput => ({
  name: 'Two servers',
  entry: 'deposits',
  sample: { from: 'test', n: 2 },
  backend: 'ollama',
  arms: [
    {
      name: 'court',
      protocol: 'agentic-sim',
      params: { turns: 1 },
      cast: { '*': { model: 'small:1b', backend: 'second' }, judge: { model: 'Org/Large:7b', backend: 'gpu' } },
    },
  ],
  ...given,
});

/** Address -> calls that the record says went there. */
async function addresses(trial: string): Promise<Record<string, number>> {
  const { entries } = await room.client.trials.read({ trial });
  const counts: Record<string, number> = {};
  for (const { key } of entries.filter(({ kind }) => kind === 'call')) {
    const { setup } = await room.client.trials.call({ trial, key });
    const url = `${setup.backend} ${setup.url}`;
    counts[url] = (counts[url] ?? 0) + 1;
  }
  return counts;
}

describe('a server of the settings', () => {
  test('is asked before it is saved: models with their context, version, and what is wrong', async () => {
    const vllm = await serve((request, response) => {
      const known: Record<string, unknown> = {
        '/v1/models': { data: [{ id: 'Org/Large:7b', owned_by: 'vllm', max_model_len: 4096 }] },
        '/version': { version: '0.9.1' },
      };
      const body = known[request.url ?? ''];
      response.writeHead(body === undefined ? 404 : 200).end(JSON.stringify(body ?? {}));
    });
    expect(await room.client.backends.ask(large(`${vllm.url}/v1`))).toEqual({
      name: 'gpu',
      kind: 'openai',
      url: `${vllm.url}/v1`,
      state: 'ready',
      version: 'vLLM 0.9.1',
      standin: false,
      slots: null,
      models: [{ name: 'Org/Large:7b', context: 4096 }],
      problem: null,
    });
    await vllm.close();
    expect(await room.client.backends.ask(large(`${vllm.url}/v1`))).toMatchObject({
      state: 'away',
      models: [],
      problem: expect.stringMatching(/ECONNREFUSED.*Start the server there/),
    });
    expect((await room.client.settings.read({})).servers).toEqual([]);
  });

  test('on another machine is refused until its host is allowed; a missing key is reported', async () => {
    expect(await room.client.backends.ask(large('https://gpu.invalid/v1'))).toMatchObject({
      state: 'refused',
      problem: expect.stringContaining('gpu.invalid is not this machine'),
    });
    const keyed: ServerSetting = {
      name: 'gpu',
      backend: { kind: 'openai', url: `${gpu.url}/v1`, apiKeyVariable: 'ASSIZE_NO_SUCH_KEY' },
    };
    expect(await room.client.backends.ask(keyed)).toMatchObject({
      state: 'away',
      problem: expect.stringContaining('ASSIZE_NO_SUCH_KEY is not set'),
    });
  });

  test('is saved under its own name', async () => {
    const { servers } = await room.client.settings.change({ servers: [large(), small()] });
    expect(servers).toEqual([large(), small()]);
    const reports = await room.client.backends.servers({});
    expect(reports.map(({ name, state, standin, models }) => [name, state, standin, models.map((model) => model.name)])).toEqual([
      ['gpu', 'ready', true, ['Org/Large:7b']],
      ['second', 'ready', true, ['small:1b']],
    ]);
    const refused = async (...wrong: ServerSetting[]) => (await failureOf(room.client.settings.change({ servers: wrong }))).field;
    expect(await refused(large(), large())).toBe('servers');
    expect(await refused({ ...large(), name: 'default' })).toBe('servers.0.name');
    expect(await refused({ name: 'x', backend: { kind: 'ollama', url: 'http://me:secret@127.0.0.1' } })).toBe(
      'servers.0.backend.url',
    );
    const secret: ServerSetting = {
      name: 'x',
      backend: { kind: 'openai', url: 'http://127.0.0.1/v1', apiKeyVariable: 'AWS_SECRET_ACCESS_KEY' },
    };
    expect(await refused(secret)).toBe('servers.0.backend.apiKeyVariable');
    expect((await room.client.settings.read({})).servers).toEqual([large(), small()]);
  });
});

describe('an experiment of a screen', () => {
  test('asks the server that each role names, and the record says which', async () => {
    const plan = await room.client.experiments.plan(draft());
    expect(plan.missing_models).toEqual([]);
    const { experiment } = await room.client.experiments.start(draft());
    await finished(room.client, experiment);
    const { lines } = await room.client.experiments.trials({ experiment });
    expect(lines.map(({ outcome, backends }) => [outcome, backends?.toSorted()])).toEqual([
      ['decided', ['gpu', 'second']],
      ['decided', ['gpu', 'second']],
    ]);
    const counts = await addresses(lines[0]?.trial ?? '');
    expect(Object.keys(counts).toSorted()).toEqual([`gpu ${gpu.url}/v1`, `second ${second.url}`]);
    expect(verifyPath(room.path('store.db'))).toMatchObject({ result: 'intact' });
  });

  test('that names a server which the settings lack is refused at the role', async () => {
    const arms = [{ name: 'solo', protocol: 'standard', cast: { '*': { model: 'm', backend: 'gone' } } }];
    expect(await failureOf(room.client.experiments.plan(draft({ arms })))).toMatchObject({
      code: 'bad-input',
      field: 'arms[0].cast.*.backend',
      message: expect.stringContaining('no server "gone"'),
    });
  });

  test('with the demo model asks none of them', async () => {
    const { experiment } = await room.client.experiments.start(draft({ name: 'Dry', backend: 'standin' }));
    await finished(room.client, experiment);
    const { lines } = await room.client.experiments.trials({ experiment });
    const url = await room.service.network.url('standin');
    expect(Object.keys(await addresses(lines[0]?.trial ?? '')).toSorted()).toEqual([`gpu ${url}`, `second ${url}`]);
  });
});

describe('a single trial', () => {
  const request = {
    protocol: 'standard',
    model: 'Org/Large:7b',
    backend: 'ollama' as const,
    question: 'Will he be re-arrested?',
    facts: 'He is 22 and has no job.',
    labels: ['NO', 'YES'],
  };

  test('asks the server that is named, with the context that was chosen', async () => {
    const { experiment, trial } = await room.client.tries.start({ ...request, server: 'gpu', numCtx: 16_384 });
    await finished(room.client, experiment);
    expect(await addresses(trial)).toEqual({ [`gpu ${gpu.url}/v1`]: 1 });
    const { definition } = await room.client.experiments.read({ experiment });
    expect(definition.runtime.numCtx).toBe(16_384);
    expect(await failureOf(room.client.tries.start({ ...request, server: 'gone' }))).toMatchObject({ field: 'server' });
  });

  test('is shown beforehand what it needs of the context, and no server is asked', async () => {
    const { connections } = await room.client.engine.status({});
    const short = await room.client.tries.look(request);
    expect(short).toMatchObject({ numPredict: 1024, numCtx: 8192, fits: true });
    const long = { ...request, facts: 'word '.repeat(8_000) };
    const need = await room.client.tries.look(long);
    expect(need.fits).toBe(false);
    expect(need.prompt - short.prompt).toBeGreaterThan(9_000);
    expect(await room.client.tries.look({ ...long, numCtx: 16_384 })).toEqual({ ...need, numCtx: 16_384, fits: true });
    expect((await room.client.engine.status({})).connections).toEqual(connections);
    expect(await failureOf(room.client.tries.look({ ...request, protocol: 'duel' }))).toMatchObject({ code: 'bad-input' });
    expect(room.kept).toEqual([]);
  });
});

describe('a run of an experiment on record', () => {
  const own = { kind: 'ollama', url: 'http://127.0.0.1:1' } as const;
  const url = 'http://127.0.0.1:2';
  const moved = { kind: 'openai', url: 'http://127.0.0.1:3/v1' } as const;
  const settings = { servers: [{ name: 'gpu', backend: moved }] };
  const before = { kind: 'openai', url: 'http://127.0.0.1:4/v1', concurrency: 8 } as const;

  test.each([
    ['asks the Ollama of the settings', { default: own }, { default: { kind: 'ollama', url } }],
    ['under any name', { lab: own }, { lab: { kind: 'ollama', url } }],
    ['finds a server where it is now', { default: own, gpu: before }, { default: { kind: 'ollama', url }, gpu: moved }],
    ['leaves one of another kind as recorded', { default: before, gpu: own }, { default: before, gpu: own }],
  ] as const)('%s', (_what, definition, expected) => {
    expect(runBackends({ ...definition }, 'ollama', url, settings)).toEqual(expected);
  });

  test('a new experiment includes the servers that share the calls of the servers that it names', () => {
    const joining = { ...own, joins: 'default' };
    const servers = [
      { name: 'gpu', backend: { ...moved, joins: 'lab' } },
      { name: 'second', backend: joining },
    ];
    expect(draftBackends('ollama', url, { servers }, [], { reproducible: false })).toEqual({
      default: { kind: 'ollama', url },
      second: joining,
    });
    expect(draftBackends('standin', url, { servers }, [], { reproducible: false })).toEqual({ default: { kind: 'ollama', url } });
  });

  test('asks only the demo model where that was chosen', () => {
    expect(runBackends({ default: own, gpu: before }, 'standin', url, settings)).toEqual({
      default: { kind: 'ollama', url },
      gpu: { kind: 'ollama', url, concurrency: 8 },
    });
  });

  test('takes a server of the settings before their Ollama where it is the only one', () => {
    const known = { servers: [{ name: 'lab', backend: { kind: 'ollama' as const, url: 'http://127.0.0.1:5' } }] };
    expect(runBackends({ lab: own }, 'ollama', url, known)).toEqual({ lab: known.servers[0]?.backend });
  });
});
