import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { optimise } from '../main/engine/engine.ts';
import { loadFrozen } from '../main/engine/lab/frozen.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { failureOutcomes } from '../shared/domain.ts';
import { optimiseReportSchema } from '../shared/promptOutputs.ts';
import { changed, errorOf, openBench, type Replacement, sampleData, sampleExperiment, writeExperiment } from './testing.ts';

/** Calls with these words get no answer that can be read. */
let garbled: string | null = null;
const bench = await openBench({
  fault: (_request, body) => (garbled !== null && body.includes(garbled) ? { kind: 'garbage' } : null),
});
const { standin } = bench;

const splits: Replacement = [
  '"test": 0.5, "train": 0.25, "validation": 0.25 },\n    "sample": { "from": "test", "n": 3 }',
  '"test": 0.4, "validation": 0.6 },\n    "sample": { "from": "test" }',
];
const instructions = ['Answer at once.', 'Think of the sky.', 'Be careful.', 'Weigh both answers.', 'Trust the numbers.'];

function prepared(name: string, lines = instructions, ...changes: readonly Replacement[]) {
  const room = bench.room(name);
  const file = writeExperiment(room, changed(sampleExperiment, splits, ...changes), sampleData(120));
  const list = join(room, 'instructions.txt');
  writeFileSync(list, lines.join('\n'));
  const store = join(room, 'store.db');
  const search = (...more: readonly string[]) =>
    bench.assize([
      ...['optimise', file, '--arm', 'plain', '--instructions', list, '--into', 'answer/system1'],
      ...['--store', store, '--ollama', standin.url, ...more],
    ]);
  return { room, store, file, search };
}

test('a search drops losers stage by stage, confirms the winner on other cases, and never tries a test case', async () => {
  const { room, store, file, search } = prepared('search');
  const out = join(room, 'winner.md');
  const ended = await search('--json', '--out', out);
  expect(ended.errors).toMatch(/stage 1: 5 arms/);
  const report = optimiseReportSchema.parse(JSON.parse(ended.output));
  expect(report.candidates.map(({ stages }) => stages)).toEqual([3, 3, 2, 1, 1]);
  expect(report.candidates[0]?.cases).toBe(report.cases.selection);
  expect(report.winner.comparison).toMatchObject({ b: 'plain', paired_cases: report.cases.confirmation });
  expect(report.experiments).toHaveLength(4);

  // The test split, as an experiment of the same file tries it.
  await bench.assize(['run', file, '--store', store, '--ollama', standin.url]);
  const records = openStoreReadOnly(store);
  onTestFinished(() => records.close());
  const testCases = new Set(loadFrozen(records, 'rain').sample());
  const used = report.experiments.map((name) => loadFrozen(records, name).sample());
  expect(testCases.size).toBe(48);
  expect(used.flat().filter((id) => testCases.has(id))).toEqual([]);
  expect(new Set(used.flat()).size).toBe(used.flat().length);
  expect(used.at(-1)).toHaveLength(report.cases.confirmation);

  // The record has all of it: nothing is asked again, and the result is the same.
  const asked = standin.requests().length;
  expect(JSON.parse((await search('--json')).output)).toEqual(report);
  expect(standin.requests().length).toBe(asked);

  const { instruction = '', name = '' } = report.candidates[0] ?? {};
  expect(readFileSync(out, 'utf8')).toContain(instruction);
  expect((await bench.assize(['prompts', 'check', out])).output).toContain(report.winner.hash);
  expect((await search()).output).toMatch(new RegExp(`${name} less that of the arm as it was, .* had no say in the choice`));
  expect(await search('--out', out)).toMatchObject({ code: 2, errors: expect.stringMatching(/is there already/) });
});

test('an interrupted search goes on where it was, and ends as if it had not been interrupted', async () => {
  const whole = prepared('whole');
  const before = standin.requests().length;
  const report = JSON.parse((await whole.search('--json')).output) as object;
  const all = standin.requests().length - before;

  const { file, room, store, search } = prepared('again');
  const stop = new AbortController();
  const wanted = { arm: 'plain', instructions: join(room, 'instructions.txt'), into: 'answer/system1' };
  const request = {
    store,
    url: standin.url,
    allowedHosts: [],
    concurrency: null,
    retry: [],
    signal: stop.signal,
    onProgress: () => undefined,
  };
  const onStep = (what: string) => {
    if (what.startsWith('stage 2')) stop.abort();
  };
  await expect(optimise(file, wanted, { ...request, onStep })).rejects.toThrow();
  const asked = standin.requests().length - before - all;
  expect(asked).toBeGreaterThan(0);
  expect(JSON.parse((await search('--json')).output)).toEqual({ ...report, store });
  expect(standin.requests().length - before - all).toBe(all);
});

test('where trials that failed are tried again, the search goes on with whoever is best then', async () => {
  const whole = optimiseReportSchema.parse(JSON.parse((await prepared('unfailing').search('--json')).output));
  const [best] = whole.candidates;
  const { search } = prepared('failing');
  garbled = best?.instruction ?? null;
  const failed = optimiseReportSchema.parse(JSON.parse((await search('--json')).output));
  garbled = null;
  expect(failed.winner.name).not.toBe(best?.name);
  const again = await search('--json', '--retry', failureOutcomes.join());
  expect(again.code, again.output).toBe(0);
  const { candidates, winner } = optimiseReportSchema.parse(JSON.parse(again.output));
  expect({ candidates, winner }).toEqual({ candidates: whole.candidates, winner: whole.winner });
});

test('what cannot be searched is refused with its place, before anything is asked', async () => {
  const asked = standin.requests().length;
  for (const [name, lines, changes, problem] of [
    [
      'no-share',
      instructions,
      [['"test": 0.4, "validation": 0.6', '"test": 0.6, "train": 0.4']],
      /validation split, and it has no share/,
    ],
    ['few', instructions, [['"test": 0.4, "validation": 0.6', '"test": 0.75, "validation": 0.25']], /at least 40 are needed/],
    ['twice', ['Be brief.', '', 'Be brief.'], [], /instruction of line 1 again/],
    ['slot', ['Be brief.', 'Read {{truth}}.'], [], /\{\{truth\}\} is no slot/],
    ['marker', ['Be brief.', '=== text: cot ==='], [], /"=== text: cot ===" would begin another part/],
    ['long', ['Be brief.', 'word '.repeat(20_000)], [], /about 2\d{4} tokens and the context 8192/],
    ['name', instructions, [['"rain"', `"${'r'.repeat(151)}"`]], /shorten the name of the experiment and of the arm to 150/],
    ['many', Array.from({ length: 65 }, (_, index) => `Say ${index}.`), [], /at most 64/],
  ] as const) {
    const { search, store } = prepared(`refused-${name}`, [...lines], ...(changes as readonly Replacement[]));
    const ended = await search('--json');
    expect(ended.code).toBe(2);
    expect(errorOf(ended).message).toMatch(problem);
    expect(existsSync(store)).toBe(false);
    if (name === 'marker' || name === 'long') expect(errorOf(ended).line).toBe(2);
  }
  const { search } = prepared('refused-names');
  expect((await search('--into', 'answer/none')).errors).toMatch(/no text "answer\/none"; it has .*answer\/system1/);
  expect((await search('--into', 'answer/system1/more')).errors).toMatch(/no text "answer\/system1\/more"/);
  expect((await search('--arm', 'nobody')).errors).toMatch(/no arm "nobody"/);
  expect(standin.requests().length).toBe(asked);
});
