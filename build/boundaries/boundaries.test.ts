import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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

function breachesOf(fixture: Fixture): Breach[] {
  const folder = mkdtempSync(join(tmpdir(), 'assize-boundaries-'));
  try {
    for (const [path, text] of Object.entries(fixture)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return checkBoundaries(readFiles(listFiles(measuredPlaces, folder), folder));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Name, files, and the breach that the first file must show. */
const breaching: readonly [string, Fixture, { rule: (typeof ruleNames)[number]; line: number; says: string | RegExp }][] = [
  ['no file at all', {}, { rule: 'nothing-seen', line: 1, says: 'No file was seen' }],
  ['only files outside src', { 'build/a.ts': '' }, { rule: 'nothing-seen', line: 1, says: 'No file was seen' }],
  ['a file in no layer', { 'src/helpers/a.ts': '' }, { rule: 'unplaced', line: 1, says: 'src/core/' }],
  ['a file of an unknown kind', { 'src/core/a.mjs': '' }, { rule: 'unplaced', line: 1, says: 'rules.ts' }],
  [
    'a computed import',
    { 'src/core/a.ts': 'const name = "zod";\nexport const later = () => import(name);' },
    { rule: 'unreadable-import', line: 2, says: 'plain string' },
  ],
  [
    'a template as an import',
    { 'src/core/a.ts': 'export const later = (x: string) => import(`./${x}.ts`);' },
    { rule: 'unreadable-import', line: 1, says: 'plain string' },
  ],
  [
    'a triple-slash reference',
    { 'src/core/a.ts': '/// <reference types="node" />\nexport {};' },
    { rule: 'unreadable-import', line: 1, says: 'tsconfig' },
  ],
  [
    'an import of a missing file',
    { 'src/core/a.ts': "import './b.ts';" },
    { rule: 'unresolved-import', line: 1, says: 'src/core/b.ts' },
  ],
  [
    'an import without its ending',
    { 'src/core/a.ts': "import './b';", 'src/core/b.ts': '' },
    { rule: 'unresolved-import', line: 1, says: 'ending' },
  ],
  [
    'an import by a URL',
    { 'src/core/a.ts': "import 'https://example.org/a.js';" },
    { rule: 'unresolved-import', line: 1, says: 'write the path' },
  ],
  [
    'an import by an alias',
    { 'src/core/a.ts': "import '#shared';" },
    { rule: 'unresolved-import', line: 1, says: 'write the path' },
  ],
  [
    'an import across layers',
    { 'src/core/a.ts': "\nimport { b } from '../main/engine/b.ts';", 'src/main/engine/b.ts': '' },
    { rule: 'layer', line: 2, says: 'core may not import engine; it may import shared' },
  ],
  [
    'a type import across layers',
    { 'src/renderer/a.tsx': "import type { B } from '../main/engine/b.ts';", 'src/main/engine/b.ts': '' },
    { rule: 'layer', line: 1, says: 'renderer may not import engine' },
  ],
  [
    'an import() type across layers',
    { 'src/core/a.ts': "export type B = import('../headless/b.ts').B;", 'src/headless/b.ts': '' },
    { rule: 'layer', line: 1, says: 'core may not import headless' },
  ],
  [
    'a re-export across layers',
    { 'src/shared/a.ts': "export * from '../core/b.ts';", 'src/core/b.ts': '' },
    { rule: 'layer', line: 1, says: 'shared may not import core' },
  ],
  [
    'a dynamic import across layers',
    { 'src/main/engine/a.ts': "export const b = () => import('../../headless/b.ts');", 'src/headless/b.ts': '' },
    { rule: 'layer', line: 1, says: 'engine may not import headless' },
  ],
  [
    'a worker across layers',
    { 'src/main/engine/a.ts': "export const w = new URL('../../headless/b.ts', import.meta.url);", 'src/headless/b.ts': '' },
    { rule: 'layer', line: 1, says: 'engine may not import headless' },
  ],
  [
    'a require across layers',
    { 'src/main/engine/a.ts': "require('../../headless/b.ts');", 'src/headless/b.ts': '' },
    { rule: 'layer', line: 1, says: 'engine may not import headless' },
  ],
  [
    'the shell behind the public face of the engine',
    { 'src/main/shell/a.ts': "import '../engine/lab/b.ts';", 'src/main/engine/lab/b.ts': '' },
    { rule: 'layer', line: 1, says: 'src/main/engine/engine.ts' },
  ],
  [
    'a test across layers',
    { 'src/core/a.test.ts': "import '../main/engine/b.ts';", 'src/main/engine/b.ts': '' },
    { rule: 'layer', line: 1, says: 'core may not import engine' },
  ],
  [
    'core reaching out of src',
    { 'src/core/a.ts': "import '../../package.json';" },
    { rule: 'outside', line: 1, says: 'nothing outside src/' },
  ],
  [
    'the engine reaching for a script of the build',
    { 'src/main/engine/a.ts': "import '../../../build/b.ts';", 'build/b.ts': '' },
    { rule: 'outside', line: 1, says: 'package.json, resources/' },
  ],
  [
    'the program using a fixture',
    { 'src/core/a.ts': "import './b.fixture.ts';", 'src/core/b.fixture.ts': '' },
    { rule: 'test-import', line: 1, says: 'for tests only' },
  ],
  [
    'the program using a helper of tests',
    { 'src/core/a.ts': "import './testing/b.ts';", 'src/core/testing/b.ts': '' },
    { rule: 'test-import', line: 1, says: 'for tests only' },
  ],
  [
    'a package that a layer may not use',
    { 'src/shared/a.ts': "import 'zod';\nimport { x } from '@noble/hashes/sha2.js';" },
    { rule: 'package', line: 2, says: 'not @noble/hashes' },
  ],
  [
    'a built-in module in core',
    { 'src/core/a.ts': "import 'node:fs';" },
    { rule: 'builtin', line: 1, says: 'hand in what node:fs would give' },
  ],
  [
    'a built-in module without its prefix',
    { 'src/core/a.ts': "import 'fs/promises';" },
    { rule: 'builtin', line: 1, says: 'node:fs/promises' },
  ],
  [
    'electron in the engine',
    { 'src/main/engine/a.ts': "import 'electron';" },
    { rule: 'preserve', line: 1, says: 'src/main/shell/' },
  ],
  [
    'a network module outside of models',
    { 'src/main/engine/lab/a.ts': "import { get } from 'node:http';" },
    { rule: 'preserve', line: 1, says: 'dispatcher' },
  ],
  [
    'a network module by process.getBuiltinModule',
    { 'src/main/engine/lab/a.ts': "process.getBuiltinModule('net');" },
    { rule: 'preserve', line: 1, says: 'node:net' },
  ],
  [
    'a network package outside of models',
    { 'src/main/engine/lab/a.ts': "import 'undici';" },
    { rule: 'preserve', line: 1, says: 'dispatcher' },
  ],
  [
    'fetch outside of models',
    { 'src/main/engine/lab/a.ts': "\nawait fetch('http://127.0.0.1');" },
    { rule: 'preserve', line: 2, says: 'fetch (network)' },
  ],
  [
    'fetch by way of globalThis',
    { 'src/main/engine/lab/a.ts': "await globalThis['fetch']('');" },
    { rule: 'preserve', line: 1, says: 'fetch (network)' },
  ],
  [
    'fetch where another scope declares the name',
    { 'src/main/engine/lab/a.ts': "export const get = (fetch: () => string) => fetch();\nawait fetch('');" },
    { rule: 'preserve', line: 2, says: 'fetch (network)' },
  ],
  [
    'a WebSocket in the renderer outside of api',
    { 'src/renderer/app/a.ts': "new WebSocket('');" },
    { rule: 'preserve', line: 1, says: 'src/renderer/api/' },
  ],
  [
    'the database outside of the store',
    { 'src/main/engine/lab/a.ts': "import Database from 'better-sqlite3';" },
    { rule: 'preserve', line: 1, says: 'add a query' },
  ],
  [
    'a program that is started outside of the places for it',
    { 'src/main/engine/lab/a.ts': "import { spawn } from 'node:child_process';\nspawn('ls');" },
    { rule: 'preserve', line: 1, says: 'must see that it ends' },
  ],
  ...[
    'Date.now()',
    'new Date()',
    'Math.random()',
    'performance.now()',
    'process.env',
    'console.log(1)',
    'setTimeout(() => 0)',
    'globalThis',
    'crypto.randomUUID()',
  ].map((use): [string, Fixture, { rule: 'global'; line: number; says: string }] => [
    `${use} in core`,
    { 'src/core/a.ts': `\nexport const x = ${use};` },
    { rule: 'global', line: 2, says: 'Hand the value in' },
  ]),
  ['Math handed on in core', { 'src/core/a.ts': 'const { random } = Math;' }, { rule: 'global', line: 1, says: 'Math.random' }],
  [
    'the clock in shared',
    { 'src/shared/a.ts': 'export const x = { now: Date.now() };' },
    { rule: 'global', line: 1, says: 'shared does without Date' },
  ],
  [
    'SQL outside of the store',
    { 'src/main/engine/lab/a.ts': "export const q =\n  'SELECT id FROM trial';" },
    { rule: 'sql', line: 2, says: 'add a query to the store' },
  ],
  [
    'SQL in a template',
    { 'src/main/engine/lab/a.ts': 'export const q = (t: string) => `DELETE FROM ${t}`;' },
    { rule: 'sql', line: 1, says: 'add a query to the store' },
  ],
  [
    'a cycle',
    {
      'src/core/a.ts': "\nimport './b.ts';",
      'src/core/b.ts': "import './c.ts';",
      'src/core/c.ts': "import type { A } from './a.ts';",
    },
    { rule: 'cycle', line: 2, says: 'src/core/a.ts -> src/core/b.ts -> src/core/c.ts -> src/core/a.ts' },
  ],
  [
    'a file that imports itself',
    { 'src/core/a.ts': "import './a.ts';" },
    { rule: 'cycle', line: 1, says: 'src/core/a.ts -> src/core/a.ts' },
  ],
  ['a file of 401 lines', { 'src/core/a.ts': '//\n'.repeat(401) }, { rule: 'length', line: 401, says: '401 lines' }],
  ['a long script', { 'build/a.ts': '//\n'.repeat(401), 'src/core/b.ts': '' }, { rule: 'length', line: 401, says: 'split it' }],
];

describe('a breach is found, placed and explained:', () => {
  it.each(breaching)('%s', (_name, fixture, { rule, line, says }) => {
    const breaches = breachesOf(fixture);
    expect(breaches).toMatchObject([{ rule, line }]);
    if (rule !== 'nothing-seen') expect(breaches[0]?.file).toBe(Object.keys(fixture)[0]);
    expect(breaches[0]?.message).toMatch(says);
  });

  it('for every rule', () => {
    expect(new Set(breaching.map(([, , { rule }]) => rule))).toEqual(new Set(ruleNames));
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
  ['a file of 400 lines', { 'src/core/a.ts': '//\n'.repeat(400) }],
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
