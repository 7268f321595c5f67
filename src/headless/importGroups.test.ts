import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import reference from '../../docs/reference/values/fairness.json' with { type: 'json' };
import { sentences, verifyBundle } from '../../resources/bundle/verify.mjs';
import { statsReportSchema } from '../shared/outputs.ts';
import type { Measure } from '../shared/statistics.ts';
import { forAll, openImportBench, reportOf } from './importing.fixture.ts';
import { errorOf } from './testing.ts';

const imports = await openImportBench();

/** Words that make an experiment `published` of a file. */
const made = (file: string, store: string, ...more: string[]) => [
  ...`import-predictions ${file} --store ${store} --json --experiment published --arm score --case id --truth truth`.split(' '),
  ...more,
];
const bundled = async (store: string, room: string) => {
  const out = join(room, 'published.zip');
  await imports.assize(['export', 'published', '--store', store, '--format', 'bundle', '--out', out]);
  return verifyBundle(readFileSync(out));
};
const statsOf = async (store: string, ...more: string[]) =>
  statsReportSchema.parse(JSON.parse((await imports.assize(['stats', 'published', '--store', store, '--json', ...more])).output));
const valueIn = (measures: readonly Measure[], name: string, over: string) =>
  measures.find((measure) => measure.name === name && measure.over === over)?.value;

const [, , set] = reference.sets;
if (set === undefined) throw new Error('there is no such set');

test('published predictions with their groups have the rates and differences of Fairlearn, and constant baselines', {
  tags: 'exhaustive',
}, async () => {
  const room = imports.room('groups');
  const [file, store] = [join(room, 'scores.csv'), join(room, 'store.db')];
  const rows = set.truth.map((truth, row) => [row, truth, set.prediction[row] === -1 ? '' : set.prediction[row], set.group[row]]);
  writeFileSync(file, ['id,truth,said,group', ...rows].join('\n'));
  const take = (...more: string[]) => imports.assize(made(file, store, '--prediction', 'said', '--group', 'group', ...more));
  expect(reportOf(await take())).toMatchObject({ created: true, trials: set.truth.length, labels: ['0', '1'], positive: '1' });
  const { arms, baselines, missing_baselines: missing } = await statsOf(store, '--resamples', '0');
  // The values themselves are compared where they are computed.
  const { groups = [], fairness = [] } = arms[0] ?? {};
  const { decided } = set.expected;
  expect(valueIn(fairness[0]?.measures ?? [], 'demographic_parity_difference', 'decided')).toBeCloseTo(
    decided.demographic_parity_difference,
    9,
  );
  expect(groups.map(({ value }) => value).toSorted()).toEqual(Object.keys(decided.by_group).toSorted());
  const positives = set.truth.filter((truth) => truth === 1).length;
  expect(baselines.map(({ arm }) => arm)).toEqual(['majority', 'stratified-random']);
  expect(valueIn(baselines[0]?.measures ?? [], 'accuracy', 'all')).toBe(
    Math.max(positives, set.truth.length - positives) / set.truth.length,
  );
  expect(baselines[0]?.about.notes[0]).toContain('the cases on trial themselves');
  expect(missing).toHaveLength(4);
  expect(reportOf(await take())).toMatchObject({ created: false, imported_now: 0 });
  await imports.intact(store, set.truth.length);
  expect(await bundled(store, room)).toMatchObject({ result: 'intact' });

  writeFileSync(file, ['id,truth,said,group', ...rows.slice(0, 3), [3, set.truth[3], 1, 'g9']].join('\n'));
  const other = await take('--arm', 'second');
  expect(errorOf(other)).toMatchObject({
    line: 5,
    field: 'group',
    message: expect.stringMatching(/group of case "3" is "g9" here and "g0" in the data set/),
  });
});

test('a group that an existing data set lacks, and one that changes within a file, are refused', async () => {
  const { run, take, source } = imports.withPredictions('stray', 'id,said,race\nc01,YES,a\n');
  await run('--max-trials', '0');
  expect(errorOf(await take('--group', 'race'))).toMatchObject({
    field: 'race',
    message: expect.stringMatching(/"race" is no group column .*it has "sex"/),
  });
  writeFileSync(source, 'id,said,race,truth\na,YES,x,1\nb,NO,,0\na,NO,y,1\n');
  const fresh = ['--experiment', 'fresh', '--truth', 'truth', '--group', 'race'];
  expect(errorOf(await take(...fresh))).toMatchObject({
    line: 4,
    field: 'race',
    message: expect.stringMatching(/"y" here and "x" in line 2/),
  });
});

