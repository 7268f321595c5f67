import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { erasePreview } from '../main/engine/engine.ts';
import { runReportSchema } from '../shared/commandOutputs.ts';
import { verifyReportSchema } from '../shared/outputs.ts';
import { heldWords } from '../shared/proved.ts';
import { forAll, openImportBench, publishedText, reportOf } from './importing.fixture.ts';
import { changed, errorOf, eventCount, sampleExperiment } from './testing.ts';

const imports = await openImportBench();

test('an arm that is imported after a primary comparison is exploratory, with the reason', { tags: 'exhaustive' }, async () => {
  const decided = changed(
    sampleExperiment,
    ['"from": "test", "n": 3', '"from": "all"'],
    ['"replicates": 1,', '"replicates": 1, "primary": { "compare": ["plain", "baseline:majority"] },'],
  );
  const { run, take, store } = imports.withPredictions('decided', forAll, decided);
  await run();
  reportOf(await take());
  const { output } = await imports.assize(['stats', 'rain', '--store', store, '--no-cache']);
  expect(output).toMatch(/\nExploratory: all that follows was not decided beforehand\. other was added after the primary/);
});

test('the published predictions of three models give the published counts, and nothing that they said is lost', {
  tags: 'exhaustive',
}, async () => {
  const store = join(imports.room('published'), 'store.db');
  const words = publishedText(store);
  const report = reportOf(await imports.assize(words));
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
    notes: [],
  });
  // Signed at its end, as a run is: the experiment and each trial have an entry.
  const verified = verifyReportSchema.parse(JSON.parse((await imports.assize(['verify', store, '--json'])).output));
  expect(verified).toMatchObject({ result: 'intact', log: { size: 1691, signed: 1691, checkpoints: 1 } });
  const lines = await imports.lines(store, 'published');
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
  await imports.intact(store, 1690);
  // Cases without facts are not the same case.
  const gone = await erasePreview(store, { kind: 'case', experiment: 'published', case: '9' });
  expect(gone.stays.filter((line) => line.includes('same facts'))).toEqual([]);

  const events = eventCount(store);
  const again = reportOf(await imports.assize(words));
  expect(again).toEqual({
    ...report,
    created: false,
    imported_now: 0,
    arms: report.arms.map((arm) => ({ ...arm, imported_now: 0 })),
  });
  expect(eventCount(store)).toBe(events);
});

test('a file for an experiment with trials: the arm has the same cases, and the run continues without it', async () => {
  const { run, take, lines, store, file } = imports.withPredictions('added', forAll);
  expect(runReportSchema.parse(JSON.parse((await run('--max-trials', '2')).output))).toMatchObject({ planned: 16, done: 2 });
  expect(reportOf(await take())).toMatchObject({
    created: false,
    trials: 16,
    decided: 16,
    undecided: {},
    arms: [{ arm: 'other', system: 'other', cases: 16, replicates: 1, trials: 16 }],
  });
  const part = { experiment: 'rain', held: 2, planned: 16, imported: 16 };
  const checked = verifyReportSchema.parse(JSON.parse((await imports.assize(['verify', store, '--json'])).output));
  expect(checked.held_in_part).toEqual([part]);
  expect(heldWords(checked.held)).toBe('rain: 2 of 16 planned trials have ended, and 16 imported.');
  const whole = ['a', 'b'].map((experiment) => ({ experiment, held: 3, planned: 3 }));
  expect(heldWords(whole)).toBe('All planned trials of 2 experiments have ended.');
  expect(heldWords([part, ...whole])).toBe(
    'rain: 2 of 16 planned trials have ended, and 16 imported. All planned trials of 2 other experiments have ended.',
  );
  expect((await run('--plan')).output).toContain('"done": 2');
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
  await imports.intact(store, 32);

  // The experiment grows by its own file, and the imported arm stays.
  writeFileSync(file, changed(readFileSync(file, 'utf8'), ['"replicates": 1', '"replicates": 2']));
  expect(runReportSchema.parse(JSON.parse((await run()).output))).toMatchObject({ planned: 32, done: 32, complete: true });
  expect((await lines()).filter(({ arm }) => arm === 'other')).toHaveLength(16);
  await imports.intact(store, 48);
  const { output } = await imports.assize(['stats', 'rain', '--store', store, '--resamples', '0']);
  expect(output).toMatch(/Replicates were raised from 1 to 2 on \S+ \S+ UTC, when 16 trials had begun/);
  writeFileSync(file, changed(readFileSync(file, 'utf8'), ['"name": "plain"', '"name": "other"']));
  const clash = await run();
  expect(clash.code).toBe(2);
  expect(errorOf(clash)).toMatchObject({ field: 'arms[0].name', message: expect.stringContaining('imported predictions') });
});

