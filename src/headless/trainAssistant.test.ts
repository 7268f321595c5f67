import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { trainReportSchema } from '../shared/assistants.ts';
import { changed, errorOf, openBench, sampleData, sampleExperiment, snapshot } from './testing.ts';

/** Twenty cases of the training split, each debated once. */
const lessons = changed(
  sampleExperiment,
  ['"test": 0.5, "train": 0.25, "validation": 0.25', '"test": 0.5, "train": 0.5'],
  ['{ "from": "test", "n": 3 }', '{ "from": "train", "n": 12 }'],
  ['"standard"', '"debate-feedback"'],
  ['{ "style": "system1" }', '{ "rounds": 1 }'],
  ['{ "*": { "model": "llama3.1:8b" } }', '{ "*": { "model": "llama3.1:8b" }, "embedder": { "model": "embed:1" } }'],
);

const bench = await openBench();
const { standin } = bench;
const { file, store, run } = bench.project('lessons', lessons, sampleData(40));
beforeAll(async () => {
  const { code, errors } = await run();
  expect(code, errors).toBe(0);
});

const train = (...words: string[]) =>
  bench.assize(['train-assistant', '--experiment', 'rain', '--store', store, '--ollama', standin.url, ...words]);

test('too few statements, an unknown experiment and a missing word end in 2, and nothing is written', async () => {
  const before = snapshot(bench.path('lessons'));
  const few = await train('--json');
  expect(few.code).toBe(2);
  expect(errorOf(few).message).toMatch(/50 statements at least, and there are [34]\d:/);
  const unknown = await bench.assize(['train-assistant', '--experiment', 'snow', '--store', store, '--json']);
  expect([unknown.code, errorOf(unknown).message]).toEqual([2, 'there is no experiment "snow"; the store has "rain"']);
  const without = await bench.assize(['train-assistant', '--store', store]);
  expect([without.code, without.errors]).toEqual([2, expect.stringContaining('--experiment is missing')]);
  const nowhere = await bench.assize(['train-assistant', '--experiment', 'rain', '--store', bench.path('none.db')]);
  expect(nowhere.code).toBe(2);
  expect(snapshot(bench.path('lessons'))).toEqual(before);
});

test('trains, says so, does nothing when it is run again, and the record stays sound', async () => {
  writeFileSync(file, changed(readFileSync(file, 'utf8'), ['"n": 12', '"n": 18']));
  expect((await run()).code).toBe(0);
  const away = await train('--ollama', 'http://127.0.0.1:9');
  expect([away.code, away.errors]).toEqual([4, expect.stringContaining('does not answer')]);
  const first = await train('--json');
  expect(first.code, first.errors).toBe(0);
  const report = trainReportSchema.parse(JSON.parse(first.output));
  expect(report).toMatchObject({ experiment: 'rain', version: 1, trained_now: true, embedder: 'embed:1', standin: true });
  expect(report.left_out.conceded).toBeGreaterThan(0);
  expect(report.training.statements + report.holdout.statements + report.left_out.conceded).toBe(72);
  const again = await train();
  expect(again.code).toBe(0);
  expect(again.output).toContain('DEMO MODEL');
  expect(again.output).toContain('Nothing new: version 1');
  expect((await bench.assize(['verify', store])).code).toBe(0);
  expect((await bench.assize(['replay', store])).code).toBe(0);
});
