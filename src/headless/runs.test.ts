import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { DemoServerOptions } from '../main/engine/models/demo/demoServer.ts';
import { runReportSchema } from '../shared/commandOutputs.ts';
import { planReportSchema, statsReportSchema } from '../shared/outputs.ts';
import {
  changed,
  type Ended,
  errorOf,
  eventCount,
  openBench,
  type Replacement,
  sampleData,
  sampleExperiment,
  snapshot,
  until,
} from './testing.ts';

type Hook = NonNullable<DemoServerOptions['fault']>;

const bodies: string[] = [];
const kindly: Hook = () => null;
let hook: Hook = kindly;

const bench = await openBench({
  fault(request, body) {
    bodies.push(body);
    return hook(request, body);
  },
});
const { standin } = bench;

beforeEach(() => {
  hook = kindly;
});

/** The sample experiment; `change` changes its file, as it was first written. */
const project = (name: string) => {
  const made = bench.project(name);
  return { ...made, change: (...each: Replacement[]) => writeFileSync(made.file, changed(sampleExperiment, ...each)) };
};

const reportOf = ({ output }: Ended) => runReportSchema.parse(JSON.parse(output));

test('more cases, replicates and arms leave finished trials as they are; every other change is refused by name', async () => {
  const { run, lines, store, change, file } = project('growth');
  expect((await run()).code).toBe(0);
  const first = new Map((await lines()).map((line) => [line.trial, line]));
  change(
    ['"n": 3', '"n": 4'],
    ['"replicates": 1', '"replicates": 2'],
    ['    }\n  ]', '    },\n    { "name": "second", "protocol": "standard", "cast": { "*": { "model": "qwen2.5:7b" } } }\n  ]'],
  );
  const planned = await run('--plan');
  expect(planned.code, planned.errors).toBe(0);
  expect(planReportSchema.parse(JSON.parse(planned.output))).toMatchObject({
    cases: 4,
    replicates: 2,
    trials: 16,
    done: 3,
    missing_models: [],
  });
  const before = standin.requests().length;
  const grown = await run('--concurrency', '4');
  expect(grown.code, grown.errors).toBe(0);
  expect(reportOf(grown)).toMatchObject({ planned: 16, done: 16, finished_now: 13 });
  expect(standin.requests().length - before).toBe(13);
  const all = await lines();
  expect(all).toHaveLength(16);
  expect(all.filter(({ trial }) => first.has(trial))).toEqual([...first.values()]);
  const { output } = await bench.assize(['stats', 'rain', '--store', store, '--resamples', '0']);
  expect(output).toMatch(/Replicates were raised from 1 to 2 on \S+ \S+ UTC, when 3 trials had begun and results could be known/);

  const text = readFileSync(file, 'utf8');
  const refused: readonly (readonly [change: Replacement, message: RegExp])[] = [
    [['"version": 1,', '"version": 1, "seed": 7,'], /another seed: 42 there, 7 here/],
    [['Will it rain?', 'Will it snow?'], /another dataset\.question: "Will it rain\?" there, "Will it snow\?" here/],
    [['"retries": 1', '"retries": 0'], /another runtime\.retries: 1 there, 0 here/],
    [['"style": "system1"', '"style": "cot"'], /another arms\.plain\.params\.style: "system1" there, "cot" here/],
    [['llama3.1:8b', 'llama3.2:3b'], /another arms\.plain\.cast\.\*\.model: "llama3.1:8b" there/],
    [['"name": "plain"', '"name": "bare"'], /on the record with an arm "plain" that is not in this file/],
    [['"groups": ["sex"]', `"groups": ["sex"], ${inPrompts}`], /another dataset\.namesInPrompts: nothing there, true here/],
    [['"n": 4', '"n": 3'], /a sample of 4 cases; it can grow and not shrink/],
    [['"replicates": 2', '"replicates": 1'], /2 replicates; there can be more and not fewer/],
  ];
  const content = snapshot(bench.path('growth'))['store.db'];
  for (const [replacement, message] of refused) {
    writeFileSync(file, changed(text, replacement));
    const ended = await run();
    expect(ended.code, ended.errors).toBe(2);
    expect(errorOf(ended)).toMatchObject({ file, line: expect.any(Number), field: expect.any(String) });
    expect(ended.errors).toMatch(message);
  }
  writeFileSync(file, text);
  writeFileSync(join(bench.path('growth'), 'data.csv'), `${sampleData()}c99,20,male,True\n`);
  const moved = await run();
  expect(moved.code).toBe(2);
  expect(errorOf(moved)).toMatchObject({
    field: 'dataset.path',
    message: expect.stringMatching(/^the data file has changed since/),
  });
  expect(snapshot(bench.path('growth'))['store.db']).toBe(content);
  expect(standin.requests().length - before).toBe(13);
  expect(eventCount(store)).toBeGreaterThan(0);
});

