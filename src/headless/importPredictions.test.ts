import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pythonMissing, startPythonVerifier } from '../main/engine/audit/testing/pythonVerifier.ts';
import { type Standin, startStandin } from '../main/engine/models/standin/standin.ts';
import { openStore } from '../main/engine/store/store.ts';
import { importReportSchema } from '../shared/imported.ts';
import { replayReportSchema, runReportSchema, verifyReportSchema } from '../shared/outputs.ts';
import type { TrialLine } from '../shared/trialLine.ts';
import {
  changed,
  type Ended,
  errorOf,
  eventCount,
  labelColumn,
  openWorkbench,
  parseTrialLines,
  sampleExperiment,
  snapshot,
  type Workbench,
  writeExperiment,
} from './testing.ts';

const published = resolve(import.meta.dirname, '../../resources/predictions/nlsy97/predictions.csv');

let bench: Workbench;
let standin: Standin;
const python = pythonMissing() === null ? startPythonVerifier() : null;

beforeAll(async () => {
  bench = openWorkbench();
  standin = await startStandin({ port: 0 });
});
afterAll(async () => {
  python?.close();
  await standin.close();
  bench.remove();
});

const reportOf = ({ code, output, errors }: Ended) => {
  if (code !== 0) throw new Error(`the import ended with ${code}: ${errors}`);
  return importReportSchema.parse(JSON.parse(output));
};

/** A folder with the sample experiment, all of whose cases are on trial, and with a file of predictions. */
function project(
  name: string,
  predictions: string,
  experiment = changed(sampleExperiment, ['"from": "test", "n": 3', '"from": "all"']),
) {
  const room = bench.room(name);
  const file = writeExperiment(room, experiment);
  const store = join(room, 'store.db');
  const source = join(room, 'predictions.csv');
  writeFileSync(source, predictions);
  const usual = ['--experiment', 'rain', '--arm', 'other', '--case', 'id', '--prediction', 'said'];
  return {
    file,
    store,
    source,
    room,
    run: (...more: string[]) => bench.assize(['run', file, '--store', store, '--ollama', standin.url, '--json', ...more]),
    take: (...more: string[]) => bench.assize(['import-predictions', source, '--store', store, '--json', ...usual, ...more]),
    async lines(): Promise<TrialLine[]> {
      const { output } = await bench.assize(['export', 'rain', '--store', store, '--format', 'trials-jsonl', '--out', '-']);
      return parseTrialLines(output);
    },
  };
}

/** Predictions for the sixteen cases of the sample data: positive for every fourth. */
const forAll = `id,said\n${Array.from({ length: 16 }, (_, index) => `c${String(index + 1).padStart(2, '0')},${index % 4 === 0 ? 'YES' : 'NO'}`).join('\n')}\n`;

async function intact(store: string, trials: number): Promise<void> {
  const verified = await bench.assize(['verify', store, '--json']);
  expect(verifyReportSchema.parse(JSON.parse(verified.output))).toMatchObject({ result: 'intact', trials, first_bad: null });
  const replayed = await bench.assize(['replay', store, '--json']);
  expect(replayReportSchema.parse(JSON.parse(replayed.output))).toMatchObject({
    identical: trials,
    different: 0,
    not_replayable: 0,
  });
  if (python !== null) expect(await python.verify(store)).toMatchObject({ result: 'intact' });
}

