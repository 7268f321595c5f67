import { describe, expect, test } from 'vitest';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import { experimentSchema } from '../../../shared/experiment.ts';
import type { ModelInfo } from '../../../shared/model.ts';
import { createDispatcher } from '../models/dispatcher.ts';
import type { LanguageModel } from '../models/port.ts';
import { serve } from '../models/testing/server.ts';
import {
  connectBackends,
  fullModelName,
  neededModels,
  overrideUrl,
  probeBackends,
  type ReadyBackend,
  readyBackends,
  refreshBackend,
} from './backends.ts';
import { playedArms, prepareExperiment } from './experimentFile.ts';

/** A server with these models; `remote` ones are called so. */
function serverWith(...names: string[]): LanguageModel {
  const infos: ModelInfo[] = names.map((name) => ({ name, digest: `digest of ${name}`, remote: name.startsWith('remote') }));
  return {
    kind: 'ollama',
    url: 'http://127.0.0.1:1',
    version: () => Promise.resolve({ version: '1', standin: false }),
    models: () => Promise.resolve(infos),
    unload: () => Promise.resolve(),
    complete: () => Promise.reject(new Error('nothing is asked')),
    embed: () => Promise.reject(new Error('nothing is asked')),
  };
}

const probe = (model: LanguageModel, ...wanted: string[]) =>
  probeBackends(new Map([['default', model]]), new Map([['default', new Map(wanted.map((name) => [name, 8192]))]]));

async function refusalOf(action: Promise<unknown>): Promise<string> {
  const error = await action.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AssizeError ? `${error.code}: ${error.message}` : `unexpected: ${String(error)}`;
}

test.each([
  ['llama3.1', 'llama3.1:latest'],
  ['Llama3.1:8B', 'llama3.1:8b'],
  ['host.example:5000/library/m', 'host.example:5000/library/m:latest'],
  ['host.example:5000/library/m:1', 'host.example:5000/library/m:1'],
])('the server knows %s as %s', (name, full) => {
  expect(fullModelName(name)).toBe(full);
});

test('a model is found in upper or lower case, and an absent one is missing', async () => {
  const { ready, missing } = await probe(serverWith('Qwen:7B', 'm:latest'), 'qwen:7b', 'M', 'gone');
  expect(missing).toEqual([{ backend: 'default', model: 'gone', remedy: 'ollama pull gone' }]);
  expect([...(ready.get('default')?.digests ?? [])]).toEqual([
    ['qwen:7b', 'digest of Qwen:7B'],
    ['M', 'digest of m:latest'],
  ]);
});

test('a server of another kind at the address is called that, and not silent', async () => {
  const other = await serve((_request, response) => response.writeHead(404).end('no'));
  const dispatcher = createDispatcher({ allowedHosts: [] });
  try {
    const definition = { kind: 'ollama', url: other.url, concurrency: 1 } as const;
    const limits = { timeoutSeconds: 5, idleSeconds: 5 };
    const models = connectBackends(dispatcher, { default: definition }, limits);
    expect(await refusalOf(probeBackends(models, new Map([['default', new Map()]])))).toBe(
      `no-backend: Ollama is not there (something answers at ${other.url}/api/tags, but this is not an Ollama server (HTTP 404))`,
    );
  } finally {
    await dispatcher.close();
    await other.close();
  }
});

