import { beforeAll, describe, expect, test } from 'vitest';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { makeSampleStore, openFolder, someFaults } from '../audit/testing/sampleStore.ts';
import { resources } from '../bundle/testing/bundles.ts';
import type { QueryPool } from './pool.ts';
import type { QueryProgress } from './query.ts';
import { queriesHere } from './testing/queriesHere.ts';

const room = openFolder('statistics-query');
const experiment = 'nlsy97-demo';
let pool: QueryPool;
let lines: readonly TrialLine[];
/** Of the whole experiment, without resamples. */
let whole: StatsReport;

beforeAll(async () => {
  pool = queriesHere(await makeSampleStore(room.folder, { cases: 12 }));
  whole = await pool.run('statistics', { experiment, resamples: 0, cache: null });
  lines = (await pool.run('trialPage', { experiment, order: 'case', offset: 0, limit: 100 })).lines;
});
describe('the statistics', () => {
  test('report how far they are', async () => {
    const reported: QueryProgress[] = [];
    const report = await pool.run('statistics', { experiment, resamples: 300, cache: null }, undefined, (progress) =>
      reported.push(progress),
    );
    const shares = reported.map(({ share }) => share);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
    expect([...new Set(reported.map(({ what }) => what))]).toEqual(
      expect.arrayContaining(['reading the trials', 'fitting the baselines', 'intervals of court', 'comparing arms']),
    );
    expect(report.baselines.map(({ arm }) => arm)).toEqual([
      'majority',
      'stratified-random',
      'logistic-regression',
      'random-forest',
      'gradient-boosting',
    ]);
  });

  test('and a bundle reports further when they are made, to its end', async () => {
    const reported: QueryProgress[] = [];
    const path = room.path('whole.zip');
    await pool.run('bundle', { experiment, path, redacted: true, resources }, undefined, (progress) => reported.push(progress));
    const shares = reported.map(({ share }) => share);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect([...new Set(reported.map(({ what }) => what))].slice(-2)).toEqual(['writing the bundle', 'checking the bundle']);
  });

  test('of a part are those of its trials and cases, and say that they are no finding', async () => {
    const sex = lines[0]?.groups.sex ?? '';
    const subset = { arms: ['court'], groups: { sex: [sex] } };
    const report = await pool.run('statistics', { experiment, subset, resamples: 0, cache: null });
    const part = lines.filter((line) => line.arm === 'court' && line.groups.sex === sex);
    expect(part.length).toBeLessThan(lines.filter(({ arm }) => arm === 'court').length);
    expect(report.arms.map(({ arm, n }) => [arm, n])).toEqual([['court', part.length]]);
    expect(report.arms[0]?.accuracy_all).toMatchObject({
      n: part.length,
      count: part.filter(({ correct }) => correct === true).length,
    });
    expect(report.baselines.map(({ n }) => n)).toEqual(report.baselines.map(() => part.length));
    expect(report.comparisons.every(({ paired_cases: paired }) => paired === part.length)).toBe(true);
    expect(report.finding.sentence).toBe(
      `This is a look at ${part.length} of ${lines.length} trials (arm court; sex = ${sex}) and no finding.`,
    );
    expect(report.notes[0]).toContain('no finding');
    const both = { groups: { sex: [...new Set(lines.map(({ groups }) => groups.sex ?? ''))] } };
    const { finding } = await pool.run('statistics', { experiment, subset: both, resamples: 0, cache: null });
    expect(finding.sentence).toMatch(/ and no finding\. A p-value of groups compares only those that were chosen, /);
  });

  test('of trials that were chosen by their truth leave out what this choice decides', async () => {
    const label = whole.positive ?? '';
    const at = { experiment, subset: { truths: [label] }, resamples: 0, cache: null };
    const { arms, baselines, comparisons, finding, recorded_labels: recorded, ...more } = await pool.run('statistics', at);
    const valuesOf = (measures: readonly Measure[], wanted: string) =>
      measures.flatMap(({ name, label: of, value }) => (name === wanted && (of ?? label) === label ? [value] : []));
    const chosen = lines.filter((line) => line.arm === 'court' && line.truth === label);
    const court = arms.find(({ arm }) => arm === 'court');
    expect(valuesOf(court?.measures ?? [], 'recall')).toEqual([
      chosen.filter(({ correct }) => correct === true).length / chosen.length,
    ]);
    for (const name of ['precision', 'f1', 'brier_skill', 'observed_share', 'calibration_slope', 'expected_calibration_error'])
      expect([...new Set(valuesOf(court?.measures ?? [], name))], name).toEqual([null]);
    expect([court?.reliability, court?.label_reliability, baselines, recorded]).toEqual([[], undefined, [], undefined]);
    expect(comparisons.flatMap(({ differences }) => differences).map(({ name }) => name)).not.toContain('macro_f1');
    expect(comparisons.some(({ baseline }) => baseline)).toBe(false);
    expect([whole.agreement?.length, more.agreement]).toEqual([expect.any(Number), undefined]);
    expect(finding.sentence).toMatch(
      /no finding\. Since they were chosen by their true label, .* precision, calibration and .*, is left out/,
    );
    // All labels choose only the trials whose truth is known.
    const all = await pool.run('statistics', { ...at, subset: { truths: whole.labels } });
    expect(all.finding.sentence).not.toContain('chosen by their true label');
    expect([all.arms[0]?.precision, all.baselines.length]).toEqual([whole.arms[0]?.precision, whole.baselines.length]);
  });

  test('at another prevalence are those of the report, baselines too', async () => {
    const prevalence = 0.1;
    const report = await pool.run('statistics', { experiment, prevalence, resamples: 0, cache: null });
    const values = (arm: string, measures: readonly Measure[] = []) => [arm, measures.map(({ value }) => value)];
    expect((await pool.run('atPrevalence', { experiment, prevalence })).map((each) => values(each.arm, each.measures))).toEqual(
      [...report.arms, ...report.baselines].map((each) => values(each.arm, each.at_prevalence)),
    );
  });

  test('of a part are kept apart from those of the whole', async () => {
    const cache = room.path('kept');
    const ask = (subset?: object) => pool.run('statistics', { experiment, resamples: 0, cache, ...(subset && { subset }) });
    expect(await ask()).toEqual(whole);
    expect((await ask({ arms: ['court'] })).arms).toHaveLength(1);
    expect(await ask()).toEqual(whole);
    expect(await ask({})).toEqual(whole);
    expect(whole.finding.sentence).not.toContain('no finding');
  });

  test('of conditions of the command line name what there is where nothing fits', async () => {
    const ask = (column: string, value: string) =>
      pool.run('statistics', { experiment, where: [{ column, value }], quick: true, cache: null });
    await expect(ask('sx', 'Female')).rejects.toThrow(/no group column "sx"; conditions may be on .*"sex", .*"model", "outcome"/);
    await expect(ask('sex', 'femal')).rejects.toThrow(/no trial has sex "femal"; there is .*"/);
    await expect(ask('outcome', 'late')).rejects.toThrow(/"late" is no outcome; outcomes are "decided"/);
    expect((await ask('outcome', 'decided')).arms.every(({ n, decided }) => n === decided)).toBe(true);
  });

  test('have the path of every decided trial in court', async () => {
    const court = whole.arms.find(({ arm }) => arm === 'court');
    const measure = (name: string, side: string | null = null) =>
      court?.measures.find((each) => each.name === name && each.side === side && each.turn === null);
    const decided = lines.filter((line) => line.arm === 'court' && line.outcome === 'decided').length;
    expect(measure('corrections')).toMatchObject({ n: decided });
    // Six beliefs and no prior: five changes after a speech, but for turns that were forfeited.
    const speeches = measure('belief_change')?.n ?? 0;
    expect(speeches).toBeGreaterThan(4 * decided);
    expect(speeches).toBeLessThanOrEqual(5 * decided);
    expect((measure('persuasion', 'prosecution')?.n ?? 0) + (measure('persuasion', 'defense')?.n ?? 0)).toBe(speeches);
  });

  test('count how the answers of every ended trial were read', async () => {
    const sum = (counts: Readonly<Record<string, number>> = {}) => Object.values(counts).reduce((all, each) => all + each, 0);
    const all = whole.arms.map(({ arm, answers }) => {
      const mine = lines.filter((line) => line.arm === arm);
      expect(answers?.requests).toBe(mine.reduce((requests, { attempts }) => requests + attempts, 0));
      expect(answers?.first).toBe(mine.reduce((calls, line) => calls + line.calls, 0));
      expect(sum(answers?.methods) + sum(answers?.rejected)).toBe(answers?.requests);
      return answers;
    });
    // Each fault of the sample is of one request, however its trial ended.
    expect(all.reduce((refused, answers) => refused + sum(answers?.rejected), 0)).toBe(Object.keys(someFaults).length);
    expect((await pool.run('statistics', { experiment, quick: true, cache: null })).arms[0]?.answers).toBeUndefined();
  });
});