test('without its data file an experiment is extended from the record, as it would be with it', async () => {
  const [kept, gone] = ['kept', 'gone'].map(project) as [ReturnType<typeof project>, ReturnType<typeof project>];
  for (const { run } of [kept, gone]) expect((await run()).code).toBe(0);
  rmSync(join(gone.room, 'data.csv'));
  const growth: Replacement = ['"n": 3', '"n": 5'];
  for (const { change } of [kept, gone]) change(growth);
  const planned = planReportSchema.parse(JSON.parse((await gone.run('--plan')).output));
  expect(planned).toMatchObject({ cases: 5, done: 3 });
  expect(planned.notes).toContainEqual(
    expect.stringContaining('the data file is not there: all cases are taken from the record'),
  );
  const grown = await gone.run();
  expect(grown.errors).toContain('all cases are taken from the record');
  expect(reportOf(grown)).toMatchObject({ planned: 5, finished_now: 2, complete: true });
  expect((await kept.run()).code).toBe(0);
  const answers = async ({ lines }: typeof kept) =>
    (await lines()).map(({ trial, case: id, truth, prediction }) => [trial, id, truth, prediction]);
  expect(await answers(gone)).toEqual(await answers(kept));
  const log = await bench.assize(['show', 'rain', '--store', gone.store]);
  expect(log.output).toContain('2 trials to run, cases from the record, because the data file was not there, ');
  for (const [change, message] of [
    [['"n": 5', '"n": 5000'], /5000 cases are asked for/],
    [['"retries": 1', '"retries": 0'], /another runtime\.retries/],
    [['data.csv', 'other.csv'], /"other\.csv" is not there, and the record has the cases of this experiment from "data\.csv"/],
    [['"name": "rain"', '"name": "snow"'], /data\.csv: there is no such file/],
  ] satisfies [Replacement, RegExp][]) {
    gone.change(growth, change);
    const refused = await gone.run();
    expect([refused.code, refused.errors]).toEqual([2, expect.stringMatching(message)]);
  }
});

const names = '"names": { "age": "Age at arrest", "sex": "Gender" }, "units": { "age": "years" }';
const inPrompts = `${names}, "namesInPrompts": true`;

test('names of columns can be given later without a change to trials, and models read them where the file says so', async () => {
  const { run, change, file, lines, store } = project('names');
  expect((await run()).code).toBe(0);
  const before = await lines();
  const events = eventCount(store);
  change(['"groups"', `${names}, "groups"`]);
  expect(reportOf(await run())).toMatchObject({ done: 3, finished_now: 0, complete: true });
  expect(await lines()).toEqual(before);
  expect(eventCount(store)).toBe(events);
  expect(bodies.filter((body) => body.includes('Age at arrest'))).toEqual([]);
  writeFileSync(file, changed(readFileSync(file, 'utf8'), [names, inPrompts], ['"rain"', '"rain in words"']));
  expect(reportOf(await run())).toMatchObject({ finished_now: 3, decided: 3 });
  expect(bodies.filter((body) => /Age at arrest \(years\) is \d+; Gender is/.test(body))).toHaveLength(3);
  const stats = await bench.assize(['stats', 'rain in words', '--store', store, '--resamples', '0']);
  expect(stats.output).toMatch(/plain +Gender (fe)?male/);
});

