import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { loadFrozen } from '../main/engine/lab/frozen.ts';
import { openStore } from '../main/engine/store/store.ts';
import { reading } from '../main/engine/testing/reading.ts';
import { runLogReportSchema, runReportSchema, tryReportSchema } from '../shared/commandOutputs.ts';
import { replayReportSchema } from '../shared/outputs.ts';
import { errorOf, openBench } from './testing.ts';

/** Nothing listens here. */
const nowhere = 'http://127.0.0.1:9';

const bench = await openBench();
const { standin } = bench;
const { file, store } = await bench.finishedRun();

test('a finished experiment whose labels come from the data needs no server to say that it is finished', async () => {
  const plain = file.replace('.json', '-plain.json');
  const { dataset, ...rest }: { dataset: Record<string, unknown> } = JSON.parse(readFileSync(file, 'utf8'));
  const { labels: _labels, positive: _positive, ...unlabelled } = dataset;
  writeFileSync(plain, JSON.stringify({ ...rest, name: 'plain', dataset: unlabelled }));
  const first = await bench.assize(['run', plain, '--store', store, '--ollama', standin.url]);
  expect(first.code, first.errors).toBe(0);
  const again = await bench.assize(['run', plain, '--store', store, '--ollama', nowhere, '--json']);
  expect(again.code, again.errors).toBe(0);
  expect(runReportSchema.parse(JSON.parse(again.output))).toMatchObject({ finished_now: 0, complete: true });
});

test('what the record forbids is reported before any server is asked', async () => {
  const changed = bench.path('changed.json');
  writeFileSync(changed, readFileSync(file, 'utf8').replace('"version": 1,', '"version": 1, "seed": 4711,'));
  const ended = await bench.assize(['run', changed, '--store', store, '--ollama', nowhere, '--json']);
  expect(ended.code, ended.errors).toBe(2);
  expect(ended.errors).toMatch(/another seed: \d+ there, 4711 here/);
});

test('a limit of time may be raised, for it alters no finished trial', async () => {
  const raised = file.replace('.json', '-raised.json');
  const experiment: { runtime?: object } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(raised, JSON.stringify({ ...experiment, runtime: { ...experiment.runtime, timeoutSeconds: 1234 } }));
  const ended = await bench.assize(['run', raised, '--store', store, '--ollama', standin.url, '--json']);
  expect(ended.code, ended.errors).toBe(0);
  expect(runReportSchema.parse(JSON.parse(ended.output))).toMatchObject({ finished_now: 0, complete: true });
});

/** Tries a file of facts. */
const tryWords = (protocol: string, facts: string) => [
  ...`try --protocol ${protocol} --model m --facts ${facts} --labels NO,YES`.split(' '),
  ...['--question', 'Will it flood?', '--store', store, '--ollama', standin.url, '--json'],
];

test('show prints the transcript of a trial, with private plans and notes, and refuses a trial that is not there', async () => {
  const facts = bench.path('facts.txt');
  writeFileSync(facts, 'It has rained for three days, and the river reaches the bridge.');
  const tried = await bench.assize(tryWords('agentic-sim', facts));
  expect(tried.code, tried.errors).toBe(0);
  const { experiment, trial } = tryReportSchema.parse(JSON.parse(tried.output));
  const shown = await bench.assize(['show', experiment, '--trial', trial, '--store', store]);
  expect(shown.code, shown.errors).toBe(0);
  expect(shown.output).toMatch(
    /DEMO MODEL[\s\S]*: Will it flood\?[\s\S]*Prosecution, opening, for YES\n[\s\S]*\| own strengths: [\s\S]*Defense[\s\S]*RULING of the judge/,
  );
  expect((await bench.assize(['show', trial, '--store', store])).output).toBe(shown.output);
  expect((await bench.assize(['show', '--trial', trial, '--store', store])).output).toBe(shown.output);
  expect((await bench.assize(['show', '--trial', '0000000000000000', '--store', store])).code).toBe(2);
  const json = await bench.assize(['show', experiment, '--trial', trial, '--store', store, '--json']);
  expect(tryReportSchema.parse(JSON.parse(json.output))).toMatchObject({ trial, outcome: 'decided' });
  const absent = await bench.assize(['show', 'rain', '--trial', '0000000000000000', '--store', store, '--json']);
  expect(absent.code).toBe(2);
  expect(errorOf(absent)).toMatchObject({ code: 'not-found', field: '--trial' });
});