test('an imported undecided prediction is no reason for a run to say that trials failed', async () => {
  const { run, take } = imports.withPredictions('undecided', 'id,said\nc01,YES\nc02,maybe\n');
  await run('--max-trials', '0');
  const report = reportOf(await take());
  expect(report).toMatchObject({ decided: 1, undecided: { maybe: 1 }, cases: { on_trial: 16, predicted: 2 }, hints: [] });
  const { code, output } = await run('--retry', 'undecided');
  expect(code).toBe(0);
  expect(runReportSchema.parse(JSON.parse(output))).toMatchObject({ done: 16, decided: 16, outcomes: { decided: 16 } });
});

test('values that are labels in another spelling are hinted at', async () => {
  const { run, take } = imports.withPredictions('spelling', 'id,said\nc01,yes\nc02,No \nc03,yes\nc04,other\nc05,NO\u200b\n');
  await run('--max-trials', '0');
  const { hints, alike } = reportOf(await take());
  const [hint] = hints;
  expect(alike[0]).toEqual({ value: 'yes', label: 'YES', trials: 2 });
  expect(alike).toContainEqual({ value: 'NO\u200b', label: 'NO', trials: 1 });
  expect(hint).toContain('"yes" (2) like "YES", "No " (1) like "NO"');
  expect(hint).toContain('--map "yes=YES" --map "No =NO"');
  expect(hint).not.toContain('other"');
});

test('a score and a decision that were not read are named, with the option for each', async () => {
  const { run, take } = imports.withPredictions('unused', 'id,said,other_said,pay_score\nc01,YES,no,0.9\nc02,NO,yes,0.2\n');
  await run('--max-trials', '0');
  const { hints } = reportOf(await take('--map', 'yes=YES', '--map', 'no=NO'));
  expect(hints).toEqual([
    'Not used: "other_said", "pay_score".',
    expect.stringContaining('with --probability LABEL="pay_score", where LABEL is "NO" or "YES"'),
  ]);
});

test('systems of one file are called by their own names in statistics and in the report, which says once what the record calls them', async () => {
  const room = imports.room('systems');
  const [file, store] = [join(room, 'said.csv'), join(room, 'store.db')];
  const rows = Array.from({ length: 24 }, (_, row) => [
    row >> 1,
    (row >> 1) % 3 === 0 ? 'A' : 'B',
    'A',
    row % 2 === 0 ? 'ash' : 'elm',
  ]);
  writeFileSync(file, ['id,truth,said,by', ...rows].join('\n'));
  const words = '--json --experiment trees --arm who --case id --truth truth --prediction said --system by';
  reportOf(await imports.assize(['import-predictions', file, '--store', store, ...words.split(' ')]));
  const stats = ['stats', 'trees', '--store', store, '--resamples', '0'];
  const { output } = await imports.assize(stats);
  expect(output).toMatch(/\nash +12\/12/);
  expect(output).not.toContain('who/');
  expect((await imports.assize([...stats, '--json'])).output).toContain('"who/ash"');
  const page = (await imports.assize(['export', 'trees', '--store', store, '--format', 'html', '--out', '-'])).output;
  expect(page.match(/[^>]*<bdi>who\/\w+/g)).toEqual(
    ['ash', 'elm'].map((system) => `In the record and its exports: <bdi>who/${system}`),
  );
  expect(page.split('who/')).toHaveLength(3);
});

