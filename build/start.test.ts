import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findElectron } from './electronRuntime.ts';
import { obtainElectron } from './fetchElectron.ts';
import { freshen, isStale, type Product } from './fresh.ts';
import { openElectron } from './openElectron.ts';
import { root } from './repository.ts';
import { readStartText } from './startText.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'assize-start-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('what is stale is built, and nothing else', () => {
  const at = (path: string, seconds: number) => utimesSync(join(folder, path), seconds, seconds);
  const output = 'out/page.html';
  const sources = ['src/', 'package.json'];

  beforeEach(() => {
    mkdirSync(join(folder, 'src/inner'), { recursive: true });
    mkdirSync(join(folder, 'out'));
    for (const path of ['src/inner/a.ts', 'src/b.ts', 'package.json']) writeFileSync(join(folder, path), '');
    for (const path of ['src/inner/a.ts', 'src/b.ts', 'package.json', 'src/inner', 'src']) at(path, 1000);
  });

  test('a product that is missing, or older than a file or a folder of its sources', () => {
    expect(isStale({ output, sources }, folder)).toBe(true);
    writeFileSync(join(folder, output), '');
    at(output, 1001);
    expect(isStale({ output, sources }, folder)).toBe(false);
    at('src/inner/a.ts', 1002);
    expect(isStale({ output, sources }, folder)).toBe(true);
    at('src/inner/a.ts', 1000);
    rmSync(join(folder, 'src/b.ts'));
    expect(isStale({ output, sources }, folder)).toBe(true);
    at('src', 1000);
    expect(isStale({ output, sources }, folder)).toBe(false);
    at('package.json', 1002);
    expect(isStale({ output, sources }, folder)).toBe(true);
  });

  test('a source that changes while it is built makes it stale again', async () => {
    const built: string[] = [];
    const product: Product = {
      name: 'the page',
      output,
      sources,
      async build() {
        built.push('page');
        writeFileSync(join(folder, 'src/b.ts'), 'changed');
        const later = Date.now() / 1000 + 5;
        at('src/b.ts', later);
        writeFileSync(join(folder, output), '');
        at(output, later + 5);
      },
    };
    await freshen([product], folder);
    expect(isStale(product, folder)).toBe(true);
    await freshen([{ ...product, async build() {} }], folder);
    at('src/b.ts', 1000);
    at('src', 1000);
    await freshen([product], folder);
    expect(built).toEqual(['page']);
  });

  test('a build that fails leaves the product stale', async () => {
    const product: Product = { name: 'the page', output, sources, build: () => Promise.reject(new Error('broken')) };
    await expect(freshen([product], folder)).rejects.toThrow('broken');
    expect(isStale(product, folder)).toBe(true);
  });
});

describe("Electron's runtime", () => {
  const missing = { missing: 'It has not been fetched.' };
  const there = { executable: '/electron' };

  /** Means that record how often they fetch; the runtime is there afterwards unless there is a problem. */
  function means(problem: string | null, installed = false) {
    const state = { fetched: 0, installed, now: Date.now() };
    return {
      state,
      find: () => (state.installed ? there : missing),
      fetch: () => {
        state.fetched += 1;
        state.installed = problem === null;
        return problem;
      },
      note: join(folder, 'out/failed'),
      now: () => state.now,
    };
  }

  test('what is installed is not fetched', () => {
    const given = means(null, true);
    expect(obtainElectron(false, given)).toEqual(there);
    expect(given.state.fetched).toBe(0);
  });

  test('what is missing is fetched once', () => {
    const given = means(null);
    expect(obtainElectron(false, given)).toEqual(there);
    expect(obtainElectron(false, given)).toEqual(there);
    expect(given.state.fetched).toBe(1);
  });

  test('a failure names its reason and is remembered for a day, unless one asks again', () => {
    const given = means('fetch failed');
    expect(obtainElectron(false, given)).toEqual({ missing: "Electron's runtime cannot be fetched (fetch failed)." });
    expect(obtainElectron(false, given)).toEqual({
      missing: "Electron's runtime could not be fetched a short while ago (npm start -- --fetch tries again).",
    });
    expect(given.state.fetched).toBe(1);
    obtainElectron(true, given);
    expect(given.state.fetched).toBe(2);
    given.state.now += 25 * 3600 * 1000;
    obtainElectron(false, given);
    expect(given.state.fetched).toBe(3);
  });
});

