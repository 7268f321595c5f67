import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openQueryPool } from '../main/engine/queries/pool.ts';
import { statsReportSchema } from '../shared/outputs.ts';
import { statisticsText } from './commands/stats.ts';
import { changed, errorOf, openBench, type Replacement, sampleData, sampleExperiment, snapshot } from './testing.ts';

const bench = await openBench();
const { store } = await bench.finishedRun();
const cache = () =>
  join(bench.path('home'), process.platform === 'darwin' ? 'Library/Caches/Assize' : '.cache/assize', 'statistics');

test('the finding comes first, baselines are in the table, and nothing is written next to the store', async () => {
  const before = snapshot(bench.path('good'));
  const { code, output, errors } = await bench.assize(['stats', 'rain', '--store', store, '--no-cache']);
  expect(code, errors).toBe(0);
  const [banner, drawn, finding] = output.split('\n');
  expect(banner).toContain('DEMO MODEL');
  expect(drawn).toMatch(/^3 of the \d+ cases of the data are on trial\.$/);
  expect(finding).toMatch(/^No arm is shown to beat every baseline\. .* 3 cases are few: /);
  expect(output).toMatch(/^baseline majority +3\/3/m);
  expect(output).toMatch(/^plain against baseline random-forest +3 /m);
  expect(output).toMatch(/^plain +sex (fe)?male /m);
  expect(output).toMatch(/^plain +3 +3\/3 +json 3 +none +none$/m);
  expect(output).toContain('tried several times, there over the cases; BCa bootstrap over cases');
  expect(snapshot(bench.path('good'))).toEqual(before);
  expect(existsSync(cache())).toBe(false);
});

test('sets of labels are calibrated on another split by name, and not on cases that are on trial in both', {
  tags: 'exhaustive',
}, async () => {
  const written = (name: string, sample: string, ...more: Replacement[]) =>
    changed(sampleExperiment, ['"name": "rain"', `"name": "${name}"`], ['{ "from": "test", "n": 3 }', sample], ...more);
  const wide: Replacement = [
    '"split": { "test": 0.5, "train": 0.25, "validation": 0.25 }',
    '"split": { "test": 0.4, "validation": 0.6 }',
  ];
  const project = bench.project('calibrated', written('tried', '{ "from": "test" }', wide), sampleData(30));
  expect((await project.run()).code).toBe(0);
  for (const [name, text] of [
    ['held', written('held', '{ "from": "validation" }', wide)],
    ['both', written('both', '{ "from": "all" }', wide)],
    ['groups', written('groups', '{ "from": "all" }', wide, ['"groups": ["sex"]', '"groups": ["sex", "age"]'])],
    ['asked', written('asked', '{ "from": "validation" }', wide, ['Will it rain?', 'Will it snow?'])],
    ['other', written('other', '{ "from": "validation" }', wide, ['"style": "system1"', '"style": "cot"'])],
  ] as const) {
    const file = join(project.room, `${name}.json`);
    writeFileSync(file, text);
    expect((await bench.assize(['run', file, '--store', project.store, '--ollama', bench.standin.url])).code).toBe(0);
  }
  const ask = (calibration: string) =>
    bench.assize(['stats', 'tried', '--store', project.store, '--json', '--resamples', '0', '--calibration', calibration]);
  const { output, errors } = await ask('held');
  const [arm] = statsReportSchema.parse(JSON.parse(output || errors)).arms;
  expect(arm?.conformal).toMatchObject({ calibrated_in: 'held', calibrated_on: 18, held_out: 12 });
  expect((await ask('both')).errors).toMatch(/case c\d+ is on trial in both; take another split/);
  expect((await ask('groups')).errors).toMatch(/case c\d+ is on trial in both; take another split/);
  expect((await ask('asked')).errors).toMatch(/its arm .*plain.* is a different one/);
  expect((await ask('other')).errors).toMatch(/its arm .*plain.* is a different one/);
  // A screen offers these experiments and has the same sets.
  const pool = openQueryPool(project.store);
  const choices = await pool.run('calibrationChoices', { experiment: 'tried' });
  expect(choices.map(({ experiment, cases, why }) => [experiment, cases, why])).toEqual([
    ['asked', 18, expect.stringContaining('is a different one')],
    ['both', 30, expect.stringContaining('on trial in both')],
    ['groups', 30, expect.stringContaining('on trial in both')],
    ['held', 18, null],
    ['other', 18, expect.stringContaining('is a different one')],
  ]);
  const sets = await pool.run('calibrated', { experiment: 'tried', calibration: 'held' });
  expect(sets).toMatchObject({ arms: [{ arm: 'plain', conformal: arm?.conformal }], missing: [] });
  const coverage = (of: typeof arm | (typeof sets.arms)[number]) =>
    of?.measures.find(({ name }) => name === 'conformal_coverage')?.value;
  expect(coverage(sets.arms[0])).toBe(coverage(arm));
  await expect(pool.run('calibrated', { experiment: 'tried', calibration: 'other' })).rejects.toThrow('cannot calibrate');
  await pool.close();
});

