import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { optimise } from '../main/engine/engine.ts';
import { loadFrozen } from '../main/engine/lab/frozen.ts';
import { startDemoServer } from '../main/engine/models/demo/demoServer.ts';
import { search as searchQuery } from '../main/engine/queries/search.ts';
import { parseChain } from '../main/engine/store/parseChain.ts';
import { openStoreReadOnly } from '../main/engine/store/store.ts';
import { kept } from '../main/engine/testing/kept.ts';
import { failureOutcomes } from '../shared/domain.ts';
import { optimiseReportSchema } from '../shared/promptOutputs.ts';
import { changed, errorOf, openBench, type Replacement, sampleData, sampleExperiment, writeExperiment } from './testing.ts';

/** Calls with these words get no answer that can be read. */
let garbled: string | null = null;
/** Every request that models got, in order. */
const sent: string[] = [];
const bench = await openBench({
  fault(_request, body) {
    sent.push(body);
    return garbled !== null && body.includes(garbled) ? { kind: 'malformed' } : null;
  },
});
const { standin } = bench;

const splits: Replacement = [
  '"test": 0.5, "train": 0.25, "validation": 0.25 },\n    "sample": { "from": "test", "n": 3 }',
  '"test": 0.4, "validation": 0.6 },\n    "sample": { "from": "test" }',
];
const instructions = ['Answer at once.', 'Think of the sky.', 'Be careful.', 'Weigh both answers.', 'Trust the numbers.'];