describe('a model on another machine', () => {
  const refusal = "bad-input: model Remote runs on somebody else's machine; name a local model";

  test('is refused', async () => {
    expect(await refusalOf(probe(serverWith('remote:latest', 'm:latest'), 'm', 'Remote'))).toBe(refusal);
  });

  test('that no one needs does no harm', async () => {
    expect((await probe(serverWith('remote:latest', 'm:latest'), 'm')).missing).toEqual([]);
  });

  test('is refused when it is found after an outage', async () => {
    const backend: ReadyBackend = {
      name: 'default',
      model: serverWith('remote:latest'),
      version: '1',
      standin: false,
      digests: new Map([['Remote', 'abc']]),
      needed: new Map([['Remote', 8192]]),
    };
    expect(await refusalOf(refreshBackend(backend, new AbortController().signal))).toBe(refusal);
  });

  test.each(['gpt-oss:120b-cloud', 'm:CLOUD', 'm:1-Cloud', 'm_cloud'])('is refused by its name in an experiment: %s', (model) => {
    const experiment = experimentSchema.parse({
      version: 1,
      name: 'e',
      dataset: {
        path: 'cases.csv',
        id: 'id',
        label: { column: 'again' },
        labels: ['NO', 'YES'],
        positive: 'YES',
        question: 'Again?',
      },
      backends: { default: { kind: 'ollama', url: 'http://127.0.0.1:1' } },
      arms: [{ name: 'a', protocol: 'agentic-sim', params: { turns: 1 }, cast: { '*': { model } } }],
    });
    const file = { path: 'e.json', error: (message: string) => badInput(message) };
    expect(() => prepareExperiment({ experiment, file, dataPath: 'cases.csv' })).toThrow(/somebody else's machine/);
  });
});

describe('an OpenAI-compatible server', () => {
  const openai = (url: string, more: object = {}) => ({ gpu: { kind: 'openai' as const, url, ...more } });
  const limits = { timeoutSeconds: 5, idleSeconds: 5 };

  /** What comes of getting a backend ready whose server has one model, `Org/Model`, with a context of 4096 tokens. */
  async function outcome(wanted: Readonly<Record<string, number>>, apiKeyVariable?: string, environment: NodeJS.ProcessEnv = {}) {
    const server = await serve((request, response) => {
      const list = { data: [{ id: 'Org/Model', owned_by: 'vllm', max_model_len: 4096 }] };
      const allowed = apiKeyVariable === undefined || request.headers.authorization === 'Bearer right';
      if (!allowed) response.writeHead(401).end('who are you');
      else if (request.url === '/v1/models') response.end(JSON.stringify(list));
      else response.writeHead(404).end();
    });
    const dispatcher = createDispatcher({ allowedHosts: [] });
    try {
      const backends = openai(`${server.url}/v1`, apiKeyVariable === undefined ? {} : { apiKeyVariable });
      const models = connectBackends(dispatcher, backends, limits, environment);
      const ready = readyBackends(models, new Map([['gpu', new Map(Object.entries(wanted))]]));
      const words = await ready.then(
        (map) => `ready with ${[...(map.get('gpu')?.digests.keys() ?? [])].join()}`,
        () => refusalOf(ready),
      );
      return words.replaceAll(server.url, 'http://server');
    } finally {
      await dispatcher.close();
      await server.close();
    }
  }

  test('has models by their exact names', async () => {
    expect(await outcome({ 'Org/Model': 4096 })).toBe('ready with Org/Model');
    expect(await outcome({ 'org/model': 512 })).toBe(
      'missing-model: 1 model is not on the server; get it with: start the server at http://server/v1 with org/model, or name what it has: Org/Model',
    );
  });

  test('is refused where it gives less context than is wanted', async () => {
    expect(await outcome({ 'Org/Model': 4097 })).toBe(
      'bad-input: the server at http://server/v1 gives model Org/Model a context of 4096 tokens, and numCtx is 4097; start the server with more, or set numCtx to 4096',
    );
  });

  test.each<[string, NodeJS.ProcessEnv, string]>([
    ['right', { GPU_KEY: ' right\n' }, 'ready with Org/Model'],
    [
      'wrong',
      { GPU_KEY: 'wrong' },
      'no-backend: http://server/v1: the server refuses access (HTTP 401); the key is the one in the environment variable GPU_KEY',
    ],
    [
      'not set',
      {},
      'bad-input: the environment variable GPU_KEY is not set; set it to the key of the server, or leave the name out',
    ],
    [
      'empty',
      { GPU_KEY: '' },
      'bad-input: the environment variable GPU_KEY is not set; set it to the key of the server, or leave the name out',
    ],
    ['two lines', { GPU_KEY: 'a\nb' }, 'bad-input: the value of GPU_KEY is not a key: a key is ASCII without spaces'],
  ])('with a key that is %s', async (_name, environment, expected) => {
    expect(await outcome({ 'Org/Model': 512 }, 'GPU_KEY', environment)).toBe(expected);
  });

  test('on another machine is refused unless that is allowed by name', async () => {
    const dispatcher = createDispatcher({ allowedHosts: [] });
    const models = connectBackends(dispatcher, openai('http://gpu.invalid:8000/v1'), limits);
    expect(await refusalOf(readyBackends(models, new Map([['gpu', new Map([['m', 512]])]])))).toMatch(
      /^bad-input: gpu\.invalid is not this machine/,
    );
    await dispatcher.close();
  });

  test('gives way to --ollama, and its key with it; a screen replaces it only by the demo model', () => {
    const gpu = openai('http://127.0.0.1:1/v1', { apiKeyVariable: 'GPU_KEY', concurrency: 4 });
    const url = 'http://127.0.0.1:2';
    expect(overrideUrl(gpu, url)).toEqual({ gpu: { kind: 'ollama', url, concurrency: 4 } });
    expect(overrideUrl(gpu, url, { otherKinds: false })).toEqual(gpu);
    expect(overrideUrl(gpu, undefined)).toEqual(gpu);
    const two = { ...gpu, default: { kind: 'ollama' as const, url: 'http://127.0.0.1:3' } };
    expect(overrideUrl(two, url)).toEqual({ ...gpu, default: { kind: 'ollama', url } });
  });

  const file = { path: 'e.json', error: (message: string) => badInput(message) };
  const definition = (backend: object, runtime: object) => ({
    version: 1,
    name: 'e',
    dataset: { path: 'cases.csv', labels: ['NO', 'YES'], question: 'Again?' },
    backends: { gpu: backend },
    runtime,
    arms: [
      { name: 'a', protocol: 'standard', cast: { '*': { model: 'm', backend: 'gpu', options: { numCtx: 2048 } } } },
      { name: 'b', protocol: 'standard', cast: { '*': { model: 'm', backend: 'gpu' } } },
    ],
  });
  const server = { kind: 'openai', url: 'http://127.0.0.1:1/v1' };

  test('may serve arms of different contexts, and needs the largest; it cannot make a run reproducible', () => {
    const prepare = (runtime: object) =>
      prepareExperiment({ experiment: experimentSchema.parse(definition(server, runtime)), file, dataPath: 'cases.csv' })
        .experiment;
    expect(neededModels(prepare({ numCtx: 4096 }))).toEqual(new Map([['gpu', new Map([['m', 4096]])]]));
    expect(() => prepare({ reproducible: true })).toThrow(/backend "gpu" has no way to forget/);
  });

  test.each([
    { ...server, apiKey: 'sk-1' },
    { ...server, apiKeyVariable: 'sk-1 2' },
    { ...server, url: 'http://user:word@127.0.0.1:1/v1' },
    { ...server, url: 'http://127.0.0.1:1/v1?key=1' },
    { ...server, url: 'file:///v1' },
    { ...server, concurrency: 0 },
    { kind: 'ollama', url: 'http://127.0.0.1:1', apiKeyVariable: 'GPU_KEY' },
  ])('is refused in an experiment file: %j', (backend) => {
    expect(experimentSchema.safeParse(definition(backend, {})).success).toBe(false);
  });
});

describe('the model behind precedents', () => {
  const file = { path: 'e.json', error: (message: string) => badInput(message) };
  const prepare = (protocol: string, cast: object, params: object = {}) =>
    playedArms(
      prepareExperiment({
        experiment: experimentSchema.parse({
          version: 1,
          name: 'e',
          dataset: { path: 'cases.csv', question: 'Which?' },
          arms: [{ name: 'a', protocol, params, cast }],
        }),
        file,
        dataPath: 'cases.csv',
      }),
    );

  test('is needed in the context that it has, unless the cast sets one', () => {
    const cast = (options: object) => ({ '*': { model: 'm' }, retriever: { model: 'v', options } });
    const shots = { shots: 1 };
    expect(neededModels(prepare('courtroom', cast({}))).get('default')).toEqual(
      new Map([
        ['m', 8192],
        ['v', 0],
      ]),
    );
    expect(
      neededModels(prepare('single', cast({ numCtx: 512 }), shots))
        .get('default')
        ?.get('v'),
    ).toBe(512);
  });

  test('is a role only of protocols that look for precedents, and may be left out', () => {
    expect(() => prepare('standard', { '*': { model: 'm' }, retriever: { model: 'v' } })).toThrow(
      'protocol standard has no role "retriever"; its roles are predictor, and * for all',
    );
    expect(() => prepare('vote', { '*': { model: 'm' }, retrievr: { model: 'v' } })).toThrow(
      'protocol vote has no role "retrievr"; its roles are voter, retriever, and * for all',
    );
    expect(prepare('courtroom', { '*': { model: 'm' } }).arms).toHaveLength(1);
  });

  test('has no seats but those that the parameters set', () => {
    const cast = (role: string) => ({ '*': { model: 'm' }, [role]: { model: 'm' } });
    expect(() => prepare('debate-feedback', cast('debater3'))).toThrow(
      'no one sits at "debater3": with these parameters there are debater1, debater2',
    );
    expect(prepare('debate-feedback', cast('debater3'), { debaters: 3 }).arms).toHaveLength(1);
    expect(() => prepare('courtroom', cast('judge5'))).toThrow('there are judge1, judge2, judge3');
    expect(() => prepare('agentic-sim', cast('judge1'))).toThrow('protocol agentic-sim has no role "judge1"');
    // A panel has as many judges as are listed.
    expect(prepare('socrasynth', cast('judge5')).arms).toHaveLength(1);
  });

  test('is not needed where no precedents are looked up, or where they are drawn', () => {
    const cast = { '*': { model: 'm' }, retriever: { model: 'v', backend: 'default' } };
    const without = new Map([['m', 8192]]);
    expect(neededModels(prepare('courtroom', cast, { shots: 0 })).get('default')).toEqual(without);
    expect(neededModels(prepare('courtroom', cast, { retriever: 'random' })).get('default')).toEqual(without);
    expect(neededModels(prepare('vote', cast)).get('default')).toEqual(without);
    expect(neededModels(prepare('vote', cast, { shots: 2 })).get('default')).toEqual(new Map([...without, ['v', 0]]));
  });

  test('every seat of a bench may be played by its own model, without one for all', () => {
    const [m, others] = [{ model: 'm' }, { clerk: { model: 'm' }, prosecutor: { model: 'm' }, attorney: { model: 'm' } }];
    const seats = { judge1: m, judge2: { model: 'two' }, judge3: m };
    const needed = neededModels(prepare('courtroom', { '*': { model: 'nobody' }, ...others, ...seats }, { shots: 0 }));
    expect([...(needed.get('default')?.keys() ?? [])].toSorted()).toEqual(['m', 'two']);
    expect(prepare('courtroom', { ...others, ...seats }).arms).toHaveLength(1);
    expect(() => prepare('courtroom', { ...others, judge1: m, judge2: m })).toThrow('no one plays the role "judge3"');
    expect(() => prepare('courtroom', others)).toThrow('no one plays the role "judge"; add it');
    expect(prepare('vote', { voter1: m, voter2: m }, { voters: 2 }).arms).toHaveLength(1);
  });

  test('may be the model that talks, in another context', () => {
    const cast = { '*': { model: 'm' }, retriever: { model: 'm' } };
    expect(neededModels(prepare('courtroom', cast)).get('default')).toEqual(new Map([['m', 8192]]));
  });
});