test('a report is kept for the next time, and its options are in it', async () => {
  const ask = async (...words: string[]) => {
    const { code, output, errors } = await bench.assize(['stats', 'rain', '--store', store, '--json', ...words]);
    expect(code, errors).toBe(0);
    return statsReportSchema.parse(JSON.parse(output));
  };
  const first = await ask('--resamples', '200', '--seed', '5', '--arms', 'plain');
  expect(first).toMatchObject({ store, resampling: { resamples: 200, seed: 5, level: 0.95 } });
  expect(first.arms.map(({ arm, cases }) => [arm, cases])).toEqual([['plain', { done: 3, of: 3, missing: [] }]]);
  expect(readdirSync(cache())).toHaveLength(1);
  expect(await ask('--resamples', '200', '--seed', '5')).toEqual(first);
  expect(readdirSync(cache())).toHaveLength(1);
  const paired = first.comparisons.map((one, place) => (place === 0 ? { ...one, paired_cases: 0 } : one));
  const [gone] = paired;
  const text = statisticsText({ ...first, comparisons: paired });
  expect(text).toContain(`Left out: 1 of ${paired.length} comparisons, over no case at all.`);
  expect(text).not.toContain(`${gone?.a} against baseline ${gone?.b} `);
  expect(text).not.toContain('Ambiguous cases');
  const drawn = { resamples: null, undefined_resamples: null, seed: null, why_null: null };
  const quarter = { value: 0.25, low: 0.1, high: 0.5, level: 0.95, interval_method: 'wilson' as const, ...drawn };
  const gain = { ...quarter, value: -0.5, low: null, high: null, interval_method: null, paired_cases: 1 };
  const row = { arm: 'plain', part: 'ambiguous' as const, n: 2, cases: 1, accuracy: quarter, gain };
  const share = { ...quarter, count: 1, n: 4 };
  const ambiguous = statisticsText({
    ...first,
    ambiguity: { why_null: null, share, unknown: 2, disagreeing: 0, reference: 'alone', arms: [row] },
  });
  expect(ambiguous).toContain('1 of 4, 25% [10, 50]; 2 cases are not known to be either. Relative gain: ');
  expect(ambiguous).toMatch(/^plain +ambiguous +1 +2 +25% \[10, 50\] +−0\.500$/m);
  const none = await ask('--resamples', '0');
  expect(none.comparisons.every(({ difference: { low, why_null } }) => low === null && why_null !== null)).toBe(true);
  expect(none.finding.sentence).toContain('it is unknown whether an arm beats the baselines');
});

test.each([
  [['--arms', 'plain,fancy'], '--arms', /has no arm "fancy"; it has "plain"/],
  [['--arms', 'plain,'], '--arms', /with commas between them/],
  [['--resamples', 'many'], '--resamples', /not a whole number/],
  [['--resamples', '99999999'], '--resamples', /at most 1000000/],
  [['--seed', '1.5'], '--seed', /not a whole number/],
])('%j is bad input', async (words, field, message) => {
  const refused = await bench.assize(['stats', 'rain', '--store', store, '--json', ...words]);
  expect(refused.code).toBe(2);
  expect(errorOf(refused)).toMatchObject({ field, message: expect.stringMatching(message) });
});

test('conditions narrow the report to a part, which says that it is no finding', async () => {
  const part = await bench.assize(['stats', 'rain', '--store', store, '--no-cache', '--where', 'sex=female', '--json']);
  expect(part.code, part.errors).toBe(0);
  const report = statsReportSchema.parse(JSON.parse(part.output));
  const whole = await bench.assize(['stats', 'rain', '--store', store, '--no-cache', '--json']);
  const all = statsReportSchema.parse(JSON.parse(whole.output));
  expect(report.arms[0]?.n).toBe(all.arms[0]?.groups.find(({ value }) => value === 'female')?.n);
  expect(report.finding.sentence).toContain('sex = female');
  expect([report.part, all.part]).toEqual(['sex = female', undefined]);
  expect(all.comparisons.some(({ mcnemar }) => mcnemar.p_adjusted !== null)).toBe(true);
  expect(report.comparisons.every(({ mcnemar }) => mcnemar.p_adjusted === null)).toBe(true);
  const bad = await bench.assize(['stats', 'rain', '--store', store, '--where', 'sex', '--json']);
  expect([bad.code, errorOf(bad).message]).toEqual([
    2,
    '"sex" is no condition; name a column and a value, such as --where sex=Female',
  ]);
  const unknown = await bench.assize(['stats', 'rain', '--store', store, '--where', 'sex=fe=male', '--json']);
  expect(errorOf(unknown).message).toContain('no trial has sex "fe=male"');
});