test('the published predictions of three models give the published counts, and nothing that they said is lost', async () => {
  const store = join(bench.room('published'), 'store.db');
  const words = ['import-predictions', published, '--store', store, '--experiment', 'published', '--arm', 'api', '--json']
    .concat(['--case', 'case_id', '--prediction', 'prediction', '--confidence', 'confidence', '--confidence-scale', '100'])
    .concat([
      '--repeat',
      'repeat_id',
      '--system',
      'model_name',
      '--truth',
      'ground_truth',
      '--map',
      'True=YES',
      '--map',
      'False=NO',
    ]);
  const report = reportOf(await bench.assize(words));
  expect(report).toMatchObject({
    created: true,
    rows: 1690,
    trials: 1690,
    imported_now: 1690,
    decided: 1465,
    undecided: { 'NO DECISION': 150, UNKNOWN: 75 },
    undecided_trials: 225,
    labels: ['NO', 'YES'],
    positive: 'YES',
    repeats: ['1', '2', '3'],
    cases: { on_trial: 200, predicted: 200 },
    not_on_trial: 0,
  });
  const { output } = await bench.assize(['export', 'published', '--store', store, '--format', 'trials-jsonl', '--out', '-']);
  const lines = parseTrialLines(output);
  expect(lines).toHaveLength(1690);
  const figures = (arm: string) => {
    const mine = lines.filter((line) => line.arm === arm);
    const count = (truth: string | null, prediction: string) =>
      mine.filter((line) => line.prediction === prediction && (truth === null || line.truth === truth)).length;
    const [truePositives, falsePositives] = [count('YES', 'YES'), count('NO', 'YES')];
    const falseNegatives = count('YES', 'NO');
    const decided = mine.filter(({ outcome }) => outcome === 'decided').length;
    const f1 = (2 * truePositives) / (2 * truePositives + falsePositives + falseNegatives);
    const accuracy = (truePositives + count('NO', 'NO')) / decided;
    return [mine.length, decided, accuracy.toFixed(3), f1.toFixed(3)];
  };
  // The counts, accuracies and F1 of the decided answers in the results of the paper's authors.
  expect(figures('api/gemini/gemini-2.5-flash')).toEqual([490, 265, '0.468', '0.438']);
  expect(figures('api/gpt-4.1-mini')).toEqual([600, 600, '0.490', '0.480']);
  expect(figures('api/gpt-4o-mini')).toEqual([600, 600, '0.557', '0.370']);
  expect(lines.find(({ arm, case: id }) => arm === 'api/gpt-4o-mini' && id === '9')).toMatchObject({
    protocol: 'imported',
    protocol_version: 1,
    models: ['gpt-4o-mini'],
    backends: [],
    calls: 0,
    replicate: 0,
    prediction: 'YES',
    confidence: 0.75,
    truth: 'NO',
    belief: null,
    standin: false,
  });
  await intact(store, 1690);

  const events = eventCount(store);
  const again = reportOf(await bench.assize(words));
  expect(again).toEqual({
    ...report,
    created: false,
    imported_now: 0,
    arms: report.arms.map((arm) => ({ ...arm, imported_now: 0 })),
  });
  expect(eventCount(store)).toBe(events);
});

test('a file beside trials: the arm stands on the same cases, and the run goes on without it', async () => {
  const { run, take, lines, store, file } = project('beside', forAll);
  expect(runReportSchema.parse(JSON.parse((await run('--max-trials', '2')).output))).toMatchObject({ planned: 16, done: 2 });
  expect(reportOf(await take())).toMatchObject({
    created: false,
    trials: 16,
    decided: 16,
    undecided: {},
    arms: [{ arm: 'other', system: 'other', cases: 16, replicates: 1, trials: 16 }],
  });
  expect((await bench.assize(['run', file, '--plan', '--store', store, '--ollama', standin.url, '--json'])).output).toContain(
    '"done": 2',
  );
  const finished = await run('--retry', 'undecided');
  expect(finished.code).toBe(0);
  expect(runReportSchema.parse(JSON.parse(finished.output))).toMatchObject({ planned: 16, done: 16, complete: true });
  const all = await lines();
  expect(Object.fromEntries([...Map.groupBy(all, ({ arm }) => arm)].map(([arm, mine]) => [arm, mine.length]))).toEqual({
    plain: 16,
    other: 16,
  });
  // Truth is positive for the 1st, 4th, 7th… case, the prediction for the 1st, 5th, 9th…: both for 1 and 13.
  const other = all.filter(({ arm }) => arm === 'other');
  expect(
    other
      .filter(({ truth, prediction }) => truth === 'YES' && prediction === 'YES')
      .map((line) => line.case)
      .toSorted(),
  ).toEqual(['c01', 'c13']);
  expect(new Set(other.map(({ seed, case: id }) => `${id} ${seed}`))).toEqual(
    new Set(all.filter(({ arm }) => arm === 'plain').map(({ seed, case: id }) => `${id} ${seed}`)),
  );
  await intact(store, 32);

  // The experiment grows by its own file, and the imported arm stays.
  writeFileSync(file, changed(readFileSync(file, 'utf8'), ['"replicates": 1', '"replicates": 2']));
  expect(runReportSchema.parse(JSON.parse((await run()).output))).toMatchObject({ planned: 32, done: 32, complete: true });
  expect((await lines()).filter(({ arm }) => arm === 'other')).toHaveLength(16);
  await intact(store, 48);
  writeFileSync(file, changed(readFileSync(file, 'utf8'), ['"name": "plain"', '"name": "other"']));
  const clash = await run();
  expect(clash.code).toBe(2);
  expect(errorOf(clash)).toMatchObject({ field: 'arms[0].name', message: expect.stringContaining('imported predictions') });
});