test('a failed trial is a separate outcome, stays in every count, and can be tried again', async () => {
  const { run, lines, store } = project('failing');
  const unlucky = standin.requests().length + 1;
  // The second trial, and the one further attempt that it gets.
  hook = ({ id }) => (id === unlucky || id === unlucky + 1 ? { kind: 'garbage' } : null);
  const ended = await run();
  expect(ended.code, ended.errors).toBe(3);
  const report = reportOf(ended);
  expect(report).toMatchObject({ planned: 3, done: 3, decided: 2, complete: true });
  const [failure = ''] = Object.keys(report.outcomes).filter((outcome) => outcome !== 'decided');
  expect(report.outcomes).toEqual({ decided: 2, [failure]: 1 });
  const stats = statsReportSchema.parse(JSON.parse((await bench.assize(`stats rain --store ${store} --json`)).output));
  expect(stats.arms).toMatchObject([
    { planned: 3, n: 3, decided: 2, failures: { [failure]: 1 }, accuracy_all: { n: 3 }, accuracy_decided: { n: 2 } },
  ]);
  const failed = (await lines()).filter(({ outcome }) => outcome !== 'decided');
  expect(failed).toMatchObject([{ outcome: failure, status: 'done', attempt: 1, prediction: null, correct: null }]);

  hook = kindly;
  const before = standin.requests().length;
  const same = await run();
  expect(same.code).toBe(3);
  const other = await run('--retry', failure === 'timeout' ? 'overflow' : 'timeout');
  expect(other.code).toBe(3);
  expect(standin.requests().length).toBe(before);
  const retried = await run('--retry', `timeout,${failure}`);
  expect(retried.code, retried.errors).toBe(0);
  expect(reportOf(retried)).toMatchObject({ done: 3, decided: 3, finished_now: 1, outcomes: { decided: 3 } });
  expect((await lines()).filter(({ trial }) => trial === failed[0]?.trial)).toMatchObject([{ attempt: 2, outcome: 'decided' }]);
  const events = await bench.assize(`export rain --store ${store} --format events-jsonl --trial ${failed[0]?.trial} --out -`);
  expect(events.output.match(/"kind":"trial-close"/g)).toHaveLength(2);
  const checks = await Promise.all([bench.assize(['verify', store]), bench.assize(['replay', store])]);
  expect(checks.map(({ code }) => code)).toEqual([0, 0]);
});

test('during a run: no second writer, any reader; an interrupt ends it in order, and the next run completes it', async () => {
  const { run, lines, store, words } = project('interrupt');
  const stall = standin.requests().length + 1;
  hook = ({ id }) => (id >= stall ? { kind: 'hang' } : null);
  const running = bench.start(words);
  await until(() => standin.requests().length > stall);
  const [second, stats] = await Promise.all([run(), bench.assize(['stats', 'rain', '--store', store, '--json'])]);
  expect(second.code, second.errors).toBe(5);
  expect(errorOf(second)).toMatchObject({ code: 'store-in-use', file: store });
  expect(stats.code, stats.errors).toBe(0);
  expect(statsReportSchema.parse(JSON.parse(stats.output)).arms).toMatchObject([{ planned: 3, n: 1 }]);
  running.kill('SIGINT');
  const interrupted = await running.ended;
  expect(interrupted.code, interrupted.errors).toBe(130);
  expect(errorOf(interrupted)).toMatchObject({ code: 'interrupted' });
  expect(interrupted.errors).toContain(
    `; 1 of 3 trials is done and nothing is lost. The same command continues: assize ${words.join(' ')}\n`,
  );
  hook = kindly;
  const before = standin.requests().length;
  const [kept] = (await lines()).filter(({ status }) => status === 'done');
  const completed = await run();
  expect(completed.errors).toContain('Continues: 1 of 3 trials is done, 1 is begun and continues');
  expect(completed.code, completed.errors).toBe(0);
  expect(reportOf(completed)).toMatchObject({ done: 3, finished_now: 2, complete: true });
  expect(standin.requests().length - before).toBe(2);
  expect((await lines()).find(({ trial }) => trial === kept?.trial)).toEqual(kept);
  expect((await bench.assize(['verify', store])).code).toBe(0);
});

test('the statistics of a counterbalanced arm have its flip rates', async () => {
  const counterbalanced = changed(
    sampleExperiment,
    ['"name": "plain"', '"name": "court", "counterbalance": ["sides", "order"]'],
    ['"standard"', '"agentic-sim"'],
    ['"style": "system1"', '"turns": 1'],
  );
  const { run, store } = bench.project('court', counterbalanced);
  expect((await run()).code).toBe(0);
  const { output: stats } = await bench.assize(`stats rain --store ${store} --no-cache --resamples 100`);
  expect(stats).toContain('Counterbalancing, over pairs of the same case, replicate and seed');
  expect(stats).toMatch(/^court +sides +3\/3 .*prosecution /m);
  expect(stats).toMatch(/^court +order +3\/3 .*last speaker /m);
});
