import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { kept, keptFolder } from '../../testing/kept.ts';
import { createDispatcher } from '../dispatcher.ts';
import { serve, type TestServer } from '../testing/server.ts';
import { asInstalled, openCatalogue as describing, loadedModels, type OllamaLibrary, ollamaLibrary } from './client.ts';
import { readEnsembles, withInstalled } from './ensembles.ts';
import { freeForModel, freeForModels } from './fits.ts';

const never = new AbortController().signal;
const gibi = 2 ** 30;

async function libraryOf(answers: Readonly<Record<string, (body: string) => unknown>>) {
  const server: TestServer = await serve((request, response) => {
    const answer = answers[request.url ?? '']?.(server.requests.at(-1)?.body ?? '');
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
    response.writeHead(answer === undefined ? 404 : 200).end(text ?? '{"error":"no such path"}');
  });
  kept(server);
  const dispatcher = kept(createDispatcher({ allowedHosts: [] }));
  const asked = (path: string) => server.requests.filter((request) => request.path === path);
  return { library: ollamaLibrary(dispatcher, { url: `${server.url}/` }), asked };
}

/** What a server lists, with what a catalogue adds to it. */
function openCatalogue() {
  const catalogue = describing();
  return {
    read: async (library: OllamaLibrary, signal: AbortSignal) => catalogue(library, await library.installed(signal), signal),
  };
}

const shown = { model_info: { 'general.architecture': 'llama', 'llama.context_length': 8192 }, capabilities: ['completion'] };

