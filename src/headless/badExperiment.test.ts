import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { changed, errorOf, lineOf, openBench, type Replacement, sampleExperiment, snapshot } from './testing.ts';

const bench = await openBench({ anyModel: false });
const { standin } = bench;

/** `at`: text on the line that must be named; absent: the replacement. */
type Refusal = readonly [name: string, field: string, message: RegExp, changes: readonly Replacement[], at?: string];

const arm = '"name": "plain"';
const cast = '"cast": { "*": { "model": "llama3.1:8b" } }';
const secondArm = (name: string, member: string): Replacement => [
  '    }\n  ]',
  `    },\n    { "name": "${name}", "protocol": "standard", "cast": { "*": ${member} } }\n  ]`,
];

const refusals: readonly Refusal[] = [
  ['unknown key', 'replicate', /unknown key "replicate".*did you mean "replicates"\?/, [['"replicates": 1', '"replicate": 1']]],
  ['key with a suffix', 'dataset.idColumn', /unknown key "idColumn".*did you mean "id"\?/, [['"id":', '"idColumn":']]],
  ['unknown nested key', 'dataset.sample.size', /unknown key "size"/, [['"from": "test", "n": 3', '"from": "test", "size": 3']]],
  ['repeated key', 'name', /key "name" occurs twice/, [['"replicates": 1', '"name": "snow"']]],
  [
    'repeated nested key',
    'dataset.kind',
    /key "kind" occurs twice/,
    [['"id": "id"', '"id": "id",\n    "kind": "text"']],
    '"kind": "text"',
  ],
  ['wrong type', 'replicates', /expected (int|number)/, [['"replicates": 1', '"replicates": "two"']]],
  [
    'value that is none of several',
    'dataset.sample.from',
    /"test"\|"train"\|"validation".*"all"/,
    [['"from": "test", "n": 3', '"from": "dev", "n": 3']],
  ],
  ['missing key', 'name', /is missing/, [['"name": "rain",', '']], '{'],
  ['time that no timer can hold', 'runtime.timeoutSeconds', /<=/, [['"retries": 1', '"timeoutSeconds": 1e9']]],
  [
    'unknown protocol',
    'arms[0].protocol',
    /no protocol "standart"; there are standard, agentic-sim/,
    [['"protocol": "standard"', '"protocol": "standart"']],
  ],
  [
    'unknown parameter',
    'arms[0].params.styles',
    /standard has no parameter "styles"/,
    [['"style": "system1"', '"styles": "system1"']],
  ],
  ['parameter out of range', 'arms[0].params.style', /system1/, [['"style": "system1"', '"style": "guess"']]],
  [
    'unknown backend',
    'arms[0].cast.*.backend',
    /no backend "office"; there are default/,
    [[cast, '"cast": { "*": { "model": "llama3.1:8b", "backend": "office" } }']],
  ],
  [
    'unknown role',
    'arms[0].cast.bailiff',
    /no role "bailiff"; its roles are predictor/,
    [[cast, '"cast": { "predictor": { "model": "llama3.1:8b" }, "bailiff": { "model": "llama3.1:8b" } }']],
  ],
  ['empty cast', 'arms[0].cast', /no one plays the role "predictor"/, [[cast, '"cast": {}']]],
  [
    'two arms of one name',
    'arms[1].name',
    /arm "plain" occurs twice/,
    [secondArm('plain', '{ "model": "llama3.1:8b" }')],
    '{ "name": "plain", "protocol"',
  ],
  [
    'two context sizes for one model',
    'arms[1].cast.*.options.numCtx',
    /numCtx 4096 here and 8192 elsewhere/,
    [secondArm('wide', '{ "model": "llama3.1:8b", "options": { "numCtx": 4096 } }')],
    '"numCtx": 4096',
  ],
  [
    'model in the cloud',
    'arms[0].cast.*.model',
    /somebody else's machine; name a local model/,
    [[cast, '"cast": { "*": { "model": "gpt-oss:120b-cloud" } }']],
  ],
  [
    'security 29: UNC path',
    'dataset.path',
    /UNC and device paths/,
    [['"path": "data.csv"', '"path": "//server/share/data.csv"']],
  ],
  [
    'security 29: device path',
    'dataset.path',
    /UNC and device paths/,
    [['"path": "data.csv"', String.raw`"path": "\\\\.\\PhysicalDrive0"`]],
  ],
  [
    'kind that the protocol does not try',
    'arms[0].protocol',
    /open/,
    [
      ['"kind": "tabular"', '"kind": "open", "columns": { "question": "sex" }'],
      [/ {4}"label": .*\n {4}"labels": .*\n {4}"positive": .*\n/.exec(sampleExperiment)?.[0] ?? '', ''],
      ['"groups": ["sex"],', ''],
    ],
    '"protocol"',
  ],
  [
    'label count that the protocol does not try',
    'arms[0].protocol',
    /label/,
    [
      ['"labels": ["NO", "YES"]', '"labels": ["NO", "YES", "PERHAPS"]'],
      ['"protocol": "standard",\n      "params": { "style": "system1" }', '"protocol": "agentic-sim"'],
    ],
    '"protocol"',
  ],
  [
    'sample larger than its split',
    'dataset.sample.n',
    /300 cases are asked for, but the test split has \d+/,
    [['"n": 3', '"n": 300']],
  ],
];

