import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { obtainElectron } from './fetchElectron.ts';
import { freshen, isStale, type Product } from './fresh.ts';
import { openElectron } from './openElectron.ts';
import { root } from './repository.ts';
import { readStartWords } from './startWords.ts';

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

  test('a failure is told with its reason and remembered for a day, unless one asks again', () => {
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
  const program = (text: string) => {
    const path = join(folder, 'electron');
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o700);
    return path;
  };

  test('gets the program and the store, and its exit code is told', async () => {
    const path = program(`printf '%s\\n' "$@" "$ASSIZE_STORE" > "$0.words"; exit 7`);
    expect(await openElectron(path, 'my store.db')).toBe(7);
    expect(readFileSync(`${path}.words`, 'utf8')).toBe(`${root}\nmy store.db\n`);
  });

  test.for([
    ['exit 0', 0],
    ['kill -TERM $$', 130],
    ['exit 127', null],
    ['kill -TRAP $$', null],
    ['kill -SEGV $$', null],
  ] as const)('%s amounts to %s', async ([text, code]) => {
    expect(await openElectron(program(text), undefined)).toBe(code);
  });

  test('an executable that cannot be started does not run on this system', async () => {
    expect(await openElectron(join(folder, 'none'), undefined)).toBe(null);
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
  expect(readStartWords(words.split(' ').filter((word) => word !== ''))).toEqual(meaning);
});