describe('the list of models', () => {
  test('a hundred models are described once, and again only where a digest is new', async () => {
    const models = Array.from({ length: 100 }, (_, index) => ({ name: `m${index}:1b`, digest: `d${index}`, size: 1 }));
    const { library, asked } = await libraryOf({ '/api/tags': () => ({ models }), '/api/show': () => shown });
    const catalogue = openCatalogue();
    const first = await catalogue.read(library, never);
    expect(first).toHaveLength(100);
    expect(asked('/api/show')).toHaveLength(100);
    expect(await catalogue.read(library, never)).toEqual(first);
    expect(asked('/api/show')).toHaveLength(100);
    models[7] = { name: 'm7:1b', digest: 'another', size: 1 };
    await catalogue.read(library, never);
    expect(asked('/api/show')).toHaveLength(101);
    expect(JSON.parse(asked('/api/show').at(-1)?.body ?? '')).toEqual({ model: 'm7:1b', verbose: false });
  });

  test('models that run elsewhere are refused with the reason, and not asked for', async () => {
    const models = [
      { name: 'a:120b-cloud', digest: 'a' },
      { name: 'b:cloud', digest: 'b' },
      { name: 'c:1b', digest: 'c', remote_host: 'https://far.example', remote_model: 'c' },
      { name: 'cloudy:1b', digest: 'd' },
    ];
    const { library, asked } = await libraryOf({ '/api/tags': () => ({ models }), '/api/show': () => shown });
    const found = (await openCatalogue().read(library, never)).map(asInstalled);
    expect(found.map(({ refused }) => refused)).toEqual([
      expect.stringContaining('cloud model'),
      expect.stringContaining('cloud model'),
      expect.stringContaining('another machine than the server'),
      null,
    ]);
    expect(asked('/api/show').map(({ body }) => JSON.parse(body).model)).toEqual(['cloudy:1b']);
  });

  test('what a server says is bounded and parsed; invalid entries are skipped', async () => {
    const long = 'x'.repeat(100_000);
    const models = [
      null,
      { name: 7 },
      { name: '' },
      {
        name: '<img src=x onerror=alert(1)>',
        digest: `sha256:${'a'.repeat(64)}`,
        size: -1,
        details: 'none',
        modified_at: '0001-01-01T00:00:00Z',
      },
      {
        name: 'ok:1b',
        digest: long,
        size: 5,
        modified_at: '2026-01-01T00:00:00+01:00',
        details: { family: long, parameter_size: '1B', quantization_level: null },
      },
    ];
    const show = () => ({ model_info: [], capabilities: [long, ...Array.from({ length: 500 }, () => 'tools')] });
    const { library } = await libraryOf({ '/api/tags': () => ({ models }), '/api/show': show });
    const [odd, fine, more] = (await openCatalogue().read(library, never)).map(asInstalled);
    expect(more).toBeUndefined();
    expect(odd).toMatchObject({
      size: null,
      family: null,
      modified_at: null,
      refused: 'This name cannot be sent in a request.',
    });
    expect(odd?.digest).toBe('a'.repeat(64));
    expect(fine).toMatchObject({ name: 'ok:1b', size: 5, parameters: '1B', quantization: null, context: null, refused: null });
    expect(fine?.modified_at).toBe('2026-01-01T00:00:00+01:00');
    expect(fine?.family).toHaveLength(60);
    expect(fine?.capabilities).toHaveLength(20);
    expect(fine?.capabilities[0]).toHaveLength(30);
  });

  test('a model that cannot be described is still listed; an invalid server fails', async () => {
    const tags = () => ({ models: [{ name: 'ok:1b' }] });
    const without = await libraryOf({ '/api/tags': tags });
    expect(await openCatalogue().read(without.library, never)).toMatchObject([{ details: { context: null, capabilities: [] } }]);
    const odd = await libraryOf({ '/api/tags': tags, '/api/show': () => '<html>' });
    expect(await openCatalogue().read(odd.library, never)).toMatchObject([{ details: { context: null, capabilities: [] } }]);
    await expect(odd.library.details('ok:1b', never)).rejects.toThrow('/api/show, but this is not an Ollama server');
    const none = await libraryOf({ '/api/tags': () => 'hello' });
    await expect(none.library.installed()).rejects.toThrow('this is not an Ollama server');
  });

  test('a model over which the server breaks off is still listed, with all others; a server that is gone fails', async () => {
    const models = ['a:1b', 'broken:1b', 'c:1b'].map((name) => ({ name, digest: name }));
    const server = await serve((request, response) => {
      if (request.url === '/api/tags') return response.end(JSON.stringify({ models }));
      if (request.url === '/api/version') return response.end('{"version":"0.33.0"}');
      if (server.requests.at(-1)?.body.includes('broken')) return response.destroy();
      response.end(JSON.stringify(shown));
    });
    kept(server);
    const dispatcher = kept(createDispatcher({ allowedHosts: [] }));
    const library = ollamaLibrary(dispatcher, { url: server.url });
    const catalogue = openCatalogue();
    const contexts = (await catalogue.read(library, never)).map(({ listed, details }) => [listed.name, details.context]);
    expect(contexts).toEqual([
      ['a:1b', 8192],
      ['broken:1b', null],
      ['c:1b', 8192],
    ]);
    const leaving: typeof library = {
      ...library,
      async installed(signal) {
        const list = await library.installed(signal);
        await server.close();
        return list;
      },
    };
    await expect(catalogue.read(leaving, never)).rejects.toThrow('no answer from');
  });

  test('lists that a short description leaves out are asked for with more words', async () => {
    const info = { 'general.architecture': 'x', 'x.block_count': 2, 'x.embedding_length': 8, 'x.attention.head_count': 2 };
    const show = (body: string) => ({
      model_info: { ...info, 'x.attention.head_count_kv': JSON.parse(body).verbose === true ? [1, 2] : null },
    });
    const { library, asked } = await libraryOf({ '/api/show': show });
    expect(await library.details('x:1b', never)).toMatchObject({
      shape: { shape: { layers: [{ perToken: 8 }, { perToken: 16 }] } },
    });
    expect(asked('/api/show').map(({ body }) => JSON.parse(body).verbose)).toEqual([false, true]);
  });
});

test('models in memory: shares, contexts and when they go', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  const entry = (more: object) => ({ name: 'm:1b', size: 100, size_vram: 25, context_length: 4096, ...more });
  const models = [
    entry({ expires_at: '2026-01-01T01:00:00+01:00' }),
    entry({ expires_at: '2318-01-01T00:00:00Z', size_vram: 500 }),
    entry({ size: 0, size_vram: 0, context_length: 0, expires_at: 'soon' }),
    // As Go writes a time that was never set, and the beginning of a Unix clock.
    entry({ expires_at: '0001-01-01T00:00:00Z' }),
    entry({ expires_at: '1970-01-01T00:00:00Z' }),
    { name: 'no size' },
  ];
  expect(loadedModels({ models }, now)).toEqual([
    { name: 'm:1b', size: 100, size_vram: 25, gpu_share: 0.25, context: 4096, expires_at: '2026-01-01T00:00:00.000Z' },
    { name: 'm:1b', size: 100, size_vram: 100, gpu_share: 1, context: 4096, expires_at: null },
    { name: 'm:1b', size: 0, size_vram: 0, gpu_share: 0, context: null, expires_at: null },
    { name: 'm:1b', size: 100, size_vram: 25, gpu_share: 0.25, context: 4096, expires_at: null },
    { name: 'm:1b', size: 100, size_vram: 25, gpu_share: 0.25, context: 4096, expires_at: null },
  ]);
});