test('an imported undecided prediction is no reason for a run to say that trials failed', async () => {
  const { run, take } = project('undecided', 'id,said\nc01,YES\nc02,maybe\n');
  await run('--max-trials', '0');
  expect(reportOf(await take())).toMatchObject({ decided: 1, undecided: { maybe: 1 }, cases: { on_trial: 16, predicted: 2 } });
  const { code, output } = await run('--retry', 'undecided');
  expect(code).toBe(0);
  expect(runReportSchema.parse(JSON.parse(output))).toMatchObject({ done: 16, decided: 16, outcomes: { decided: 16 } });
});

test('rows of cases that are not on trial are checked, counted and left for the day when the sample has grown', async () => {
  const { run, take, file, store } = project('sample', forAll, sampleExperiment);
  await run('--max-trials', '0');
  expect(reportOf(await take())).toMatchObject({ rows: 16, trials: 3, imported_now: 3, not_on_trial: 13 });
  writeFileSync(file, changed(readFileSync(file, 'utf8'), ['"n": 3', '"n": 5']));
  await run('--max-trials', '0');
  expect(reportOf(await take())).toMatchObject({ trials: 5, imported_now: 2, not_on_trial: 11 });
  await intact(store, 5);
});

/** Twelve people of two groups with a score from 1 to 10: `id, group, score, again`. */
const scores = [
  ['s1', 'A', 9, 0],
  ['s2', 'A', 5, 0],
  ['s3', 'A', 7, 0],
  ['s4', 'A', 4, 0],
  ['s5', 'A', 10, 1],
  ['s6', 'A', 2, 1],
  ['s7', 'B', 5, 0],
  ['s8', 'B', 1, 0],
  ['s9', 'B', 4, 0],
  ['s10', 'B', 3, 0],
  ['s11', 'B', 8, 1],
  ['s12', 'B', 1, 1],
] as const;

test('scores become labels by a comparison, and the rates of the groups are those counted by hand', async () => {
  const data = `id,group,score,again\n${scores.map((row) => row.join(',')).join('\n')}\n`;
  const experiment = changed(
    sampleExperiment,
    [`"${labelColumn}", "map": { "True": "YES", "False": "NO" }`, '"again", "map": { "1": "YES", "0": "NO" }'],
    ['"groups": ["sex"]', '"groups": ["group"], "exclude": ["score"]'],
    ['"test": 0.5, "train": 0.25, "validation": 0.25', '"test": 1'],
    [', "n": 3', ''],
  );
  const { room, take, run, lines, store } = project('scores', data, experiment);
  writeFileSync(join(room, 'data.csv'), data);
  await run('--max-trials', '0');
  const imported = await take('--prediction', 'score', '--positive-if', '>=5', '--truth', 'again');
  expect(reportOf(imported)).toMatchObject({ decided: 12, positive: 'YES' });
  const all = (await lines()).filter(({ arm }) => arm === 'other');
  const rate = (group: string) => {
    const negatives = all.filter((line) => line.groups.group === group && line.truth === 'NO');
    return [negatives.filter(({ prediction }) => prediction === 'YES').length, negatives.length];
  };
  // Of A, 9, 5 and 7 of the four who did not (9, 5, 7, 4) are at 5 or above; of B, 5 alone of 5, 1, 4 and 3.
  expect(rate('A')).toEqual([3, 4]);
  expect(rate('B')).toEqual([1, 4]);
  await intact(store, 12);
});