test('show without a trial prints the log of the runs; a copy has none, and says so', async () => {
  const show = (path: string, ...more: string[]) => bench.assize(['show', 'rain', '--store', path, ...more]);
  const shown = await show(store);
  expect(shown.output).toMatch(
    /^History of the runs of rain.*\n\S+Z {2}The run began: \d+ trials to run, [^\n]*\n[\s\S]*Z {2}The run ended: (\d+) of \1 trials done\nnow {2}\1 of \1 trials done; no run is under way\n$/,
  );
  const { log, now } = runLogReportSchema.parse(JSON.parse((await show(store, '--json')).output));
  expect(now).toMatchObject({ state: 'ended', done: now?.planned });
  expect(log.map(({ event }) => event)).toEqual(expect.arrayContaining(['run-start', 'run-end']));
  const copy = bench.path('adopted.db');
  expect((await bench.assize(['adopt', store, '--into', copy])).code).toBe(0);
  const copied = await show(copy);
  expect([copied.code, copied.output]).toEqual([0, expect.stringContaining('No run of rain is in the log of this record.\n')]);
  expect(copied.output).toContain('With --trial ID, show prints the transcript of a trial');
  expect(errorOf(await bench.assize(['show', 'snow', '--store', store, '--json']))).toMatchObject({ code: 'not-found' });
});

test('show says how far a run without an end is, and whether it runs, is paused or was interrupted', async () => {
  const copy = bench.path('open.db');
  writeFileSync(copy, readFileSync(store));
  const change = (sql: string) => new Database(copy).exec(sql).close();
  const shown = async () => (await bench.assize(['show', 'rain', '--store', copy])).output;
  change(`DELETE FROM run_log WHERE event = 'run-end'`);
  expect(await shown()).toMatch(/\nnow {2}(\d+) of \1 trials done; interrupted\n$/);
  const writer = openStore(copy, { create: false });
  expect(await shown()).toMatch(/ trials done; another program is running this\n$/);
  writer.close();
  change(`INSERT INTO run_log (at, experiment, event, detail) VALUES ('2026-01-01T00:00:00.000Z', 'rain', 'run-hold', '{}')`);
  expect(await shown()).toMatch(/ trials done; paused\n$/);
  expect(JSON.parse((await bench.assize(['show', 'rain', '--store', copy, '--json'])).output)).toMatchObject({
    now: { state: 'paused' },
  });
  change(`UPDATE trials SET status = 'running' WHERE trial = (SELECT min(trial) FROM trials WHERE experiment = 'rain')`);
  const plan = await bench.assize(['run', file, '--store', copy, '--plan', '--ollama', standin.url]);
  expect(plan.output).toContain('are for the 1 that are left: 1 begun, 0 not begun.');
});

test('replay compares the table of results with what it derives', async () => {
  const copy = bench.path('edited.db');
  writeFileSync(copy, readFileSync(store));
  const db = new Database(copy);
  db.exec(
    `UPDATE trials SET prediction = CASE prediction WHEN '"NO"' THEN '"YES"' ELSE '"NO"' END WHERE trial = (SELECT min(trial) FROM trials)`,
  );
  db.close();
  const ended = await bench.assize(['replay', copy, '--json']);
  expect(ended.code, ended.errors).toBe(1);
  expect(replayReportSchema.parse(JSON.parse(ended.output))).toMatchObject({ different: 1, older_readings: [] });
});

test('try takes a context, records it, and refuses an invalid one', async () => {
  const facts = bench.path('context.txt');
  writeFileSync(facts, 'The river reaches the bridge.');
  const given = [...tryWords('standard', facts), '--num-ctx'];
  const tried = await bench.assize([...given, '16384']);
  expect(tried.code, tried.errors).toBe(0);
  const { experiment } = tryReportSchema.parse(JSON.parse(tried.output));
  expect(reading(store, (opened) => loadFrozen(opened, experiment)).definition.runtime.numCtx).toBe(16_384);
  const refused = await bench.assize([...given, '12']);
  expect(refused.code).toBe(2);
  expect(errorOf(refused)).toMatchObject({ code: 'bad-input', field: '--num-ctx' });
});
