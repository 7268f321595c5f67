import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { type DemoServer, type DemoServerOptions, startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { emptyDisk } from '../main/engine/models/demo/pulls.ts';
import { serve } from '../main/engine/models/testing/server.ts';
import { kept } from '../main/engine/testing/kept.ts';
import {
  deleteReportSchema,
  ensemblesReportSchema,
  fitReportSchema,
  modelsReportSchema,
  pullReportSchema,
} from '../shared/commandOutputs.ts';
import { errorOf, openWorkbench, until } from './testing.ts';

const bench = openWorkbench();
const servers: DemoServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
afterAll(() => bench.remove());

async function server(options: Partial<DemoServerOptions> = {}): Promise<DemoServer> {
  const standin = await startDemoServer({ port: 0, anyModel: false, models: ['llama3.1:8b', 'qwen2.5:7b'], ...options });
  servers.push(standin);
  return standin;
}

const ask = (url: string, ...words: string[]) => bench.assize(['models', ...words, '--ollama', url]);

test('lists the installed models, in words and as JSON', async () => {
  const { url } = await server();
  const { code, output, errors } = await ask(url);
  expect(code, errors).toBe(0);
  expect(output).toContain('DEMO MODEL');
  expect(output).toMatch(/^qwen2\.5:7b +4\.3 GB +7\.0B +Q4_K_M +32,768 +completion, tools$/m);
  expect(output).toContain('None is in memory.');
  const report = modelsReportSchema.parse(JSON.parse((await ask(url, 'list', '--json')).output));
  expect(report).toMatchObject({ url, standin: true, loaded: [], disk_free: null });
  expect(report.installed.map(({ name }) => name)).toEqual(['llama3.1:8b', 'qwen2.5:7b']);
});

test('an address that a server listens on is asked at loopback; one that does not answer is named by its option', async () => {
  const { url, port, close } = await server();
  for (const address of [`0.0.0.0:${port}`, `http://0.0.0.0:${port}/`]) {
    const { code, output, errors } = await ask(address, 'list', '--json');
    expect(code, errors).toBe(0);
    expect(modelsReportSchema.parse(JSON.parse(output)).url).toBe(url);
  }
  await close();
  const away = await ask(url, '--json');
  expect(away.code).toBe(4);
  expect(errorOf(away)).toMatchObject({ code: 'no-backend', field: '--ollama' });
});

test('a server that does not say what is in its memory still lists its models and what fits', async () => {
  const bodies: Readonly<Record<string, unknown>> = {
    '/api/version': { version: '0.1.30' },
    '/api/tags': { models: [{ name: 'old:1b', size: 1e9 }] },
    '/api/show': {},
  };
  const old = kept(
    await serve(({ url = '' }, response) => {
      response.writeHead(bodies[url] === undefined ? 404 : 200).end(JSON.stringify(bodies[url] ?? { error: 'no such path' }));
    }),
  );
  const listed = await ask(old.url, '--json');
  expect(listed.code, listed.errors).toBe(0);
  expect(modelsReportSchema.parse(JSON.parse(listed.output))).toMatchObject({ installed: [{ name: 'old:1b' }], loaded: [] });
  const fits = await ask(old.url, 'fit', '--json');
  expect(fits.code, fits.errors).toBe(0);
  expect(fitReportSchema.parse(JSON.parse(fits.output)).fits).toMatchObject([{ model: 'old:1b', verdict: 'unknown' }]);
});

test.each([
  ['llama3.1:8b', ['POST /api/chat', 'DELETE /api/delete']],
  ['other:1b', ['DELETE /api/delete']],
])('a model that is deleted is first put out of the memory where it lies there: %s', async (name, asked) => {
  const loaded = { models: [{ name: 'llama3.1:8b', size: 5e9, size_vram: 5e9 }] };
  const memory = kept(
    await serve((request, response) => {
      response.end(request.url === '/api/ps' ? JSON.stringify(loaded) : '{}');
    }),
  );
  const { code, errors } = await ask(memory.url, 'delete', name);
  expect(code, errors).toBe(0);
  const changing = memory.requests.filter(({ method }) => method !== 'GET');
  expect(changing.map(({ method, path }) => `${method} ${path}`)).toEqual(asked);
  // Servers take either word for the model.
  for (const { body } of changing) expect([JSON.parse(body).model, JSON.parse(body).name]).toContain(name);
  if (asked.length > 1) expect(JSON.parse(changing[0]?.body ?? '')).toMatchObject({ messages: [], keep_alive: 0 });
});

test('fetches models that break off on the way, with progress apart from the results', { tags: 'exhaustive' }, async () => {
  const standin = await server({ pullFault: ({ lines, earlier }) => (lines === 2 && earlier < 2 ? 'cut' : null) });
  const { code, output, errors } = await ask(standin.url, 'pull', 'newcomer:3b', 'other:1b', '--json');
  expect(code, errors).toBe(0);
  const { pulls } = pullReportSchema.parse(JSON.parse(output));
  expect(pulls).toMatchObject([
    { model: 'newcomer:3b', state: 'done', resumed: 2 },
    { model: 'other:1b', state: 'done', resumed: 2 },
  ]);
  expect(errors).toContain('nothing of a case is sent');
  expect(errors).toContain('newcomer:3b: interrupted: the connection ended before the model was there; continuing in 1 s');
  expect(errors).toContain('newcomer:3b: is there (interrupted 2 times and resumed).');
});

test('Ctrl+C ends a pull in order and leaves nothing running; the next one continues where it was', {
  tags: 'exhaustive',
}, async () => {
  const disk = emptyDisk();
  const slow = await server({ profile: 'laptop', disk });
  const started = bench.start(['models', 'pull', 'newcomer:8b', '--ollama', slow.url]);
  await until(() => slow.pulls() === 1 && disk.partial.size > 0);
  started.kill('SIGINT');
  const { code, output, errors } = await started.ended;
  expect(code).toBe(130);
  expect(output).toBe('');
  expect(errors).toContain('what was downloaded is kept, run again to continue');
  await until(() => slow.pulls() === 0);
  const [before = 0] = disk.partial.values();
  expect(before).toBeGreaterThan(0);
  const fast = await server({ disk });
  const again = await ask(fast.url, 'pull', 'newcomer:8b', '--json');
  expect(again.code, again.errors).toBe(0);
  expect(disk.partial.size).toBe(0);
});

test('an ensemble: an installed model is not fetched again, and notes are shown', async () => {
  const { url } = await server({ models: ['llama3.1:8b', 'phi4:14b'] });
  const { code, output, errors } = await ask(url, 'pull', '--ensemble', 'agenticsim-16');
  expect(code, errors).toBe(0);
  expect(errors).toMatch(/2 of 16 are there; about [\d.]+ GB to fetch\./);
  expect(errors).toContain('Note: glm4:9b: Our reading');
  expect(output).toBe('14 of 14 fetched.\n');
  const again = await ask(url, 'pull', '--ensemble', 'agenticsim-16');
  expect(again.output).toBe('0 of 0 fetched.\n');
  expect(again.errors).toContain('16 of 16 are there; nothing is left to fetch.');
  const unknown = await ask(url, 'pull', '--ensemble', 'none', '--json');
  expect(unknown.code).toBe(2);
  expect(errorOf(unknown)).toMatchObject({
    field: '--ensemble',
    message: expect.stringContaining('agenticsim-16, courtroom-llm'),
  });
});

test('own ensembles are next to the record: listed and fetched like the others, a broken one reported by name', async () => {
  const { url } = await server();
  const room = bench.room('own');
  const folder = join(room, 'mine.ensembles');
  mkdirSync(folder);
  const list = { id: 'my-court', title: 'My court', models: [{ name: 'llama3.1:8b' }, { name: 'newcomer:3b', bytes: 2e9 }] };
  writeFileSync(join(folder, 'my-court.json'), JSON.stringify(list));
  writeFileSync(join(folder, 'spoilt.json'), '{\n "id": "spoilt",\n}');
  const store = ['--store', join(room, 'mine.db')];
  const { code, output, errors } = await ask(url, 'ensembles', ...store);
  expect(code, errors).toBe(0);
  expect(output).toMatch(/^agenticsim-16 +2 of 16 +[\d.]+ GB +the program +\S/m);
  expect(output).toMatch(/^my-court +1 of 2 +2 GB +yours +My court$/m);
  expect(output).toMatch(/^spoilt\.json cannot be used: line 3: this is not valid JSON/m);
  const report = ensemblesReportSchema.parse(JSON.parse((await ask(url, 'ensembles', ...store, '--json')).output));
  expect(report.ensembles.map(({ id, own, problem }) => [id, own, problem === null])).toEqual([
    ['agenticsim-16', false, true],
    ['courtroom-llm', false, true],
    ['my-court', true, true],
    ['spoilt.json', true, false],
  ]);
  const pulled = await ask(url, 'pull', '--ensemble', 'my-court', ...store);
  expect(pulled.output).toBe('1 of 1 fetched.\n');
  for (const name of ['spoilt.json', 'spoilt']) {
    const spoilt = await ask(url, 'pull', '--ensemble', name, ...store);
    expect(spoilt.code).toBe(2);
    expect(spoilt.errors).toContain('spoilt.json: line 3');
  }
});

test('ensembles are listed without a server, and a note says that installed models are not known', async () => {
  const { url, close } = await server();
  await close();
  const { code, output, errors } = await ask(url, 'ensembles');
  expect(output).toMatch(/^agenticsim-16 +0 of 16/m);
  expect(errors).toMatch(/^WARNING: no answer from .*start Ollama there.*no model counts as there\.$/m);
  expect(code).toBe(4);
  const refused = await ask('http://192.0.2.1:11434', 'ensembles');
  expect(refused.code, refused.errors).toBe(2);
});

test('a model that is nowhere fails with what to do; the others are fetched', async () => {
  const { url } = await server();
  const { code, output, errors } = await ask(url, 'pull', 'missing:1b', 'newcomer:3b');
  expect(code).toBe(4);
  expect(output).toBe('1 of 2 fetched.\n');
  expect(errors).toContain('missing:1b: It was given up: there is no model of this name to fetch');
});

test('deletes, and reports a missing model', async () => {
  const { url } = await server();
  const { code, output } = await ask(url, 'delete', 'qwen2.5:7b', '--json');
  expect(code).toBe(0);
  expect(deleteReportSchema.parse(JSON.parse(output)).deleted).toEqual(['qwen2.5:7b']);
  const partly = await ask(url, 'delete', 'llama3.1:8b', 'absent:1b');
  expect(partly.code).toBe(4);
  expect(partly.errors).toContain('llama3.1:8b is deleted.');
  const again = await ask(url, 'delete', 'qwen2.5:7b', '--json');
  expect(again.code).toBe(4);
  expect(errorOf(again)).toMatchObject({ code: 'missing-model', message: expect.stringContaining('qwen2.5:7b') });
});

test('says what fits', async () => {
  const { url } = await server();
  const { code, output } = await ask(url, 'fit', 'LLAMA3.1:8b', '--context', '16384', '--slots', '2', '--json');
  expect(code).toBe(0);
  const { fits } = fitReportSchema.parse(JSON.parse(output));
  expect(fits).toMatchObject([{ model: 'llama3.1:8b', context: 16384, slots: 2, key_values: 4 * 2 ** 30 }]);
  const { output: table, errors } = await ask(url, 'fit', '--context', '16384', '--slots', '2');
  expect(errors).toContain('DEMO MODEL');
  expect(table).toMatch(/^With 16,384 tokens of context in each of 2 slots:$/m);
  expect(table).toMatch(/^model +weights +keys and values +overhead +sum +free on the GPU +free in main memory +verdict$/m);
  expect(table).toMatch(/^llama3\.1:8b +[\d.]+ GiB +4 GiB +[\d.]+ MiB +[\d.]+ GiB +.*(?:GPU|memory|fit|unknown)$/m);
  expect(table).toMatch(/^llama3\.1:8b: [A-Z].*\.$/m);
  expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThan(200);
  const missing = await ask(url, 'fit', 'absent:1b');
  expect(missing.code).toBe(4);
  expect(missing.errors).toContain('assize models pull absent:1b');
});

test.each<[string, string[], RegExp]>([
  ['a word that is none', ['push', 'x'], /there is no "assize models push"; there are list, pull, ensembles, delete, fit/],
  ['no name', ['pull'], /name models, or an ensemble/],
  ['names and an ensemble', ['pull', 'a:1b', '--ensemble', 'agenticsim-16'], /name models, or an ensemble/],
  ['a name that is none', ['pull', '../x'], /"\.\.\/x": a model is named like llama3\.1:8b/],
  ['a cloud model', ['pull', 'big:480b-cloud'], /cloud model/],
  ['a cloud model with a space behind it, which Ollama passes over', ['pull', 'big:cloud '], /cloud model/],
  ['an option of another', ['list', '--slots', '2'], /--slots belongs to assize models fit/],
  ['a context that is too short', ['fit', '--context', '1'], /not a whole number of at least 256/],
  ['a word too many', ['list', 'more'], /"more" is one word too many/],
  ['nothing to delete', ['delete'], /name the model to delete/],
])('%s is bad input', async (_, words, message) => {
  const { url } = await server();
  const { code, output, errors } = await ask(url, ...words);
  expect(code).toBe(2);
  expect(output).toBe('');
  expect(errors).toMatch(message);
});

test('a server that is away, or on another machine, is reported at once', async () => {
  const gone = await server();
  await gone.close();
  for (const words of [['list'], ['pull', 'a:1b'], ['delete', 'a:1b'], ['fit']]) {
    const { code, errors } = await ask(gone.url, ...words);
    expect(code, words.join(' ')).toBe(4);
    expect(errors).toMatch(/--ollama: no answer from .*start Ollama there/);
  }
  const far = await ask('http://models.example:11434', 'pull', 'a:1b');
  expect(far.code).toBe(2);
  expect(far.errors).toContain('models.example is not this machine');
});
