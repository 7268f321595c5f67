import { describe, expect, it } from 'vitest';
import { listFiles, readFiles } from '../repository.ts';
import { type Breach, checkBoundaries, describeBreach, ruleNames } from './check.ts';
import { isTest, layerOf, layers, measuredPlaces } from './rules.ts';

describe('this repository', () => {
  // Every file of the repository is read and parsed.
  it('keeps its boundaries', () => {
    const files = readFiles(listFiles(measuredPlaces));
    expect(checkBoundaries(files).map(describeBreach)).toEqual([]);
    for (const { name, place } of layers.filter(({ name }) => ['shared', 'core', 'engine', 'headless'].includes(name))) {
      const own = [...files.keys()].filter((path) => path.startsWith(place) && path.endsWith('.ts') && !isTest(path));
      expect(own.length, `${name} holds no file: does the check read the right folder?`).toBeGreaterThan(0);
    }
  });

  it('says at the top of each file of core and engine what it is for, before or right after its imports', () => {
    const files = readFiles(listFiles(['src/core/', 'src/main/engine/']));
    const own = [...files].filter(([path]) => path.endsWith('.ts') && !isTest(path));
    const afterImports = (text: string) => text.replace(/^(?:import\b[^;]*;\s*)+/, '');
    const silent = own.filter(([, text]) => !/^(?:\/\*\*|\/\/)/.test(text) && !/^(?:\/\*\*|\/\/)/.test(afterImports(text)));
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  it('names only places that some layer holds', () => {
    for (const { imports } of layers) {
      for (const name of imports) expect(layers.some((layer) => layer.name === name) || layerOf(name), name).toBeTruthy();
    }
  });
});

type Fixture = Record<string, string>;

const breachesOf = (fixture: Fixture): Breach[] => checkBoundaries(new Map(Object.entries(fixture)));

/** A file, its text, the one breach in it, and empty files next to it. */
type Breaching = readonly [
  file: string,
  text: string,
  rule: (typeof ruleNames)[number],
  line: number,
  says: string,
  ...others: string[],
];

const breaching: readonly Breaching[] = [
  ['build/a.ts', '', 'nothing-seen', 1, 'No file was seen'],
  ['src/helpers/a.ts', '', 'unplaced', 1, 'src/core/'],
  ['src/core/a.mjs', '', 'unplaced', 1, 'rules.ts'],
  ['src/core/a.ts', 'const name = "zod";\nexport const later = () => import(name);', 'unreadable-import', 2, 'plain string'],
  ['src/core/a.ts', 'export const later = (x: string) => import(`./${x}.ts`);', 'unreadable-import', 1, 'plain string'],
  ['src/core/a.ts', '/// <reference types="node" />\nexport {};', 'unreadable-import', 1, 'tsconfig'],
  ['src/core/a.ts', "import './b.ts';", 'unresolved-import', 1, 'src/core/b.ts'],
  ['src/core/a.ts', "import './b';", 'unresolved-import', 1, 'ending', 'src/core/b.ts'],
  ['src/core/a.ts', "import 'https://example.org/a.js';", 'unresolved-import', 1, 'write the path'],
  ['src/core/a.ts', "import '#shared';", 'unresolved-import', 1, 'write the path'],
  [
    'src/core/a.ts',
    "\nimport { b } from '../main/engine/b.ts';",
    'layer',
    2,
    'core may not import engine; it may import shared',
    'src/main/engine/b.ts',
  ],
  [
    'src/renderer/a.tsx',
    "import type { B } from '../main/engine/b.ts';",
    'layer',
    1,
    'renderer may not import engine',
    'src/main/engine/b.ts',
  ],
  [
    'src/core/a.ts',
    "export type B = import('../headless/b.ts').B;",
    'layer',
    1,
    'core may not import headless',
    'src/headless/b.ts',
  ],
  ['src/shared/a.ts', "export * from '../core/b.ts';", 'layer', 1, 'shared may not import core', 'src/core/b.ts'],
  [
    'src/main/engine/a.ts',
    "export const b = () => import('../../headless/b.ts');",
    'layer',
    1,
    'engine may not import headless',
    'src/headless/b.ts',
  ],
  [
    'src/main/engine/a.ts',
    "export const w = new URL('../../headless/b.ts', import.meta.url);",
    'layer',
    1,
    'engine may not import headless',
    'src/headless/b.ts',
  ],
  ['src/main/engine/a.ts', "require('../../headless/b.ts');", 'layer', 1, 'engine may not import headless', 'src/headless/b.ts'],
  ['src/main/shell/a.ts', "import '../engine/lab/b.ts';", 'layer', 1, 'src/main/engine/engine.ts', 'src/main/engine/lab/b.ts'],
  ['src/core/a.test.ts', "import '../main/engine/b.ts';", 'layer', 1, 'core may not import engine', 'src/main/engine/b.ts'],
  ['src/core/a.ts', "import '../../package.json';", 'outside', 1, 'nothing outside src/'],
  ['src/main/engine/a.ts', "import '../../../build/b.ts';", 'outside', 1, 'package.json, resources/', 'build/b.ts'],
  ['src/core/a.ts', "import './b.fixture.ts';", 'test-import', 1, 'for tests only', 'src/core/b.fixture.ts'],
  ['src/core/a.ts', "import './testing/b.ts';", 'test-import', 1, 'for tests only', 'src/core/testing/b.ts'],
  ['src/shared/a.ts', "import 'zod';\nimport { x } from '@noble/hashes/sha2.js';", 'package', 2, 'not @noble/hashes'],
  ['src/core/a.ts', "import 'node:fs';", 'builtin', 1, 'hand in what node:fs would give'],
  ['src/core/a.ts', "import 'fs/promises';", 'builtin', 1, 'node:fs/promises'],
  ['src/main/engine/a.ts', "import 'electron';", 'preserve', 1, 'src/main/shell/'],
  ['src/main/engine/lab/a.ts', "import { get } from 'node:http';", 'preserve', 1, 'dispatcher'],
  ['src/main/engine/lab/a.ts', "process.getBuiltinModule('net');", 'preserve', 1, 'node:net'],
  ['src/main/engine/lab/a.ts', "import 'undici';", 'preserve', 1, 'dispatcher'],
  ['src/main/engine/lab/a.ts', "\nawait fetch('http://127.0.0.1');", 'preserve', 2, 'fetch (network)'],
  ['src/main/engine/lab/a.ts', "await globalThis['fetch']('');", 'preserve', 1, 'fetch (network)'],
  [
    'src/main/engine/lab/a.ts',
    "export const get = (fetch: () => string) => fetch();\nawait fetch('');",
    'preserve',
    2,
    'fetch (network)',
  ],
  ['src/renderer/app/a.ts', "new WebSocket('');", 'preserve', 1, 'src/renderer/api/'],
  ['src/main/engine/lab/a.ts', "import Database from 'better-sqlite3';", 'preserve', 1, 'add a query'],
  [
    'src/main/engine/lab/a.ts',
    "import { spawn } from 'node:child_process';\nspawn('ls');",
    'preserve',
    1,
    'must see that it ends',
  ],
  ['src/core/a.ts', '\nexport const x = Date.now();', 'global', 2, 'Hand the value in'],
  ['src/core/a.ts', '\nexport const x = new Date();', 'global', 2, 'Hand the value in'],
  ['src/core/a.ts', '\nexport const x = Math.random();', 'global', 2, 'Hand the value in'],
  ['src/core/a.ts', '\nexport const x = performance.now();', 'global', 2, 'Hand the value in'],
  ['src/core/a.ts', '\nexport const x = process.env;', 'global', 2, 'Hand the value in'],
  ['src/core/a.ts', '\nexport const x = console.log(1);', 'global', 2, 'Hand the value in'],
  ['src/core/a.ts', '\nexport const x = setTimeout(() => 0);', 'global', 2, 'Hand the value in'],
  ['src/core/a.ts', '\nexport const x = globalThis;', 'global', 2, 'Hand the value in'],
  ['src/core/a.ts', '\nexport const x = crypto.randomUUID();', 'global', 2, 'Hand the value in'],
  ['src/core/a.ts', 'const { random } = Math;', 'global', 1, 'Math.random'],
  ['src/shared/a.ts', 'export const x = { now: Date.now() };', 'global', 1, 'shared does without Date'],
  ['src/main/engine/lab/a.ts', "export const q =\n  'SELECT id FROM trial';", 'sql', 2, 'add a query to the store'],
  ['src/main/engine/lab/a.ts', 'export const q = (t: string) => `DELETE FROM ${t}`;', 'sql', 1, 'add a query to the store'],
  ['src/core/a.ts', "import './a.ts';", 'cycle', 1, 'src/core/a.ts -> src/core/a.ts'],
];

describe('a breach is found, placed and explained:', () => {
  it.for(breaching)('%s: %j', ([file, text, rule, line, says, ...others]) => {
    const breaches = breachesOf({ [file]: text, ...Object.fromEntries(others.map((path) => [path, ''])) });
    expect(breaches).toMatchObject([{ rule, line, message: expect.stringContaining(says) }]);
    expect(breaches[0]?.file).toBe(rule === 'nothing-seen' ? 'src/' : file);
  });

  it.each(['src/core/a.ts', 'build/a.ts'])('%s with more than 400 lines', (file) => {
    const breaches = (lines: number) => breachesOf({ [file]: '//\n'.repeat(lines), 'src/core/b.ts': '' });
    expect(breaches(400)).toEqual([]);
    expect(breaches(401)).toMatchObject([{ rule: 'length', file, line: 401, message: expect.stringContaining('401 lines') }]);
  });

  it('a cycle of three, with types in it', () => {
    const [a, b, c] = ["\nimport './b.ts';", "import './c.ts';", "import type { A } from './a.ts';"];
    expect(breachesOf({ 'src/core/a.ts': a, 'src/core/b.ts': b, 'src/core/c.ts': c })).toMatchObject([
      {
        rule: 'cycle',
        file: 'src/core/a.ts',
        line: 2,
        message: expect.stringContaining('a.ts -> src/core/b.ts -> src/core/c.ts'),
      },
    ]);
  });

  it('for every rule', () => {
    expect(new Set([...breaching.map(([, , rule]) => rule), 'length'])).toEqual(new Set(ruleNames));
  });
});

const keeping: readonly [string, Fixture][] = [
  [
    'imports along the layers',
    {
      'src/headless/a.ts': "import '../main/engine/b.ts';",
      'src/main/engine/b.ts': "import '../../core/c.ts';",
      'src/core/c.ts': "import '../shared/d.ts';",
      'src/shared/d.ts': "import { z } from 'zod';",
    },
  ],
  [
    'the engine reading the manifest and resources',
    {
      'src/main/engine/a.ts':
        "import manifest from '../../../package.json' with { type: 'json' };\nexport const r = new URL('../../../resources/', import.meta.url);",
    },
  ],
  [
    'a test of the command line that uses core',
    {
      'src/headless/a.test.ts': "import '../core/b.ts';\nimport 'node:http';\nimport 'vitest';\nDate.now();",
      'src/core/b.ts': '',
    },
  ],
  [
    'the network in models',
    { 'src/main/engine/models/a.ts': "import 'node:net';\nimport { fetch } from 'undici';\nawait fetch('');" },
  ],
  ['SQL in the store', { 'src/main/engine/store/a.ts': "import 'better-sqlite3';\nexport const q = 'SELECT id FROM trial';" }],
  [
    'prose that names SQL words',
    { 'src/core/a.ts': "export const x = 'select the label from the list', y = 'UPDATE your belief';" },
  ],
  [
    'own names that are also globals',
    {
      'src/core/a.ts':
        'export function f(process: { Date: string }, { console }: { console: string }) { return [process.Date, console, { fetch: 1 }.fetch]; }\nexport interface Date { crypto: number }\nexport type T = Date;\nexport class K { performance() { return this.performance; } }',
    },
  ],
  ['arithmetic', { 'src/core/a.ts': 'export const x = Math.max(1, Math.sqrt(2));' }],
  [
    'the shell using the public face of the engine',
    { 'src/main/shell/a.ts': "import 'electron';\nimport '../engine/engine.ts';", 'src/main/engine/engine.ts': '' },
  ],
];

it.each(keeping)('what is allowed stays allowed: %s', (_name, fixture) => {
  expect(breachesOf(fixture).map(describeBreach)).toEqual([]);
});