describe('Electron', () => {
  /** An executable in the place where Electron's runtime is looked for. */
  const program = (text: string) => {
    writeFileSync(join(folder, 'electron'), text);
    chmodSync(join(folder, 'electron'), 0o700);
    const found = findElectron({ environment: { ELECTRON_OVERRIDE_DIST_PATH: folder }, platform: 'linux' });
    if ('missing' in found) throw new Error(found.missing);
    return found.executable;
  };
  const shell = (text: string) => program(`#!/bin/sh\n${text}\n`);
  const node = (text: string) => program(`#!${process.execPath}\n${text}\n`);
  const log = () => join(folder, 'out/electron.log');
  const open = (executable: string, patience = 20_000) => openElectron(executable, 'my store.db', log(), patience);

  test('gets the program and the store; once it has said that it started, its exit code is passed on', async () => {
    const path = node(`
      require('node:fs').writeFileSync(__filename + '.words', process.argv[2] + ' ' + process.env.ASSIZE_STORE);
      process.send('started', () => process.exit(7));`);
    expect(await open(path)).toBe(7);
    expect(readFileSync(`${path}.words`, 'utf8')).toBe(`${root} my store.db`);
  });

  test.for([
    ['exit 0', 'ended with code 0'],
    ['exit 127', 'ended with code 127'],
    ['kill -TRAP $$', 'was ended by SIGTRAP'],
  ] as const)('%s before it has started leads to the browser', async ([text, how]) => {
    expect(await open(shell(`echo no sandbox >&2; ${text}`))).toBe(`Electron ${how} before its window was ready.`);
    expect(readFileSync(log(), 'utf8')).toBe('no sandbox\n');
  });

  test('a crash after it has started is reported as a crash', async () => {
    expect(await open(node(`process.send('started', () => process.kill(process.pid, 'SIGSEGV'))`))).toBe(130);
  });

  /** A silent program whose child hears no signal but one; what the child writes says that it still runs. */
  const silent = (later: string) => `
    const { spawn } = require('node:child_process');
    const { appendFileSync } = require('node:fs');
    process.on('SIGTERM', () => undefined);
    const child = spawn('sh', ['-c', 'trap "" TERM; while :; do sleep 0.05; done'], { stdio: 'ignore' });
    appendFileSync(__filename + '.pids', process.pid + ' ' + child.pid);
    ${later}
    setInterval(() => undefined, 1000);`;

  test.for([
    ['never', ''],
    ['too late', `process.on('SIGTERM', () => process.send('started'));`],
  ] as const)('one that says so %s is ended with all of its processes first', async ([, later]) => {
    const path = node(silent(later));
    expect(await open(path, 1_500)).toBe("Electron's window was not ready within 1.5 s, and was closed.");
    const pids = readFileSync(`${path}.pids`, 'utf8').split(' ').map(Number);
    expect(pids).toHaveLength(2);
    // One whose parent is gone may stay in the list of processes only as a name.
    const runs = (pid: number) => existsSync(`/proc/${pid}`) && !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
    await expect.poll(() => pids.filter(runs)).toEqual([]);
  });

  test('an executable that cannot be started leads to the browser', async () => {
    expect(await open(join(folder, 'none'))).toMatch(/^Electron cannot be started \(.*ENOENT\) before its window was ready\.$/);
  });
});

test.for([
  ['', { store: undefined, fetchAgain: false, browser: false, forWeb: [] }],
  ['--fetch', { store: undefined, fetchAgain: true, browser: false, forWeb: [] }],
  ['--store a.db', { store: 'a.db', fetchAgain: false, browser: false, forWeb: ['--store', 'a.db'] }],
  ['--store=a.db --fetch', { store: 'a.db', fetchAgain: true, browser: false, forWeb: ['--store=a.db'] }],
  ['--port 8080', { store: undefined, fetchAgain: false, browser: true, forWeb: ['--port', '8080'] }],
  ['--store a.db --no-open', { store: 'a.db', fetchAgain: false, browser: true, forWeb: ['--store', 'a.db', '--no-open'] }],
  ['--store', { store: undefined, fetchAgain: false, browser: true, forWeb: ['--store'] }],
  ['--stoer x', { store: undefined, fetchAgain: false, browser: true, forWeb: ['--stoer', 'x'] }],
] as const)('npm start -- %s', ([words, meaning]) => {
  expect(readStartText(words.split(' ').filter((word) => word !== ''))).toEqual(meaning);
});