test.concurrent.for(refusals)(
  '%s: exit 2 with line and field, nothing written',
  async ([name, field, message, changes, at], { expect }) => {
    const text = changed(sampleExperiment, ...changes);
    const { room, file, run } = bench.project(name, text);
    const before = snapshot(room);
    const ended = await run('--store', join(room, 'new/store.db'));
    expect(ended.code, ended.errors).toBe(2);
    const error = errorOf(ended);
    const line = lineOf(text, at ?? changes[0]?.[1] ?? '');
    expect(error).toMatchObject({ code: 'bad-input', file, line, field });
    expect(error.message).toMatch(message);
    expect(ended.errors).toBe(`assize: ${file}:${line}: ${field}: ${error.message}\n`);
    expect(snapshot(room)).toEqual(before);
  },
);

describe('an invalid experiment file', () => {
  const attempts: readonly [name: string, content: string | Buffer | null, line: number | null, message: RegExp][] = [
    ['missing.json', null, null, /no such file/],
    ['empty.json', '', null, /the file is empty/],
    ['broken.json', '{\n  "version": 1,\n  "name": }\n', 3, /not valid JSON: value expected/],
    ['comment.json', '{\n  // my run\n  "version": 1\n}\n', 2, /not valid JSON/],
    ['deep.json', '['.repeat(100_000), null, /nested too deeply/],
    ['list.json', '[1]', 1, /expected object/],
    ['latin1.json', Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x7d]), null, /not valid UTF-8/],
    ['below.json/x.json', null, null, /no such file/],
  ];

  test.concurrent.for(attempts)('%s', async ([name, content, line, message], { expect }) => {
    const room = bench.room(`none-${name.split('/')[0]}`);
    const file = join(room, name);
    if (content !== null) writeFileSync(file, content);
    if (name.includes('/')) writeFileSync(join(file, '..'), '{}');
    const before = snapshot(room);
    const ended = await bench.assize(['run', file, '--store', join(room, 'store.db'), '--ollama', standin.url, '--json']);
    expect(ended.code, ended.errors).toBe(2);
    expect(errorOf(ended)).toMatchObject({ code: 'bad-input', file, line });
    expect(ended.errors).toMatch(message);
    expect(snapshot(room)).toEqual(before);
  });

  test.concurrent('folder', async ({ expect }) => {
    const file = join(bench.room('folder'), 'experiment.json');
    mkdirSync(file);
    const ended = await bench.assize(['run', file, '--store', bench.path('folder/store.db')]);
    expect(ended).toMatchObject({ code: 2, output: '' });
    expect(ended.errors).toBe(`assize: ${file}: this is a folder; name a file in it\n`);
    expect(Object.keys(snapshot(bench.path('folder')))).toEqual(['experiment.json']);
  });
});

test('a model that the server does not have: exit 4 before anything is written or asked', async ({ expect }) => {
  const law = changed(sampleExperiment, ['llama3.1:8b', 'lawyer:7b'], [arm, '"name": "law"']);
  const { room, run } = bench.project('model', law);
  const before = snapshot(room);
  const ended = await run();
  expect(ended.code).toBe(4);
  expect(errorOf(ended)).toMatchObject({ code: 'missing-model' });
  expect(ended.errors).toContain('ollama pull lawyer:7b');
  expect(snapshot(room)).toEqual(before);
  expect(standin.requests()).toEqual([]);
  const plan = await run('--plan');
  expect(plan.code, plan.errors).toBe(0);
  expect(JSON.parse(plan.output)).toMatchObject({ missing_models: ['lawyer:7b'] });
  expect(snapshot(room)).toEqual(before);
});

test('no server where an earlier run had one: that one is named, and how to name another', async ({ expect }) => {
  const { run } = bench.project('gone');
  const gone = await startDemoServer({ port: 0 });
  const begun = await run('--ollama', gone.url, '--max-trials', '1');
  expect(begun.code, begun.errors).toBe(0);
  await gone.close();
  const away = await startDemoServer({ port: 0 });
  await away.close();
  const ended = await run('--ollama', away.url);
  expect(errorOf(ended).code).toBe('no-backend');
  expect(ended.errors).toContain(`came from the demo model at ${gone.url}; start Ollama`);
  expect(ended.errors).toContain('--ollama URL');
});

test('a server on another machine is refused by name', async ({ expect }) => {
  const { room, run } = bench.project('remote');
  const before = snapshot(room);
  const ended = await run('--ollama', 'http://192.0.2.1:11434');
  expect(ended.code).toBe(2);
  expect(ended.errors).toContain('--allow-host 192.0.2.1');
  expect(snapshot(room)).toEqual(before);
});
