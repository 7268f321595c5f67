import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { DoctorReport } from '../../../shared/commandOutputs.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { commandText } from '../commandText.ts';
import type { MachineReading } from '../hardware/machine.ts';
import { machineOf, someGpu } from '../hardware/testing.ts';
import { startDemoServer } from '../models/demo/demoServer.ts';
import { serve } from '../models/testing/server.ts';
import { knownFaultsFolder } from '../report/statisticsCache.ts';
import { openKnownFaults } from '../service/knownFaults.ts';
import { openSettings } from '../service/settings.ts';
import { openStore } from '../store/store.ts';
import { kept, keptFolder } from '../testing/kept.ts';
import { checkStore, checkWindow, type Examination, examine } from './examine.ts';
import { adviceOf, checkVersion, ok, problem, warning } from './ollama.ts';

const room = openFolder('doctor');
const gibibyte = 1024 ** 3;

interface Model {
  readonly name: string;
  readonly size?: number;
  readonly size_vram?: number;
  readonly context_length?: number;
  readonly remote_host?: string;
}

interface FakeOllama {
  readonly version?: string;
  /** What `/api/status` says; absent: it is not there. */
  readonly cloudOff?: boolean;
  readonly tags?: readonly Model[];
  readonly loaded?: readonly Model[];
  /** In place of all answers. */
  readonly says?: string;
}

/** A server that reports about itself what a test wants. */
async function fakeOllama({
  version = '0.33.0',
  cloudOff,
  tags = [{ name: 'llama3.1:8b', size: 5e9 }],
  loaded = [],
  says,
}: FakeOllama) {
  const bodies: Readonly<Record<string, unknown>> = {
    '/api/version': { version },
    '/api/tags': { models: tags },
    '/api/ps': { models: loaded },
    ...(cloudOff === undefined ? {} : { '/api/status': { cloud: { disabled: cloudOff, source: 'env' } } }),
  };
  const answer: RequestListener = (request, response) => {
    const body = bodies[request.url ?? ''];
    if (says !== undefined) response.end(says);
    else if (request.url === '/') response.end('Ollama is running');
    else if (body === undefined) response.writeHead(404).end();
    else response.end(JSON.stringify(body));
  };
  return kept(await serve(answer)).url;
}

/** Where nothing listens: the usual address must not be that of a server of the machine that tests run on. */
const nowhere = 'http://127.0.0.1:2';

function look(
  url: string | undefined,
  reading: Partial<MachineReading> = {},
  more: Partial<Examination> = {},
): Promise<DoctorReport> {
  return examine({
    program: keptFolder(),
    store: join(keptFolder(), 'store.db'),
    url,
    allowedHosts: [],
    experiment: undefined,
    machine: machineOf(() => reading),
    around: { platform: 'linux', env: {}, home: '/nowhere', executable: () => false },
    free: { store: 50 * gibibyte, models: null },
    ...more,
  });
}

const check = ({ checks }: DoctorReport, name: string) => checks.find((each) => each.name === name);
const ill = ({ checks }: DoctorReport) =>
  checks.filter(({ state }) => state !== 'ok').map(({ name, state }) => `${state}: ${name}`);
const withoutOthers = (names: readonly string[]) => names.filter((name) => name !== 'warning: other ollama');

test('where all is well, everything is shown and nothing needs doing', async () => {
  const loaded = [{ name: 'llama3.1:8b', size: 6 * gibibyte, size_vram: 6 * gibibyte, context_length: 8192 }];
  const url = await fakeOllama({ cloudOff: true, loaded });
  const report = await look(url, {}, { free: { store: 50 * gibibyte, models: 200 * gibibyte } });
  expect(withoutOthers(ill(report))).toEqual([]);
  expect(report.ok).toBe(true);
  expect(check(report, 'processor')?.found).toBe('Some Processor 9000, 16 cores');
  expect(check(report, 'memory')?.found).toBe('64 GiB, 40 GiB free');
  expect(check(report, 'gpu')?.found).toBe(
    'NVIDIA GeForce RTX 4090, 24 GiB memory, 6 GiB of it in use, 93% busy, 64 °C, driver 550.90.07, reported by nvidia-smi',
  );
  expect(check(report, 'ollama')?.found).toContain(`${url}, version 0.33.0, attached to`);
  expect(check(report, 'cloud')?.found).toContain('off: the server itself says so');
  expect(check(report, 'models')?.found).toBe('llama3.1:8b (5 GB)');
  expect(check(report, 'loaded llama3.1:8b')?.found).toBe('6 GiB, 100% on the GPU, a context of 8192 tokens');
  expect(check(report, 'disk of the models')?.found).toContain('214.7 GB free');
  expect(report.hardware.gpus).toEqual([someGpu]);
  expect(report.ollama).toMatchObject({ url, state: 'ready', version: '0.33.0', cloud: 'off', standin: false });
});