test('risk scores are beliefs: measures of probability, the likeliest label, and every verifier', async () => {
  const room = imports.room('risk');
  const [file, store] = [join(room, 'risk.csv'), join(room, 'store.db')];
  writeFileSync(file, 'id,truth,risk\na,1,90\nb,1,40\nc,0,20\nd,0,50\ne,0,\nf,1,60\n');
  const words = made(file, store, '--probability', '1=risk', '--confidence-scale', '100');
  expect(reportOf(await imports.assize(words))).toMatchObject({ decided: 4, undecided: { 50: 1, '': 1 } });
  const lines = await imports.lines(store, 'published');
  expect(lines.find((line) => line.case === 'b')).toMatchObject({
    prediction: '0',
    confidence: 0.6,
    belief: { 0: 0.6, 1: 0.4 },
    belief_source: 'verbal',
  });
  const [arm] = (await statsOf(store, '--resamples', '0')).arms;
  // Of a, b, c and f: (0.01 + 0.36 + 0.04 + 0.16) / 4; the three positives are above c.
  expect(valueIn(arm?.measures ?? [], 'brier', 'believed')).toBeCloseTo(0.1425, 12);
  expect(valueIn(arm?.measures ?? [], 'area_under_curve', 'believed')).toBe(1);
  expect(valueIn(arm?.measures ?? [], 'log_loss', 'believed')).toBeCloseTo(
    -(Math.log(0.9) + Math.log(0.4) + Math.log(0.8) + Math.log(0.6)) / 4,
    12,
  );
  await imports.intact(store, 6);
  expect(await bundled(store, room)).toMatchObject({ result: 'intact' });
  const limit = [...words, '--arm', 'limit', '--positive-if', '>=40'];
  expect(reportOf(await imports.assize(limit))).toMatchObject({ decided: 5 });
  const first = lines.find((line) => line.case === 'a');
  const shown = await imports.assize(['show', 'published', '--trial', first?.trial ?? '', '--store', store]);
  expect(shown.output).toContain('risk.csv, line 2, column risk: "90"');

  writeFileSync(file, 'id,truth,risk\na,1,90\nb,1,41\n');
  expect(errorOf(await imports.assize(words))).toMatchObject({
    line: 3,
    field: 'risk',
    message: expect.stringContaining('"40"'),
  });
});

test('a comparison reads every number, and pairs of the map that name numbers are about the truths', async () => {
  const room = imports.room('deciles');
  const [file, store] = [join(room, 'deciles.csv'), join(room, 'store.db')];
  writeFileSync(file, 'id,truth,decile\na,1,1\nb,0,10\nc,1,7\nd,0,0\ne,0,low\n');
  const map = ['--map', '0=RELEASED', '--map', '1=CONVICTED', '--map', 'low=RELEASED'];
  const scored = ['--prediction', 'decile', '--positive-if', '>=5', ...map];
  const labels = ['RELEASED', 'CONVICTED'];
  expect(reportOf(await imports.assize(made(file, store, ...scored)))).toMatchObject({
    labels,
    positive: 'CONVICTED',
    decided: 5,
  });
  const read = (await imports.lines(store, 'published')).map(({ case: id, truth, prediction }) => [id, truth, prediction]);
  expect(read.toSorted()).toEqual([
    ['a', 'CONVICTED', 'RELEASED'],
    ['b', 'RELEASED', 'CONVICTED'],
    ['c', 'CONVICTED', 'CONVICTED'],
    ['d', 'RELEASED', 'RELEASED'],
    ['e', 'RELEASED', 'RELEASED'],
  ]);
  await imports.intact(store, 5);
  const words = made(file, store, ...scored).filter((word, place, all) => word !== '--truth' && all[place - 1] !== '--truth');
  expect(errorOf(await imports.assize([...words, '--arm', 'other']))).toMatchObject({
    field: 'map',
    message: expect.stringContaining('the map makes "0" the label "RELEASED", and the comparison ">=5"'),
  });
});