test('rows of cases that are not on trial are checked, counted and left for the day when the sample has grown', async () => {
  const { run, take, file, store } = imports.withPredictions('sample', forAll, sampleExperiment);
  await run('--max-trials', '0');
  expect(reportOf(await take())).toMatchObject({ rows: 16, trials: 3, imported_now: 3, not_on_trial: 13 });
  writeFileSync(file, changed(readFileSync(file, 'utf8'), ['"n": 3', '"n": 5']));
  await run('--max-trials', '0');
  expect(reportOf(await take())).toMatchObject({ trials: 5, imported_now: 2, not_on_trial: 11 });
  await imports.intact(store, 5);
});

test('show, report and events show an imported prediction as in the file', async () => {
  const { take, run, lines, store, room } = imports.withPredictions(
    'shown',
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
  const log = await imports.assize(['show', 'rain', '--store', store]);
  expect(log.output).toMatch(/\n20\S+Z {2}[1-9]\d* predictions? of "[^"]+" imported from a file, as arm /);
  const shown = await imports.assize(['show', 'rain', '--trial', first?.trial ?? '', '--store', store]);
  expect(shown.output).toContain('Imported from predictions.csv, line 2, column said: "rain"');
  const report = async (trial = '') => {
    const out = join(room, `${trial}.html`);
    await imports.assize(['export', 'rain', '--store', store, '--format', 'html', '--trial', trial, '--out', out]);
    return readFileSync(out, 'utf8');
  };
  const page = await report(first?.trial);
  expect(page).toContain('predictions.csv');
  expect(page).toContain('&lt;b&gt;Barometer&lt;/b&gt;');
  expect(page).not.toContain('<b>Barometer</b>');
  expect(page).not.toContain('a language model');
  expect(page).toMatch(/What was decided.*It was not made here: a file says that .*the system was 70% sure of <bdi>YES<\/bdi>/s);
  expect(await report(second?.trial)).toMatch(
    /the file names none of the possible answers.*none of the labels of this experiment/s,
  );
  await imports.intact(store, 2);
});

test('repeats are replicates in the order of their numbers, or of their appearance', async () => {
  const { run, take, lines, source } = imports.withPredictions('repeats', 'id,said,n\nc01,YES,10\nc01,NO,9\nc02,NO,9\n');
  await run('--max-trials', '0');
  expect(reportOf(await take('--repeat', 'n')).repeats).toEqual(['9', '10']);
  writeFileSync(source, 'id,said,n\nc01,YES,second\nc01,NO,first\n');
  expect(reportOf(await take('--repeat', 'n', '--arm', 'words')).repeats).toEqual(['second', 'first']);
  const found = (await lines()).flatMap((line) =>
    line.protocol === 'imported' ? [[line.arm, line.case, line.replicate, line.prediction].join(' ')] : [],
  );
  expect(found.toSorted()).toEqual(
    ['other c01 0 NO', 'other c01 1 YES', 'other c02 0 NO', 'words c01 0 YES', 'words c01 1 NO'].toSorted(),
  );
});

test('predictions come from a Parquet file, and from the sheet of a workbook that is named', async () => {
  const fixture = (name: string) => join(import.meta.dirname, '../main/engine/datasets/fixtures', name);
  const store = join(imports.room('tables'), 'store.db');
  const words = (file: string, experiment: string) =>
    `import-predictions ${fixture(file)} --store ${store} --experiment ${experiment} --arm them --json --case id --truth out --prediction out`;
  const made = { created: true, rows: 3, decided: 3, labels: ['NO', 'YES'] };
  expect(reportOf(await imports.assize(words('types.zstd.parquet', 'parquet')))).toMatchObject(made);
  expect(reportOf(await imports.assize(`${words('sheets.xlsx', 'workbook')} --sheet Cases`))).toMatchObject(made);
  const refused = await imports.assize(words('sheets.xlsx', 'unnamed'));
  expect([refused.code, errorOf(refused).message]).toEqual([2, expect.stringContaining('--sheet on the command line')]);
  await imports.intact(store, 6);
});