test('show, report and events tell of an imported prediction what the file said', async () => {
  const { take, run, lines, store, room } = project(
    'told',
    'id,said,sure,system\nc01,rain,70,"<b>Barometer</b>"\nc02,-,,"<b>Barometer</b>"\n',
  );
  await run('--max-trials', '0');
  const imported = await take('--system', 'system', '--map', 'rain=YES', '--confidence', 'sure', '--confidence-scale', '100');
  expect(reportOf(imported).arms[0]).toMatchObject({ arm: 'other/<b>Barometer</b>', system: '<b>Barometer</b>' });
  const [first, second] = (await lines())
    .filter(({ protocol }) => protocol === 'imported')
    .toSorted((a, b) => (a.case < b.case ? -1 : 1));
  expect(first).toMatchObject({ case: 'c01', prediction: 'YES', confidence: 0.7, models: ['<b>Barometer</b>'] });
  expect(second).toMatchObject({ case: 'c02', outcome: 'undecided', prediction: null, confidence: null, correct: null });
  const shown = await bench.assize(['show', 'rain', '--trial', first?.trial ?? '', '--store', store]);
  expect(shown.output).toContain('Imported from predictions.csv, line 2, column said: "rain"');
  const report = async (trial = '') => {
    const out = join(room, `${trial}.html`);
    await bench.assize(['export', 'rain', '--store', store, '--format', 'html', '--trial', trial, '--out', out]);
    return readFileSync(out, 'utf8');
  };
  const page = await report(first?.trial);
  expect(page).toContain('predictions.csv');
  expect(page).toContain('&lt;b&gt;Barometer&lt;/b&gt;');
  expect(page).not.toContain('<b>Barometer</b>');
  expect(page).not.toContain('a language model');
  expect(await report(second?.trial)).toContain('none of the labels of this experiment');
  await intact(store, 2);
});

test('what the file gets wrong is told with line and column, and nothing is written', async () => {
  const { run, take, source, room } = project('wrong', forAll);
  await run('--max-trials', '0');
  const before = snapshot(room);
  const refused = async (text: string, words: readonly string[], expected: object) => {
    writeFileSync(source, text);
    const ended = await take(...words);
    expect(ended.code, ended.errors).toBe(2);
    expect(errorOf(ended)).toMatchObject(expected);
  };
  const message = (pattern: RegExp) => expect.stringMatching(pattern);
  await refused('id,said\nc01,YES\nzz,NO\n', [], { line: 3, field: 'id', message: message(/"zz" is not in the data set/) });
  await refused('id,said\nc01,YES\n\nc01,NO\n', [], { line: 4, field: 'id', message: message(/line 2 and in line 4/) });
  await refused('id,sayd\nc01,YES\n', [], { line: 1, field: 'said', message: message(/did you mean "sayd"/) });
  await refused('id,said\n', [], { message: message(/no rows/) });
  await refused('id,said\n,YES\n', [], { line: 2, field: 'id', message: message(/empty/) });
  const sure = ['--confidence', 'sure'];
  await refused('id,said,sure\nc01,YES,0.5\nc02,NO,85\n', sure, { line: 3, field: 'sure', message: message(/percentages/) });
  await refused('id,said,sure\nc01,YES,high\n', sure, { line: 2, field: 'sure' });
  await refused('id,said,sure\nc01,YES,101\n', [...sure, '--confidence-scale', '100'], { line: 2, field: 'sure' });
  const truth = ['--truth', 'was'];
  await refused('id,said,was\nc01,YES,True\nc02,NO,True\n', truth, {
    line: 3,
    field: 'was',
    message: message(/"YES" here and "NO" in the data set/),
  });
  await refused('id,said,was\nc01,YES,wet\n', truth, { line: 2, field: 'was', message: message(/none of the labels/) });
  await refused(forAll, ['--arm', 'plain'], { field: 'arm', message: message(/was run here/) });
  await refused(forAll, ['--arm', ''], { field: 'arm' });
  await refused(forAll, ['--experiment', 'snow'], {
    code: 'not-found',
    message: message(/there is no experiment "snow".*"rain".*truths/),
  });
  await refused(forAll, ['--map', 'YES'], { field: '--map' });
  await refused(forAll, ['--map', 'a=YES', '--map', 'a=NO'], { field: '--map' });
  await refused(forAll, ['--positive-if', 'five'], { field: '--positive-if' });
  await refused(forAll, ['--confidence-scale', '10'], { field: '--confidence-scale' });
  await refused('id,said,who\nc01,YES,\n', ['--system', 'who'], { line: 2, field: 'who' });
  writeFileSync(source, forAll);
  expect(snapshot(room)).toEqual(before);
});

