import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FakeBehaviour, fakeOllama } from '../main/engine/models/daemon/testing/fakeOllama.ts';
import { startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { lastingPort } from '../main/engine/models/testing/server.ts';
import { openDaemonHost, ownReady } from '../main/engine/service/testing/daemonHost.ts';
import { reading } from '../main/engine/testing/reading.ts';
import { runReportSchema } from '../shared/commandOutputs.ts';
import { planReportSchema } from '../shared/outputs.ts';
import { changed, errorOf, openWorkbench, parseTrialLines, sampleExperiment, until, writeExperiment } from './testing.ts';

const ends: (() => Promise<void> | void)[] = [];
let url: string;

beforeEach(async () => {
  url = `http://127.0.0.1:${await lastingPort()}`;
});

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

function project(behaviour: FakeBehaviour = { standin: true, child: true }, experiment = sampleExperiment) {
  const fake = fakeOllama(behaviour);
  const bench = openWorkbench({ ASSIZE_OLLAMA: fake.program, ...fake.env });
  ends.push(async () => {
    // After any test: its commands carry the same mark as what they started.
    await fake.gone();
    fake.remove();
    bench.remove();
  });
  const room = bench.room('project');
  const store = join(room, 'store.db');
  return { bench, fake, store, words: ['run', writeExperiment(room, experiment), '--store', store, '--ollama', url] };
}

const reproducible = changed(sampleExperiment, ['"retries": 1', '"retries": 1, "reproducible": true']);
/** What the log of the runs says of events of a kind. */
function logOf(store: string, kind: string): unknown[] {
  const log = reading(store, ({ runLog }) => runLog.of('rain')).filter(({ event }) => event === kind);
  return log.map(({ detail }) => JSON.parse(detail));
}

const runStarts = (store: string) => logOf(store, 'run-start');
const notesBeside = (store: string) => readdirSync(join(store, '..')).filter((name) => name.includes('.ollama-'));

test('--start-ollama starts Ollama for the run and ends it; where all is done it starts none', async () => {
  const { bench, fake, store, words } = project();
  const ended = await bench.assize([...words, '--start-ollama', '--concurrency', '4']);
  expect(ended.code, ended.errors).toBe(0);
  expect(ended.errors).toContain('Ollama is started for this run.');
  expect(fake.survivors()).toEqual([]);
  expect(notesBeside(store)).toEqual([]);
  const [life] = fake.lives();
  expect(life?.env).toMatchObject({ OLLAMA_NO_CLOUD: '1', OLLAMA_NUM_PARALLEL: '4' });
  expect(runStarts(store)).toEqual([
    expect.objectContaining({ machine: expect.objectContaining({ slots: 4, ollama_log: 'memory' }) }),
  ]);
  const exported = await bench.assize(['export', 'rain', '--store', store, '--format', 'trials-jsonl', '--out', '-']);
  expect(parseTrialLines(exported.output).map(({ outcome, standin }) => [outcome, standin])).toEqual(
    Array.from({ length: 3 }, () => ['decided', true]),
  );
  const again = await bench.assize([...words, '--start-ollama']);
  expect(again.code, again.errors).toBe(0);
  expect(fake.lives()).toHaveLength(1);
  expect((await bench.assize(['verify', store])).code).toBe(0);
});

test('without the option nothing is started, and the refusal names it where there is a program', async () => {
  const { bench, fake, store, words } = project();
  const ended = await bench.assize([...words, '--json']);
  expect(ended.code).toBe(4);
  expect(errorOf(ended)).toMatchObject({ code: 'no-backend', field: 'backends.default' });
  expect(errorOf(ended).message).toMatch(/does not answer .*start Ollama.*; or let --start-ollama start Ollama for the run$/);
  const without = openWorkbench();
  ends.push(() => without.remove());
  const none = await without.assize([...words, '--json']);
  expect(errorOf(none).message).not.toContain('--start-ollama');
  expect(fake.lives()).toEqual([]);
  expect(existsSync(store)).toBe(false);
});

test('where an Ollama answers it is asked, and none is started', async () => {
  const standin = await startDemoServer({ port: Number(new URL(url).port), profile: 'instant' });
  ends.push(() => standin.close());
  const { bench, fake, words } = project();
  const ended = await bench.assize([...words, '--start-ollama']);
  expect(ended.code, ended.errors).toBe(0);
  expect(fake.lives()).toEqual([]);
  expect(await (await fetch(url)).text()).toBe('Ollama is running');
});

test('a reproducible run has it started in reproducible mode; for any other server it says what is not guaranteed', {
  tags: 'exhaustive',
}, async () => {
  const { bench, fake, words } = project({ standin: true }, reproducible);
  const plan = async (...more: string[]) =>
    planReportSchema.parse(JSON.parse((await bench.assize([...words, '--plan', '--json', ...more])).output)).notes.join();
  expect(await plan()).toContain('The same answers again are not guaranteed');
  expect(await plan('--start-ollama')).not.toContain('not guaranteed');
  expect(fake.lives()).toEqual([]);
  const ended = await bench.assize([...words, '--start-ollama', '--concurrency', '4', '--max-trials', '1', '--json']);
  expect(ended.code, ended.errors).toBe(0);
  expect(runReportSchema.parse(JSON.parse(ended.output)).notes.join()).not.toContain('not guaranteed');
  expect(fake.lives()[0]?.env).toMatchObject({ OLLAMA_NUM_PARALLEL: '1', LLAMA_ARG_CACHE_RAM: '0' });
  const standin = await startDemoServer({ port: Number(new URL(url).port), profile: 'instant' });
  ends.push(() => standin.close());
  expect(await plan('--start-ollama')).toContain('not guaranteed');
  const attached = await bench.assize([...words, '--start-ollama', '--json']);
  expect(runReportSchema.parse(JSON.parse(attached.output)).notes.join()).toContain('The same answers again are not guaranteed');
});

test('assize try starts it too', { tags: 'exhaustive' }, async () => {
  const { bench, fake, store } = project();
  const facts = ['--question', 'Will it rain?', '--facts', '-', '--labels', 'NO,YES'];
  const words = ['try', '--protocol', 'standard', '--model', 'llama3.1:8b', ...facts, '--store', store, '--ollama', url];
  const ended = await bench.shell(`echo 'It is wet.' | assize ${words.map((word) => `'${word}'`).join(' ')} --start-ollama`);
  expect(ended.code, ended.errors).toBe(0);
  expect(fake.lives()).toHaveLength(1);
  expect(fake.survivors()).toEqual([]);
});

test('one that does not start: exit 4 with what it said, nothing written', async () => {
  const { bench, fake, store, words } = project({ earlyDeaths: 100 });
  const ended = await bench.assize([...words, '--start-ollama', '--json']);
  expect(ended.code).toBe(4);
  expect(errorOf(ended)).toMatchObject({ code: 'no-backend', field: '--start-ollama' });
  expect(errorOf(ended).message).toMatch(/ended 3 times in a row .*permission denied/);
  expect(fake.lives()).toHaveLength(3);
  expect(existsSync(store)).toBe(false);
});

test('no program: exit 4 with what to do', async () => {
  const { words } = project();
  const bench = openWorkbench();
  ends.push(() => bench.remove());
  const ended = await bench.assize([...words, '--start-ollama', '--json']);
  expect(ended.code).toBe(4);
  expect(errorOf(ended).message).toContain('no program of Ollama was found');
});

test('an experiment that asks no Ollama of this machine has none to start: exit 2', async () => {
  const backends = `"backends": { "gpu": { "kind": "openai", "url": "${url}/v1" } },\n  "runtime"`;
  const other = changed(sampleExperiment, ['"runtime"', backends], ['"model": "llama3.1:8b"', '"model": "m", "backend": "gpu"']);
  const { bench, words } = project({}, other);
  const ended = await bench.assize([...words.slice(0, -2), '--start-ollama', '--json']);
  expect(ended.code, ended.errors).toBe(2);
  expect(errorOf(ended)).toMatchObject({ field: '--start-ollama' });
});

const slow = changed(
  sampleExperiment,
  ['"sample": { "from": "test", "n": 3 }', '"sample": { "from": "all", "n": 12 }'],
  ['"replicates": 1', '"replicates": 500'],
);

test('an interrupt ends the run in order, and its Ollama with it', async () => {
  const { bench, fake, store, words } = project({ standin: true, child: true }, slow);
  const started = bench.start([...words, '--start-ollama']);
  await until(() => existsSync(store));
  started.kill('SIGINT');
  const ended = await started.ended;
  expect(ended.code, ended.errors).toBe(130);
  expect(fake.survivors()).toEqual([]);
  expect(notesBeside(store)).toEqual([]);
});

test('an interrupt while it starts ends it', { tags: 'exhaustive' }, async () => {
  const { bench, fake, words } = project({ startMs: 60_000 });
  const started = bench.start([...words, '--start-ollama']);
  await until(() => fake.lives().length > 0);
  started.kill('SIGINT');
  expect((await started.ended).code).toBe(130);
  expect(fake.survivors()).toEqual([]);
});

test('security 31: a run that is killed leaves no Ollama and nothing that it started', { tags: 'exhaustive' }, async () => {
  const { bench, fake, store, words } = project({ standin: true, child: true, deaf: true }, slow);
  const started = bench.start([...words, '--start-ollama']);
  await until(() => existsSync(store));
  expect(fake.survivors().length).toBeGreaterThan(2);
  started.kill('SIGKILL');
  expect((await started.ended).code).toBeNull();
  await fake.gone();
  const again = await bench.assize([...words, '--start-ollama', '--max-trials', '1']);
  expect(again.code, again.errors).toBe(0);
  expect(notesBeside(store)).toEqual([]);
});

/** A program with the screens, whose own Ollama is ready, and the words of a run with the same store. */
async function withScreens(experiment: string, behaviour: FakeBehaviour = { standin: true }) {
  const { fake, engine, end } = await openDaemonHost(behaviour);
  ends.push(end);
  const { client } = engine.connect();
  const bench = openWorkbench({ ASSIZE_OLLAMA: fake.program, ...fake.env });
  ends.push(() => bench.remove());
  const { store } = engine;
  const words = ['run', writeExperiment(bench.room('project'), experiment), '--store', store, '--ollama', url, '--start-ollama'];
  return { fake, engine, client, bench, store, words };
}

test('the Ollama of another program with the same store is asked, and not ended', { tags: 'exhaustive' }, async () => {
  const { client, fake, bench, words } = await withScreens(sampleExperiment);
  const before = await ownReady(client);
  const ended = await bench.assize(words);
  expect(ended.code, ended.errors).toBe(0);
  expect(ended.errors).toContain(
    'The Ollama that another program with this store has started is asked. It answers 1 call at a time',
  );
  expect(ended.errors).not.toContain('Ollama is started for this run.');
  expect(fake.lives()).toHaveLength(1);
  expect(await client.daemon.status({})).toMatchObject({ state: 'ready', own: true, pid: before.pid, deaths: 0 });
});

test('a reproducible run shares no Ollama', { tags: 'exhaustive' }, async () => {
  const { client, fake, bench, words } = await withScreens(reproducible);
  await ownReady(client);
  const ended = await bench.assize(words);
  expect(ended.code, ended.errors).toBe(0);
  expect(ended.errors).toContain('Ollama is started for this run.');
  expect(fake.lives().map(({ env }) => env.LLAMA_ARG_CACHE_RAM)).toEqual([undefined, '0']);
});

test('where the other program ends its Ollama under a run, the run says so and continues with its own', {
  tags: 'exhaustive',
}, async () => {
  const { engine: screens, client, fake, bench, store, words } = await withScreens(slow);
  await ownReady(client);
  // A store that is being made cannot be read.
  expect((await bench.assize([...words, '--max-trials', '1'])).code).toBe(0);
  const patient = { timeout: 60_000 };
  const started = bench.start(words);
  await expect.poll(() => runStarts(store).length, patient).toBe(2);
  await screens.stop();
  await expect.poll(() => logOf(store, 'run-move').length, patient).toBe(1);
  expect(fake.lives()).toHaveLength(2);
  started.kill('SIGINT');
  const ended = await started.ended;
  expect(ended.code, ended.errors).toBe(130);
  expect(ended.errors).toContain('The Ollama of the other program has ended. One is started for the rest of this run.');
  expect(fake.survivors()).toEqual([]);
  expect(notesBeside(store)).toEqual([]);
  expect((await bench.assize(['verify', store])).code).toBe(0);
});