function prepared(name: string, lines = instructions, ...changes: readonly Replacement[]) {
  const room = bench.room(name);
  const file = writeExperiment(room, changed(sampleExperiment, splits, ...changes), sampleData(70));
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

/** A search from start to end, with which others are compared. */
const whole = prepared('search');
const out = join(whole.room, 'winner.md');
const ended = await whole.search('--json', '--out', out);
const all = standin.requests().length;
const report = optimiseReportSchema.parse(JSON.parse(ended.output));

test('a search drops losers stage by stage, confirms the winner on other cases, and never tries a test case', async () => {
  const { store, file, search } = whole;
  expect(ended.errors).toMatch(/stage 1: 5 arms/);
  expect(report.candidates.map(({ stages }) => stages)).toEqual([3, 3, 2, 1, 1]);
  expect(report.candidates[0]?.cases).toBe(report.cases.selection);
  expect(report.winner?.comparison).toMatchObject({ b: 'plain', paired_cases: report.cases.confirmation });
  expect(report.experiments).toHaveLength(4);

  // The test split, as an experiment of the same file would try it.
  await bench.assize(['run', file, '--store', store, '--ollama', standin.url, '--max-trials', '0']);
  const records = kept(openStoreReadOnly(store));
  const testCases = new Set(loadFrozen(records, 'rain').sample());
  const used = report.experiments.map((name) => loadFrozen(records, name).sample());
  expect(testCases.size).toBe(28);
  expect(used.flat().filter((id) => testCases.has(id))).toEqual([]);
  expect(new Set(used.flat()).size).toBe(used.flat().length);
  expect(used.at(-1)).toHaveLength(report.cases.confirmation);

  // The record has all of it: no server is needed, and the result is the same.
  expect(JSON.parse((await search('--json', '--ollama', 'http://127.0.0.1:1')).output)).toEqual(report);

  const { instruction = '', name = '' } = report.candidates[0] ?? {};
  expect(readFileSync(out, 'utf8')).toContain(instruction);
  expect((await bench.assize(['prompts', 'check', out])).output).toContain(report.winner?.hash ?? 'none');
  expect((await search()).output).toMatch(new RegExp(`${name} less that of the arm as it was, .* had no say in the choice`));
  expect(await search('--out', out)).toMatchObject({ code: 2, errors: expect.stringMatching(/is there already/) });
});

test('an interrupted search continues where it was, and ends as if it had not been interrupted', async () => {
  const before = standin.requests().length;
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
  expect(standin.requests().length - before).toBeGreaterThan(0);
  expect(JSON.parse((await search('--json')).output)).toEqual({ ...report, store });
  expect(standin.requests().length - before).toBe(all);
});

test('where trials that failed are tried again, the search continues with the candidate that is best then', {
  tags: 'exhaustive',
}, async () => {
  const [best] = report.candidates;
  const { search } = prepared('failing');
  garbled = best?.instruction ?? null;
  const failed = optimiseReportSchema.parse(JSON.parse((await search('--json')).output));
  garbled = null;
  expect(failed.winner?.name).not.toBe(best?.name);
  const again = await search('--json', '--retry', failureOutcomes.join());
  expect(again.code, again.output).toBe(0);
  const { candidates, winner } = optimiseReportSchema.parse(JSON.parse(again.output));
  expect({ candidates, winner }).toEqual({ candidates: report.candidates, winner: report.winner });
});

/** A word in the facts of each case that is nowhere else. */
const wordOf = (id: string) => `zq${id}qz`;
const worded = (rows: number) => {
  const [head = '', ...lines] = sampleData(rows).trim().split('\n');
  return [`${head},note`, ...lines.map((line) => `${line},${wordOf(line.split(',')[0] ?? '')}`), ''].join('\n');
};
const suggesting: Replacement = ['"arms": [', '"suggestions": { "atMost": 3, "by": { "model": "qwen2.5:7b" } },\n  "arms": ['];

function suggested(name: string, list: readonly string[] | null, ...changes: readonly Replacement[]) {
  const room = bench.room(name);
  const file = writeExperiment(room, changed(sampleExperiment, splits, suggesting, ...changes), worded(70));
  const lines = join(room, 'instructions.txt');
  if (list !== null) writeFileSync(lines, list.join('\n'));
  const store = join(room, 'store.db');
  const search = (...more: readonly string[]) =>
    bench.assize([
      ...['optimise', file, '--arm', 'plain', '--into', 'answer/system1', '--store', store, '--ollama', standin.url],
      ...(list === null ? [] : ['--instructions', lines]),
      ...more,
    ]);
  return { file, store, search };
}

test('a model suggests instructions from mistakes to choose on alone, on the record, and they are judged like those of a list', {
  tags: 'exhaustive',
}, async () => {
  const { file, store, search } = suggested('suggested', ['Be careful.']);
  sent.length = 0;
  const report = optimiseReportSchema.parse(JSON.parse((await search('--json')).output));
  expect(report.suggestions).toMatchObject({ model: 'qwen2.5:7b', at_most: 3, outcome: 'decided', suggested: 3, refused: [] });
  const { cases = 0, wrong = 0, shown = 0 } = report.suggestions?.mistakes ?? {};
  expect(cases).toBe(report.cases.selection);
  expect(shown).toBe(Math.min(8, wrong));
  expect(shown).toBeGreaterThan(1);
  expect(report.candidates.map(({ name }) => name).toSorted()).toEqual([
    'instruction-01',
    ...[1, 2, 3].slice(0, 3 - (report.suggestions?.repeated ?? 0)).map((number) => `suggestion-0${number}`),
  ]);

  // No case that is tested or confirmed on has a word in what the model reads, and no test case in any request at all.
  const searching = [...sent];
  const asking = searching.filter((body) => body.includes('Words of the prompt'));
  expect(asking).toHaveLength(1);
  await bench.assize(['run', file, '--store', store, '--ollama', standin.url, '--max-trials', '0']);
  const records = kept(openStoreReadOnly(store));
  const wordsOf = (name = '') => loadFrozen(records, name).sample().map(wordOf);
  const [tests, confirming, choosing] = [wordsOf('rain'), wordsOf(report.experiments.at(-1)), wordsOf(report.experiments[0])];
  expect(tests).toHaveLength(28);
  expect(tests.filter((word) => searching.some((body) => body.includes(word)))).toEqual([]);
  expect(confirming.filter((word) => asking[0]?.includes(word))).toEqual([]);
  expect(choosing.filter((word) => asking[0]?.includes(word))).toHaveLength(shown);

  // The call is a trial: shown, exported, verified and derived again like every other.
  expect(JSON.parse((await search('--json', '--ollama', 'http://127.0.0.1:1')).output)).toEqual(report);
  const [, name = ''] = report.experiments;
  expect(name).toMatch(/suggestions$/);
  const trial = records.trials.ofExperiment(name)[0]?.trial ?? '';
  const words = ['export', name, '--trial', trial, '--store', store, '--format', 'html', '--out', '-'];
  expect((await bench.assize(words)).output).toContain('Suggested instructions');
  const [step] = parseChain(records.events.ofKinds(trial, ['step-take']));
  const sought =
    report.candidates.find(({ name: candidate }) => candidate === 'suggestion-01')?.instruction.split(/[.,"“]/)[0] ?? '';
  const found = await searchQuery.run(records, { sought: `"${sought}"`, experiment: name }, () => undefined);
  expect(found.hits).toMatchObject([{ of: { trial }, seq: step?.seq }]);
  expect(await bench.assize(['verify', store])).toMatchObject({ code: 0 });
  expect(await bench.assize(['replay', store])).toMatchObject({ code: 0 });
  expect((await search()).output).toMatch(
    /qwen2\.5:7b was asked for at most 3 instructions\. It read \d+ of the \d+ wrong verdicts/,
  );

  // A case that the model read goes there too when it is erased.
  const read = choosing.find((word) => asking[0]?.includes(word)) ?? '';
  const [tried = ''] = report.experiments;
  const id =
    loadFrozen(records, tried)
      .sample()
      .find((each) => wordOf(each) === read) ?? '';
  expect(await bench.assize(['erase', tried, '--case', id, '--yes', '--store', store])).toMatchObject({ code: 0 });
  const left = kept(openStoreReadOnly(store));
  expect([...left.blobs.all()].filter(({ bytes }) => bytes?.includes(read)).length).toBe(0);
  expect(left.erasures.list().map(({ scope }) => scope)).toContain('data-set');
  expect(await bench.assize(['verify', store])).toMatchObject({ code: 0 });
});

test('an answer of a model that cannot be read is an outcome: the list is searched all the same, and without one there is no winner', {
  tags: 'exhaustive',
}, async () => {
  garbled = 'Words of the prompt';
  const { search } = suggested('unread', null);
  const alone = await search('--json');
  expect(alone.code).toBe(3);
  const unread = { outcome: 'malformed', suggested: 0 };
  expect(optimiseReportSchema.parse(JSON.parse(alone.output))).toMatchObject({
    suggestions: unread,
    candidates: [],
    winner: null,
  });
  expect((await search()).output).toMatch(/no answer that can be used: malformed[\s\S]*the words of the arm stay as they are/);
  const listed = optimiseReportSchema.parse(JSON.parse((await suggested('unread-list', instructions).search('--json')).output));
  garbled = null;
  expect(listed).toMatchObject({ suggestions: unread, winner: { name: expect.stringMatching(/^instruction-/) } });
  const again = await search('--json', '--retry', 'malformed');
  expect(JSON.parse(again.output)).toMatchObject({
    suggestions: { outcome: 'decided' },
    winner: { name: expect.stringMatching(/^suggestion-/) },
  });
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
  for (const [name, changes, field, problem] of [
    ['nothing', [['"suggestions"', '"suggestion"']], 'suggestion', /not known|unknown|suggestion/i],
    ['backend', [['"qwen2.5:7b"', '"qwen2.5:7b", "backend": "other"']], 'suggestions.by.backend', /no backend "other"/],
    ['most', [['"atMost": 3', '"atMost": 17']], 'suggestions.atMost', /16/],
    ['own', [['"protocol": "standard"', '"protocol": "suggestion"']], 'arms[0].protocol', /no protocol "suggestion"/],
  ] as const) {
    const ended = await suggested(`refused-${name}`, null, ...(changes as readonly Replacement[])).search('--json');
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({ field, file: expect.stringMatching(/experiment\.json$/) });
    expect(errorOf(ended).message).toMatch(problem);
  }
  const absent = suggested('refused-absent', null, ['"qwen2.5:7b"', '"absent:1b"']);
  const small = await startDemoServer({ models: ['llama3.1:8b'], anyModel: false });
  onTestFinished(() => small.close());
  expect(await absent.search('--ollama', small.url)).toMatchObject({ code: 4, errors: expect.stringMatching(/absent:1b/) });
  expect(existsSync(absent.store)).toBe(false);
  const unlisted = prepared('refused-unlisted');
  expect(await bench.assize(['optimise', unlisted.file, '--arm', 'plain', '--into', 'answer/system1'])).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/--instructions: give a file of instructions, or "suggestions"/),
  });
  expect(standin.requests().length).toBe(asked);
});