test('probabilities that are no distribution, and columns that do not make one, are refused', async () => {
  const { run, take, source } = imports.withPredictions('sums', forAll);
  await run('--max-trials', '0');
  const refused = async (text: string, words: readonly string[], expected: object) => {
    writeFileSync(source, text);
    expect(errorOf(await take(...words))).toMatchObject(expected);
  };
  const message = (pattern: RegExp) => expect.stringMatching(pattern);
  const [no, yes] = [
    ['--probability', 'NO=n'],
    ['--probability', 'YES=y'],
  ] as const;
  const both = [...no, ...yes];
  await refused('id,said,n,y\nc01,YES,0.2,0.8\nc02,NO,0.2,0.7\n', both, {
    line: 3,
    message: message(/add up to 0\.9 and not to 1/),
  });
  await refused('id,said,n,y\nc01,YES,0.2,\n', both, { line: 2, field: 'y', message: message(/a probability is missing/) });
  await refused('id,said,y\nc01,YES,1.2\n', yes, { line: 2, field: 'y', message: message(/from 0 to 1/) });
  await refused('id,said,y\nc01,YES,1\n', ['--probability', 'WET=y'], {
    field: 'probability',
    message: message(/none of the labels/),
  });
  await refused('id,said,y\nc01,YES,1\n', ['--probability', 'y'], { field: '--probability' });
  await refused('id,said,y\nc01,YES,1\n', [...yes, '--confidence', 'y'], { field: 'confidence' });
  await refused('id,said,n\nc01,YES,1\n', yes, { line: 1, field: 'y', message: message(/there is no column "y"/) });
});