describe('what is free', () => {
  const gpu = (total: number | null, used: number | null, more = {}) => ({
    vendor: 'nvidia' as const,
    memory_total: total === null ? null : total * gibi,
    memory_used: used === null ? null : used * gibi,
    unified: false,
    ...more,
  });
  const loaded = [{ name: 'm', size: 6 * gibi, size_vram: 5 * gibi, gpu_share: 5 / 6, context: null, expires_at: null }];

  test('what loaded models take counts as free, where most is used first', () => {
    expect(freeForModel({ gpus: [gpu(24, 4), gpu(24, 20)], memory: 10 * gibi }, loaded)).toEqual({
      gpus: [9 * gibi, 20 * gibi],
      memory: 11 * gibi,
      unified: false,
      unknown: null,
    });
  });

  test('no GPU is not the same as none that reports its memory', () => {
    expect(freeForModel({ gpus: [], memory: gibi }, [])).toMatchObject({ gpus: [] });
    expect(freeForModel({ gpus: [gpu(8, null)], memory: gibi }, [])).toMatchObject({ gpus: null });
    expect(freeForModel({ gpus: null, memory: null }, [])).toMatchObject({ gpus: null, memory: null });
    // Ollama does not compute on it.
    expect(freeForModel({ gpus: [gpu(8, 0, { vendor: 'intel' })], memory: gibi }, [])).toMatchObject({ gpus: [] });
  });

  test('of one memory for both two thirds are the GPU’s', () => {
    const apple = gpu(null, null, { vendor: 'apple', unified: true });
    expect(freeForModel({ gpus: [apple], memory: 12 * gibi }, loaded)).toMatchObject({
      gpus: [12 * gibi],
      memory: 18 * gibi,
      unified: true,
    });
  });

  test('a card with its own memory counts, not graphics that share the machine’s', () => {
    const graphics = gpu(16, 1, { vendor: 'amd', unified: true });
    expect(freeForModel({ gpus: [graphics, gpu(24, 4)], memory: 10 * gibi }, [])).toEqual({
      gpus: [20 * gibi],
      memory: 10 * gibi,
      unified: false,
      unknown: null,
    });
  });

  test('the disk of the models, where it is known which one it is', async () => {
    const folder = keptFolder();
    expect(await freeForModels([folder, join(folder, 'none')])).toBeGreaterThan(0);
    expect(await freeForModels([join(folder, 'none')])).toBeNull();
    // /proc is a separate file system.
    if (process.platform === 'linux') expect(await freeForModels([folder, '/proc'])).toBeNull();
  });
});

describe('the ensembles of the program', () => {
  const resources = resolve(import.meta.dirname, '../../../../../resources');

  test('every file is read, and says where its list comes from', () => {
    const ensembles = readEnsembles(resources);
    expect(ensembles.map(({ id }) => `${id}.json`)).toEqual(readdirSync(join(resources, 'ensembles')).toSorted());
    for (const { source, models } of ensembles) {
      expect(source.length).toBeGreaterThan(20);
      for (const { name } of models) expect(name, 'a tag, so that it stays what it is').toContain(':');
    }
  });

  test('the first paper’s has its sixteen models in the order of the table, the unclear ones with a note', () => {
    const sixteen = readEnsembles(resources).find(({ id }) => id === 'agenticsim-16')?.models ?? [];
    expect(sixteen.map(({ called }) => called)).toEqual([
      'aya-expanse 8b',
      'deepseek-r1 7b',
      'dolphin 3 8b',
      'exaone 3.5 8b',
      'falcon 3 7b',
      'gemma 2 9b',
      'glm 2 9b',
      'granite 3.1 8b',
      'hermes 3 8b',
      'llama 3.1 8b',
      'marco-01 7b',
      'mistral 7b',
      'olmo 2 7b',
      'phi 4 14b',
      'qwen 2.5 7b',
      'tulu 3 8b',
    ]);
    for (const called of ['glm 2 9b', 'marco-01 7b', 'exaone 3.5 8b', 'granite 3.1 8b']) {
      expect(sixteen.find((model) => model.called === called)?.note, called).not.toBeNull();
    }
  });

  test('a name without a tag is that of its latest', () => {
    const [one] = withInstalled(
      [
        {
          id: 'x',
          title: 'x',
          source: 'x',
          models: [{ name: 'a', called: 'a', note: null, bytes: null }],
          own: false,
          problem: null,
        },
      ],
      ['A:latest', 'b:1b'],
    );
    expect(one?.models).toMatchObject([{ name: 'a', installed: true }]);
  });
});