test('no GPU is no fault: the check says that models are slow, and a model on the processor is as expected', async () => {
  const url = await fakeOllama({ cloudOff: true, loaded: [{ name: 'llama3.1:8b', size: gibibyte, size_vram: 0 }] });
  const report = await look(url, { gpus: [] });
  expect(withoutOthers(ill(report))).toEqual([]);
  expect(check(report, 'gpu')?.found).toMatch(/^none: models are computed by the processor, and .*run FILE --plan --measure/);
});

test('a model on the processor although there is a GPU is the trap that is warned of; partly is milder', async () => {
  const loaded = [
    { name: 'llama3.1:8b', size: gibibyte, size_vram: 0 },
    { name: 'qwen2.5:7b', size: 4 * gibibyte, size_vram: gibibyte },
  ];
  const report = await look(await fakeOllama({ cloudOff: true, loaded }));
  expect(check(report, 'loaded llama3.1:8b')).toMatchObject({
    state: 'warning',
    found: expect.stringContaining('by the processor although there is a GPU (NVIDIA GeForce RTX 4090)'),
    mend: expect.stringContaining('restart Ollama'),
  });
  expect(check(report, 'loaded qwen2.5:7b')).toMatchObject({ state: 'warning', found: '4 GiB, 25% on the GPU' });
  expect(report.ok).toBe(true);
});

test('a card without its driver, a tool that fails, and a GPU that others have filled are warned of', async () => {
  const url = await fakeOllama({ cloudOff: true });
  const trouble = await look(url, { gpus: [], driverTrouble: true, notes: ['There is an NVIDIA card: install the driver.'] });
  expect(check(trouble, 'gpu driver')).toMatchObject({ state: 'warning', mend: 'There is an NVIDIA card: install the driver.' });
  const unread = await look(url, { gpus: [], unsure: true, notes: ['nvidia-smi did not answer in time.'] });
  expect(check(unread, 'gpu reading')?.found).toBe('nvidia-smi did not answer in time.');
  const full = await look(url, { gpus: [{ ...someGpu, memory_used: 20 * gibibyte }] });
  expect(check(full, 'gpu memory')?.found).toContain('20 GiB of NVIDIA GeForce RTX 4090 is taken, and not by a model');
});

test.each([
  ['0.4.9', 'problem', 'knows no schemas'],
  ['0.12.10', 'warning', '0.12.10: older releases give no token probabilities'],
  ['0.12.11', 'ok', '0.12.11'],
  ['0.33.0-rc1', 'ok', '0.33.0'],
  ['1.0.0', 'ok', '1.0.0'],
  ['0.0.0', 'ok', 'unknown release'],
  ['nightly-2031', 'ok', 'unknown release'],
  [null, 'warning', 'does not report its version'],
])('version %s is %s', (version, state, words) => {
  expect(checkVersion(version)).toMatchObject({ state, found: expect.stringContaining(words) });
});

test('cloud features that are on, or of which the server says nothing, are warned of with what turns them off', async () => {
  const on = await look(await fakeOllama({ cloudOff: false }));
  expect(check(on, 'cloud')).toMatchObject({ state: 'warning', mend: expect.stringContaining('OLLAMA_NO_CLOUD=1') });
  expect(on.ollama?.cloud).toBe('on');
  const silent = await look(await fakeOllama({}));
  expect(check(silent, 'cloud')).toMatchObject({ state: 'warning', found: expect.stringContaining('does not say') });
  expect(check(silent, 'cloud')?.mend).not.toContain('0.16.2');
  const old = await look(await fakeOllama({ version: '0.16.1' }));
  expect(check(old, 'cloud')?.mend).toContain('update Ollama to 0.16.2 or newer');
});

test('models that run elsewhere are listed as refused and count for none', async () => {
  const tags = [{ name: 'gpt-oss:120b-cloud' }, { name: 'far:1b', remote_host: 'https://ollama.com' }];
  const report = await look(await fakeOllama({ cloudOff: true, tags }));
  expect(check(report, 'remote models')?.found).toBe('gpt-oss:120b-cloud, far:1b: they run elsewhere and are refused');
  expect(check(report, 'models')).toMatchObject({ state: 'problem', mend: 'get one, for example: ollama pull llama3.1:8b' });
  expect(report.ok).toBe(false);
});