test('sampling weights are recorded with the cases, weigh the measures, and cannot change', async () => {
  const room = imports.room('weights');
  const [file, store] = [join(room, 'survey.csv'), join(room, 'store.db')];
  const text = 'id,truth,said,w\na,1,1,10\nb,1,0,30\nc,0,0,40\nd,0,1,20\n';
  writeFileSync(file, text);
  const words = made(file, store, '--prediction', 'said', '--weight', 'w');
  expect(reportOf(await imports.assize(words))).toMatchObject({ created: true, trials: 4 });
  expect((await imports.lines(store, 'published')).find((line) => line.case === 'b')).toMatchObject({ weight: 30 });
  const { arms, baselines, prevalence } = await statsOf(store, '--resamples', '0', '--prevalence', '0.1');
  const found = arms[0]?.measures ?? [];
  expect(valueIn(found, 'accuracy', 'all')).toBe(0.5);
  expect(valueIn(found, 'weighted_accuracy', 'all')).toBeCloseTo(0.5, 12);
  expect(valueIn(found, 'weighted_true_positive_rate', 'truly-positive')).toBeCloseTo(0.25, 12);
  expect(valueIn(found, 'weighted_false_positive_rate', 'truly-negative')).toBeCloseTo(1 / 3, 12);
  // The majority says 0 of all; those weigh 60 of 100.
  expect(valueIn(baselines[0]?.measures ?? [], 'weighted_accuracy', 'all')).toBeCloseTo(0.6, 12);
  // Both rates are one half, so that the verdict says nothing.
  expect(prevalence).toBe(0.1);
  expect(valueIn(arms[0]?.at_prevalence ?? [], 'positive_predictive_value', 'decided')).toBeCloseTo(0.1, 12);
  const shown = await imports.assize(['stats', 'published', '--store', store, '--prevalence', '0.1']);
  expect(shown.output).toMatch(/Weighted by the sampling weights.*25% \[.*where 10% of the cases are truly positive/s);
  const constant =
    /answering 0 to everybody would be right in 90% of cases, answering 1 to everybody in 10%.*majority \(baseline\) answers 0 to everybody/s;
  expect(shown.output).toMatch(constant);
  const report = async (...more: string[]) =>
    imports.assize(['export', 'published', '--store', store, '--out', '-', '--prevalence', '0.1', ...more]);
  const page = await report('--format', 'html');
  expect(page.code, page.errors).toBe(0);
  expect(page.output).toMatch(constant);
  expect(page.output).toMatch(/At 10% it would be 10%.*where 10% of the cases are truly positive/s);
  expect((await report('--format', 'trials-csv')).errors).toMatch(/--prevalence.*assize stats/s);
  const csv = await imports.assize(['export', 'published', '--store', store, '--format', 'trials-csv', '--out', '-']);
  expect(csv.output.split('\n')[0]).toContain(',weight,');
  await imports.intact(store, 4);
  expect(await bundled(store, room)).toMatchObject({ result: 'intact' });

  const refused = async (change: string, expected: object) => {
    writeFileSync(file, change);
    expect(errorOf(await imports.assize(words))).toMatchObject(expected);
  };
  await refused(text.replace('30', '31'), { line: 3, field: 'w', message: expect.stringMatching(/"31" here and "30" in/) });
  await refused(`${text}a,1,1,11\n`, { line: 6, message: expect.stringMatching(/line 2/) });
  for (const cell of ['0', '-1', 'x', '']) await refused(text.replace('30', cell), { line: 3, field: 'w' });
  for (const share of ['0', '1', '5%']) {
    expect(
      errorOf(await imports.assize(['stats', 'published', '--store', store, '--prevalence', share, '--json'])),
    ).toMatchObject({
      field: '--prevalence',
    });
  }
});

test('opinions before the prediction are the course of the trial, with its flips and corrections', async () => {
  const room = imports.room('opinions');
  const [file, store] = [join(room, 'panel.csv'), join(room, 'store.db')];
  writeFileSync(file, 'id,truth,first,second,said\na,yes,n,yes,yes\nb,no,yes,n,yes\nc,no,,no,no\nd,yes,?,,yes\n');
  const opinions = ['--opinion', 'first', '--opinion', 'second', '--map', 'n=no'];
  const words = made(file, store, '--prediction', 'said', ...opinions);
  expect(reportOf(await imports.assize(words))).toMatchObject({ decided: 4, labels: ['no', 'yes'] });
  const { arms } = await statsOf(store, '--resamples', '0');
  const found = arms[0]?.measures ?? [];
  // a: no, yes, yes; b: yes, no, yes; c: no, no; of d no opinion is a label.
  expect(found.find(({ name }) => name === 'answer_flips')).toMatchObject({ n: 3, value: 1 });
  expect(valueIn(found, 'initial_accuracy', 'initial-and-verdict')).toBeCloseTo(1 / 3, 12);
  expect(valueIn(found, 'corrections', 'initial-and-verdict')).toBeCloseTo(1 / 3, 12);
  await imports.intact(store, 4);
  expect(await bundled(store, room)).toMatchObject({ result: 'intact' });
  expect(reportOf(await imports.assize(words))).toMatchObject({ imported_now: 0 });
  writeFileSync(file, 'id,truth,first,second,said\na,yes,yes,yes,yes\nb,no,yes,n,yes\n');
  expect(errorOf(await imports.assize(words))).toMatchObject({ line: 2, message: expect.stringContaining('is on the record') });
});

test('without a positive label groups have only what can be computed, and it says why', async () => {
  const room = imports.room('three-labels');
  const [file, store] = [join(room, 'scores.csv'), join(room, 'store.db')];
  const rows = ['A', 'B', 'C', 'A', 'B', 'C'].map((label, row) => [row, label, label, row % 2 === 0 ? 'x' : 'y']);
  writeFileSync(file, ['id,truth,said,group', ...rows].join('\n'));
  reportOf(await imports.assize(made(file, store, '--prediction', 'said', '--group', 'group')));
  const { output } = await imports.assize(['stats', 'published', '--store', store, '--resamples', '0']);
  const part = output.slice(output.indexOf('By group:'));
  expect(part).toContain('or a positive label that the data set names');
  expect(part).toMatch(/arm +group +n +decided +accuracy of all\n/);
});

test('a bundle says the interval over cases where cases have several trials, and derives it where each has one', async () => {
  const rows = Array.from({ length: 24 }, (_, row) => [`c${row % 12}`, row % 12 < 5, row % 3 === 0, row].join());
  for (const [name, count, expected] of [
    ['several', 24, / over cases, as statistics\.json says it: not computed again here\)/],
    ['single', 12, /\(95% interval [\d.]+% to [\d.]+%\)/],
  ] as const) {
    const room = imports.room(name);
    const [file, store] = [join(room, 'said.csv'), join(room, 'store.db')];
    writeFileSync(file, ['id,truth,said,order', ...rows.slice(0, count)].join('\n'));
    const words = made(file, store, '--prediction', 'said', ...(name === 'several' ? ['--repeat', 'order'] : []));
    expect(reportOf(await imports.assize(words))).toMatchObject({ trials: count });
    const [, line = ''] = sentences(await bundled(store, room));
    expect(line).toMatch(/^score: \d+ of /);
    expect(line).toMatch(expected);
  }
});
