import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { studyReportSchema } from '../shared/commandOutputs.ts';
import { changed, errorOf, labelColumn, openBench, type Replacement, sampleData } from './testing.ts';

const bench = await openBench();
const { standin } = bench;

const dataset = (name: string, path: string, n: number) => `{
      "name": "${name}", "path": "${path}", "id": "id",
      "label": { "column": "${labelColumn}", "map": { "True": "YES", "False": "NO" } },
      "labels": ["NO", "YES"], "positive": "YES", "question": "Will it rain?", "sample": { "n": ${n} }
    }`;

const study = `{
  "version": 1,
  "study": "weather",
  "datasets": [
    ${dataset('north', 'north.csv', 12)},
    ${dataset('south', 'south.csv', 5)}
  ],
  "arms": [
    { "name": "plain", "protocol": "standard", "params": { "style": "system1" }, "cast": { "*": { "model": "llama3.1:8b" } } },
    { "name": "votes", "protocol": "vote", "params": { "voters": 3 }, "cast": { "*": { "model": "llama3.1:8b" } } }
  ]
}`;

function written(name: string, ...changes: readonly Replacement[]) {
  const room = bench.room(name);
  writeFileSync(join(room, 'north.csv'), sampleData(30));
  writeFileSync(join(room, 'south.csv'), sampleData(9));
  const file = join(room, 'study.json');
  writeFileSync(file, changed(study, ...changes));
  const store = join(room, 'store.db');
  const hold = (...more: readonly string[]) => bench.assize(['study', file, '--store', store, '--ollama', standin.url, ...more]);
  return { room, store, hold };
}

const reportOf = ({ output, errors }: { output: string; errors: string }) =>
  studyReportSchema.parse(JSON.parse(output || errors));

test('a study tries its arms on every data set, and its table has each set and the mean of all', async () => {
  const { store, hold } = written('study');
  const first = await hold('--json');
  expect(first.errors).toMatch(/Data set north:[\s\S]*Data set south:/);
  const report = reportOf(first);
  expect(report.datasets).toEqual([
    { name: 'north', experiment: 'weather: north', cases: 12 },
    { name: 'south', experiment: 'weather: south', cases: 5 },
  ]);
  for (const { arm, sets, mean } of report.arms) {
    const rights = [];
    for (const { experiment } of report.datasets) {
      const { output } = await bench.assize(['export', experiment, '--store', store, '--format', 'trials-jsonl', '--out', '-']);
      const lines = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { arm: string; truth: string; prediction: string });
      const own = lines.filter((line) => line.arm === arm);
      rights.push(own.filter(({ truth, prediction }) => truth === prediction).length / own.length);
    }
    expect(sets.map((set) => set?.accuracy.value)).toEqual(rights.map((share) => expect.closeTo(share, 12)));
    expect(mean.accuracy).toMatchObject({
      n: 17,
      cases: 17,
      value: expect.closeTo(((rights[0] ?? 0) + (rights[1] ?? 0)) / 2, 12),
    });
  }
  const again = await hold();
  expect(again).toMatchObject({ code: first.code, output: expect.stringMatching(/arm +north +south +mean/) });
  expect(reportOf(await hold('--show', '--json'))).toEqual(report);
});

test('a primary comparison of a study is a test on each data set', async () => {
  const decided = (family: number): Replacement => [
    '"study": "weather",',
    `"study": "weather", "primary": { "compare": ["plain", "votes"], "family": ${family} },`,
  ];
  const refused = await written('undecided', decided(1)).hold();
  expect(refused.code).toBe(2);
  expect(refused.errors).toMatch(/a study of 2 data sets .* set "family" to 2 or more/);
  const { hold, store } = written('decided', decided(2));
  await hold();
  const { output } = await bench.assize(['stats', 'weather: south', '--store', store]);
  expect(output).toMatch(/plain against votes in accuracy: a difference, one of 2 tests, at 2.5% two-sided/);
});

test('before all of it is tried there is no mean, and the table says what is missing', async () => {
  const { store, room, hold } = written('part');
  const north = JSON.parse(study) as { study?: string; datasets: { name?: string }[]; name?: string; dataset?: object };
  const { name: _name, ...own } = north.datasets[0] ?? {};
  const { study: _study, datasets: _datasets, ...common } = north;
  const file = join(room, 'north.json');
  writeFileSync(file, JSON.stringify({ ...common, name: 'weather: north', dataset: own }));
  const ended = await bench.assize(['run', file, '--store', store, '--ollama', standin.url, '--max-trials', '3']);
  expect(ended.errors).not.toMatch(/assize:/);

  const { arms, datasets } = reportOf(await hold('--show', '--json'));
  expect(datasets.map(({ cases }) => cases)).toEqual([12, null]);
  expect(arms.map(({ sets }) => sets.map((set) => set?.planned ?? null))).toEqual([
    [12, null],
    [12, null],
  ]);
  expect(arms.reduce((sum, { sets }) => sum + (sets[0]?.done ?? 0), 0)).toBe(3);
  expect(arms[0]?.mean.accuracy).toMatchObject({ value: null, why_null: 'no mean: 1 of 2 data sets were not tried' });
  expect((await hold('--show')).output).toMatch(/plain was not tried on south/);
  // The study continues from there.
  expect(reportOf(await hold('--json')).arms[0]?.mean.accuracy.value).not.toBeNull();
});

test('a later data set that the record forbids is reported before an earlier one is tried', async () => {
  const { room, hold } = written('conflict');
  await hold();
  const file = join(room, 'study.json');
  writeFileSync(
    file,
    changed(
      study,
      ['"sample": { "n": 12 }', '"sample": { "n": 14 }'],
      ['"path": "south.csv", "id": "id",', '"path": "south.csv", "id": "id", "exclude": ["age"],'],
    ),
  );
  const asked = standin.requests().length;
  expect(await hold()).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/data set "south": .*on the record with another/),
  });
  expect(await bench.assize(['run', file])).toMatchObject({ code: 2, errors: expect.stringMatching(/run it with assize study/) });
  expect(standin.requests().length).toBe(asked);
});

test('a fault of a data set is reported with its name and place, before anything is asked', async () => {
  const asked = standin.requests().length;
  for (const [name, change, problem, field] of [
    ['twice', ['"name": "south"', '"name": "north"'], /data set "north": there are two of this name/, 'datasets[1].name'],
    ['long', ['"name": "south"', `"name": "${'s'.repeat(192)}"`], /at most 198 characters together/, 'datasets[1].name'],
    [
      'none',
      [
        `"path": "south.csv", "id": "id",
      "label": { "column": "${labelColumn}", "map": { "True": "YES", "False": "NO" } },`,
        '"path": "south.csv", "id": "id",',
      ],
      /data set "south": it has no "label"/,
      'datasets[1]',
    ],
    ['strange', ['"path": "south.csv"', '"path": "west.csv"'], /data set "south": there is no such file/, undefined],
    [
      'column',
      [
        `"path": "south.csv", "id": "id",
      "label": { "column": "${labelColumn}"`,
        '"path": "south.csv", "id": "id",\n      "label": { "column": "truth"',
      ],
      /data set "south": .*truth/,
      undefined,
    ],
  ] as const) {
    const { hold, store } = written(`refused-${name}`, change as Replacement);
    const ended = await hold('--json');
    expect(ended.code).toBe(2);
    const error = errorOf(ended);
    expect(error.message).toMatch(problem);
    if (field !== undefined) expect(error.field).toBe(field);
    rmSync(store, { force: true });
  }
  expect(standin.requests().length).toBe(asked);
});