test('no server, something else in its place, and a host that is not allowed are problems, each with its remedy', async () => {
  const gone = await look(nowhere);
  expect(check(gone, 'ollama')).toMatchObject({ state: 'problem', mend: expect.stringContaining('install Ollama') });
  expect(gone.ollama).toMatchObject({ state: 'away', program: null });
  const away = check(await look('http://ollama.invalid:1', {}, { allowedHosts: ['ollama.invalid'] }), 'ollama');
  expect(away).toMatchObject({ state: 'problem', mend: expect.stringContaining('runs on ollama.invalid') });
  const around = {
    platform: 'linux',
    env: { PATH: '/opt' },
    home: '/nowhere',
    executable: (path: string) => path === '/opt/ollama',
  } as const;
  const stopped = await look(nowhere, {}, { around });
  expect(check(stopped, 'ollama')).toMatchObject({
    found: expect.stringContaining('its program was found in the path'),
    mend: expect.stringContaining('--start-ollama'),
  });
  const other = await look(await fakeOllama({ says: '<html>printer</html>' }));
  expect(check(other, 'ollama')).toMatchObject({
    state: 'problem',
    found: expect.stringContaining('does not answer as Ollama does'),
  });
  const refused = await look('http://gpu.example:11434');
  expect(check(refused, 'ollama')).toMatchObject({ state: 'problem', mend: expect.stringContaining('--allow-host gpu.example') });
  expect(refused.ollama?.state).toBe('refused');
});

test('a second Ollama on this machine is warned of; localhost is the same one', async () => {
  const [one, other] = [await fakeOllama({ cloudOff: true }), await fakeOllama({ cloudOff: true, version: '0.20.1' })];
  const around = (host: string) => ({
    platform: 'linux' as const,
    env: { OLLAMA_HOST: host },
    home: '/nowhere',
    executable: () => false,
  });
  const two = await look(one, {}, { around: around(other) });
  const found = two.checks.filter(({ name }) => name === 'other ollama').map((each) => each.found);
  expect(found).toContainEqual(expect.stringContaining(`another Ollama answers at ${other}, version 0.20.1`));
  const same = await look(one, {}, { around: around(one.replace('127.0.0.1', 'localhost')) });
  expect(same.checks.filter((each) => each.found.includes(new URL(one).port) && each.name === 'other ollama')).toEqual([]);
});

test('without an address the one of OLLAMA_HOST is examined', async () => {
  const url = await fakeOllama({ cloudOff: true });
  const around = { platform: 'linux', env: { OLLAMA_HOST: url }, home: '/nowhere', executable: () => false } as const;
  expect((await look(undefined, {}, { around })).ollama).toMatchObject({ url, state: 'ready' });
});

test('a value of OLLAMA_HOST that names no address is reported without repeating it; if an address is given, it does not matter', async () => {
  const around = (OLLAMA_HOST: string) => ({
    around: { platform: 'linux' as const, env: { OLLAMA_HOST }, home: '/nowhere', executable: () => false },
  });
  for (const value of ['11434', 'unix:///run/ollama', 'http://secret@127.0.0.1']) {
    const report = await look(undefined, {}, around(value));
    expect(check(report, 'OLLAMA_HOST'), value).toMatchObject({ state: 'warning', found: expect.stringContaining('no address') });
    expect(JSON.stringify(report)).not.toContain('secret');
  }
  const url = await fakeOllama({ cloudOff: true });
  expect(check(await look(url, {}, around('11434')), 'OLLAMA_HOST')).toBeUndefined();
  expect(check(await look(undefined, {}, around('  ')), 'OLLAMA_HOST')).toBeUndefined();
});

test('the servers of the settings are asked, a damaged file of settings is not changed, and nothing is written', async () => {
  const room = keptFolder();
  const store = join(room, 'store.db');
  const standin = await startDemoServer({ models: ['a:1b', 'b:1b'], anyModel: false });
  onTestFinished(() => standin.close());
  const real = await fakeOllama({ tags: [{ name: 'x:1b' }] });
  const server = (name: string, url: string) => ({ name, backend: { kind: 'ollama', url } });
  const settings = { servers: [server('real', real), server('gone', nowhere), server('pretend', standin.url)] };
  writeFileSync(join(room, 'store.settings.json'), JSON.stringify(settings));
  expect((await look(real, {}, { store })).checks.some(({ name }) => name.startsWith('server '))).toBe(false);
  openSettings(store).confirmServers();
  const report = await look(real, {}, { store });
  expect(check(report, 'server real')).toMatchObject({ state: 'ok', found: `ollama at ${real}, version 0.33.0, 1 model` });
  expect(check(report, 'server gone')?.state).toBe('warning');
  expect(check(report, 'server pretend')?.found).toContain('DEMO MODEL');
  const demo = await look(standin.url);
  expect(check(demo, 'models')?.found).toBe('only names, under which the demo model answers: a:1b, b:1b');
  writeFileSync(join(room, 'store.settings.json'), '{"servers": 3}');
  expect((await look(real, {}, { store })).checks.some(({ name }) => name.startsWith('server '))).toBe(false);
  expect(readdirSync(room)).toEqual(['store.settings.json']);
});