test('a trial that is on the record keeps its prediction', async () => {
  const { run, take, source, store } = project('twice', 'id,said\nc01,YES\nc02,maybe\n');
  await run('--max-trials', '0');
  await take();
  const events = eventCount(store);
  for (const text of ['id,said\nc01,YES\nc02,NO\n', 'id,said\nc01,YES\nc02,perhaps\n']) {
    writeFileSync(source, text);
    const ended = await take();
    expect(ended.code).toBe(2);
    expect(errorOf(ended)).toMatchObject({
      line: 3,
      field: 'said',
      message: expect.stringContaining('on the record with "maybe"'),
    });
  }
  expect(eventCount(store)).toBe(events);
  writeFileSync(source, 'id,said\nc03,NO\nc02,maybe\n');
  expect(reportOf(await take())).toMatchObject({ trials: 2, imported_now: 1 });
});

test('repeats are replicates in the order of their numbers, or of their appearance', async () => {
  const { run, take, lines, source } = project('repeats', 'id,said,n\nc01,YES,10\nc01,NO,9\nc02,NO,9\n');
  await run('--max-trials', '0');
  expect(reportOf(await take('--repeat', 'n')).repeats).toEqual(['9', '10']);
  writeFileSync(source, 'id,said,n\nc01,YES,second\nc01,NO,first\n');
  expect(reportOf(await take('--repeat', 'n', '--arm', 'words')).repeats).toEqual(['second', 'first']);
  const told = (await lines()).flatMap((line) =>
    line.protocol === 'imported' ? [[line.arm, line.case, line.replicate, line.prediction].join(' ')] : [],
  );
  expect(told.toSorted()).toEqual(
    ['other c01 0 NO', 'other c01 1 YES', 'other c02 0 NO', 'words c01 0 YES', 'words c01 1 NO'].toSorted(),
  );
});

test('an experiment of truths needs two labels, one truth for each case, and no store beforehand', async () => {
  const room = bench.room('truths');
  const [source, store] = [join(room, 'p.csv'), join(room, 'store.db')];
  const take = (text: string, ...more: string[]) => {
    writeFileSync(source, text);
    return bench.assize(
      ['import-predictions', source, '--store', store, '--experiment', 'new', '--arm', 'a', '--json'].concat([
        '--case',
        'id',
        '--prediction',
        'said',
        ...more,
      ]),
    );
  };
  expect(errorOf(await take('id,said\n1,a\n'))).toMatchObject({ code: 'not-found' });
  expect(errorOf(await take('id,said,was\n1,a,b\n2,a,b\n', '--truth', 'was'))).toMatchObject({ code: 'bad-input', field: 'was' });
  const torn = await take('id,said,was,n\n1,a,a,1\n2,a,b,1\n1,b,b,2\n', '--truth', 'was', '--repeat', 'n');
  expect(errorOf(torn)).toMatchObject({ line: 4, field: 'was', message: expect.stringMatching(/"b" here and "a" in line 2/) });
  expect(Object.keys(snapshot(room))).toEqual(['p.csv']);
  const three = await take('id,said,was\n1,c,a\n2,a,b\n3,,c\n4,b,\n', '--truth', 'was');
  expect(reportOf(three)).toMatchObject({
    created: true,
    labels: ['a', 'b', 'c'],
    positive: null,
    decided: 3,
    undecided: { '': 1 },
  });
  const compared = await take('id,said,was\n1,3,a\n', '--truth', 'was', '--positive-if', '>=2');
  expect(errorOf(compared)).toMatchObject({ field: 'positive-if' });
  const page = join(room, 'page.html');
  const { output } = await bench.assize(['export', 'new', '--store', store, '--format', 'trials-jsonl', '--out', '-']);
  const [line] = parseTrialLines(output);
  await bench.assize(['export', 'new', '--store', store, '--format', 'html', '--trial', line?.trial ?? '', '--out', page]);
  expect(readFileSync(page, 'utf8')).toContain('No facts were imported.');
  await intact(store, 4);
});

test('a store in use is left alone', async () => {
  const { run, take, store } = project('in-use', forAll);
  await run('--max-trials', '0');
  const writer = openStore(store, { create: false });
  const ended = await take();
  writer.close();
  expect(ended.code).toBe(5);
  expect(errorOf(ended)).toMatchObject({ code: 'store-in-use' });
  expect(reportOf(await take())).toMatchObject({ imported_now: 16 });
});