test('a disk that is nearly full is a warning, for the store and for the models', async () => {
  const report = await look(await fakeOllama({ cloudOff: true }), {}, { free: { store: gibibyte / 2, models: 3 * gibibyte } });
  expect(check(report, 'disk')).toMatchObject({ state: 'warning', found: '536.9 MB free' });
  expect(check(report, 'disk of the models')).toMatchObject({ state: 'warning', mend: expect.stringContaining('OLLAMA_MODELS') });
});

test('a record that can be read but not written is reported', () => {
  const store = join(keptFolder(), 'store.db');
  openStore(store, { create: true }).close();
  expect(checkStore(store)).toMatchObject({ state: 'ok', found: `${store} (0 experiments)` });
  for (const locked of [store, dirname(store)]) {
    expect(checkStore(store, (path) => path !== locked)).toMatchObject({
      state: 'warning',
      found: expect.stringContaining('no run can use it'),
    });
  }
  const none = join(keptFolder(), 'none.db');
  expect(checkStore(none, () => false)).toMatchObject({ state: 'problem', found: `${none} cannot be made` });
});

test('damage is a problem, where a page shows it or an earlier check found it; without, the check that reads everything is named', async () => {
  for (const place of ['XDG_CACHE_HOME', 'LOCALAPPDATA']) vi.stubEnv(place, room.path('cache'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const store = await makeSampleStore(room.folder, { cases: 1 });
  const sound = readFileSync(store);
  const verify = commandText('verify', store);
  expect(checkStore(store)).toMatchObject({
    state: 'ok',
    found: expect.stringMatching(/: "[^"]+"\); its pages are sound, its contents are not checked: .* does that$/),
  });
  expect(checkStore(store).found).toContain(verify);
  const at = '2026-11-28T10:00:00.000Z';
  openKnownFaults(store, () => Date.parse(at), knownFaultsFolder()).trial(
    'trial',
    'rain',
    '0123456789abcdef',
    'a text is missing',
  );
  expect(checkStore(store)).toMatchObject({
    state: 'problem',
    found: expect.stringMatching(/was found damaged on 2026-11-28: a text is missing$/),
  });
  writeFileSync(store, sound.fill(0, sound.length - 16384));
  expect(checkStore(store)).toMatchObject({ state: 'problem', found: expect.stringContaining('the store is damaged') });
});

test('advice lists problems first, and what stops most before the rest', () => {
  const checks = [
    ok('node', '24'),
    warning('server a', 'away', 'start it'),
    warning('cloud', 'on', 'turn it off'),
    problem('models', 'none', 'pull one'),
    warning('loaded x', 'slow', 'free the GPU'),
    problem('store', 'broken', 'take another'),
    warning('something new', 'odd', 'look at it'),
  ];
  expect(adviceOf(checks).map(({ name }) => name)).toEqual(['store', 'models', 'cloud', 'loaded x', 'server a', 'something new']);
});

test('what an experiment file says about its run is among the checks, with its remedy', async () => {
  const server = await startDemoServer({ port: 0 });
  onTestFinished(server.close);
  const path = join(keptFolder(), 'twice.json');
  const arm = { protocol: 'single', cast: { '*': { model: 'llama3.1:8b' } } };
  const dataset = { path: 'cases.csv', question: 'Which?', label: { column: 'out' } };
  const arms = ['one', 'two'].map((name) => ({ ...arm, name }));
  writeFileSync(path, JSON.stringify({ version: 1, name: 'twice', dataset, arms }));
  const report = await look(server.url, {}, { experiment: path });
  expect(check(report, 'experiment')).toEqual(
    warning(
      'experiment',
      'arms "one", "two" have the same protocol, prompts, parameters and cast, so comparing them shows nothing',
      'for repeated trials use replicates',
    ),
  );
  expect(report.advice).toContainEqual({
    name: 'experiment',
    state: 'warning',
    mend: 'for repeated trials use replicates',
  });
});

test('says whether a window opens without a network', () => {
  const program = keptFolder();
  expect(checkWindow(program)).toMatchObject({ state: 'ok', found: expect.stringMatching(/^Electron is not there: /) });
  mkdirSync(join(program, 'node_modules/electron/dist'), { recursive: true });
  writeFileSync(join(program, 'node_modules/electron/dist/version'), 'v45.4.1\n');
  expect(checkWindow(program).found).toBe('Electron 45.4.1 is there: npm start downloads nothing');
});
