import { beforeAll, describe, expect, test } from 'vitest';
import { isCorrect } from '../../../core/statistics/accuracy.ts';
import type { Standing } from '../../../shared/api/compared.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { makeSampleStore, openFolder } from '../audit/testing/sampleStore.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { trialLines } from '../report/trialLines.ts';
import { reading } from '../testing/reading.ts';
import { besideOf, turnedIn } from './compared.ts';
import type { QueryPool } from './pool.ts';
import type { QueryInput } from './queries.ts';
import { queriesHere } from './testing/queriesHere.ts';

const room = openFolder('compared');
const experiment = 'nlsy97-demo';
let pool: QueryPool;
let lines: TrialLine[];

beforeAll(async () => {
  const path = await makeSampleStore(room.folder, { cases: 12 });
  pool = queriesHere(path);
  lines = reading(path, (store) => [...trialLines(store, loadFrozen(store, experiment))]);
});

const compare = (query: Partial<QueryInput<'compared'>> = {}) =>
  pool.run('compared', {
    experiment,
    a: 'court',
    b: 'cot',
    baseline: false,
    resampled: false,
    facts: true,
    offset: 0,
    limit: 50,
    ...query,
  });

/** By hand, of cases that were tried once by each. */
function standingOf(id: string): Standing {
  const [a, b] = ['court', 'cot'].map((arm) => {
    const line = lines.find((each) => each.case === id && each.arm === arm);
    return line?.outcome === 'decided' && line.prediction !== null && isCorrect(line.truth ?? [], line.prediction);
  });
  if (a === b) return a ? 'both_right' : 'both_wrong';
  return a ? 'a_only' : 'b_only';
}

describe('two arms side by side', () => {
  test('have every case that both tried, with its standing, facts, truth and verdicts', async () => {
    const { cases, total, counts, replicated } = await compare();
    expect(total).toBe(12);
    expect(replicated).toBe(false);
    for (const each of cases) {
      expect(each.standing).toBe(standingOf(each.case));
      const [line] = lines.filter((some) => some.case === each.case && some.arm === 'court');
      expect(each.truth).toEqual(line?.truth);
      expect(each.groups).toEqual(line?.groups);
      expect(each.facts?.length).toBeGreaterThan(3);
      expect(each.a).toMatchObject([{ trial: line?.trial, outcome: line?.outcome, prediction: line?.prediction }]);
    }
    const expected = { a_only: 0, b_only: 0, both_right: 0, both_wrong: 0, equally: 0 };
    for (const { case: id } of cases) expected[standingOf(id)] += 1;
    expect(counts).toEqual(expected);
  });

  test('over trials that were chosen by their truth have no measure that this choice decides', async () => {
    const named = async (truths: string[]) => {
      const { comparison, paper_style: style } = await compare({ subset: { truths }, resampled: true });
      const { measures } = await pool.run('changed', { experiment, a: 'court', b: 'cot', subset: { truths } });
      return [comparison.differences, style.map(({ measure: name }) => ({ name })), measures].flat().map(({ name }) => name);
    };
    const decided = ['macro_f1', 'area_under_curve', 'miscalibration', 'expected_calibration_error', 'overconfidence'];
    expect(await named(['YES', 'NO'])).toEqual(expect.arrayContaining(['accuracy', 'brier', ...decided]));
    const chosen = await named(['NO']);
    expect(chosen).toEqual(expect.arrayContaining(['accuracy', 'brier', 'failed']));
    expect(chosen.filter((name) => decided.includes(name))).toEqual([]);
  });

  test('are shown side by side in the first replicate in which their verdicts differ', () => {
    const [line] = lines;
    if (line === undefined) throw new Error('the sample has no trial');
    const said = (replicate: number, prediction: string | string[]) => ({
      ...line,
      replicate,
      prediction,
      trial: `${replicate}${prediction}`,
    });
    const [a, b] = [
      [said(0, 'YES'), said(1, 'YES')],
      [said(1, 'NO'), said(0, 'YES')],
    ];
    expect(besideOf(a, b)).toEqual(['1YES', '1NO']);
    expect(besideOf(a, a)).toEqual(['0YES', '0YES']);
    expect(besideOf(a, [{ ...line, trial: '' }])).toBeNull();
    const sets = [said(0, ['YES', 'NO']), said(1, ['YES'])];
    expect(besideOf(sets, [said(0, ['NO', 'YES']), said(1, 'NO')])).toEqual(['1YES', '1NO']);
  });

  test('have the numbers of the report, without what is adjusted over a family', async () => {
    const report = await pool.run('statistics', { experiment, cache: null });
    const row = report.comparisons.find(({ a, b }) => [a, b].includes('court') && [a, b].includes('cot'));
    const [first, second] = [row?.a ?? '', row?.b ?? ''];
    const { comparison, counts } = await compare({ a: first, b: second, resampled: true });
    expect(comparison.difference).toEqual(row?.difference);
    expect(comparison.mcnemar).toEqual({ ...row?.mcnemar, p_adjusted: null });
    expect(comparison.smallest_detectable_difference).toBe(row?.smallest_detectable_difference);
    expect([counts.a_only, counts.b_only]).toEqual([row?.mcnemar.a_only, row?.mcnemar.b_only]);
  });

  test('have the same values at once where nothing is drawn', async () => {
    const [drawn, { comparison, paper_style, ...rest }] = [await compare({ resampled: true }), await compare()];
    const ends = {
      low: null,
      high: null,
      interval_method: null,
      resamples: null,
      undefined_resamples: null,
      seed: null,
      caution: undefined,
    };
    expect(comparison.difference).toEqual({ ...drawn.comparison.difference, ...ends, why_null: 'no resamples were asked for' });
    expect(comparison.differences.map(({ name, a, b }) => [name, a, b])).toEqual(
      drawn.comparison.differences.map(({ name, a, b }) => [name, a, b]),
    );
    expect(paper_style).toEqual([]);
    expect(rest).toMatchObject({ counts: drawn.counts, cases: drawn.cases });
  });

  test('turn around with the order of the two', async () => {
    const [one, other] = [await compare(), await compare({ a: 'cot', b: 'court' })];
    expect(other.counts).toEqual({ ...one.counts, a_only: one.counts.b_only, b_only: one.counts.a_only });
    expect(other.comparison.difference.value).toBeCloseTo(-(one.comparison.difference.value ?? Number.NaN), 12);
  });

  test('are listed page by page, by standing, by group and by what is searched for', async () => {
    const whole = await compare();
    const parts = [await compare({ limit: 5 }), await compare({ offset: 5, limit: 5 }), await compare({ offset: 10, limit: 5 })];
    expect(parts.flatMap(({ cases }) => cases)).toEqual(whole.cases);
    const wanted = whole.cases.find(({ standing }) => standing !== 'both_right')?.standing ?? 'a_only';
    const some = await compare({ standings: [wanted] });
    expect(some.total).toBe(whole.counts[wanted]);
    expect(some.cases.every(({ standing }) => standing === wanted)).toBe(true);
    expect(some.counts).toEqual(whole.counts);
    const bare = whole.cases.map((each) => ({ ...each, facts: null }));
    expect((await compare({ facts: false })).cases).toEqual(bare);
    const [column = '', [value = ''] = []] = Object.entries(whole.groups)[0] ?? [];
    const grouped = await compare({ group: { column, value } });
    expect(grouped.total).toBe(whole.cases.filter(({ groups }) => groups[column] === value).length);
    const [sought] = whole.cases;
    const found = await compare({ search: sought?.case ?? '' });
    expect(found.cases.map(({ case: id }) => id)).toContain(sought?.case);
    expect((await compare({ search: 'no such words anywhere' })).total).toBe(0);
  });

  test('say how many trials became right and wrong, and which of two is right', async () => {
    const { counts, mostly } = await compare();
    // Each tried a case once.
    expect(mostly).toEqual({ a: counts.a_only, b: counts.b_only });
    const { turned } = await pool.run('changed', { experiment, a: 'court', b: 'cot' });
    expect(turned).toMatchObject({ right: counts.a_only, wrong: counts.b_only, of: 12 });
    const { pairs } = await pool.run('flipped', { experiment, base: 'cot', swapped: 'court' });
    expect(pairs.length).toBeGreaterThan(0);
    for (const { base, swapped } of pairs)
      for (const { trial, correct } of [base, swapped]) expect(correct).toBe(lines.find((line) => line.trial === trial)?.correct);
  });

  test('say how many of these had no verdict in one of the two', () => {
    const pair = (base: string | null, swapped: string | null) => {
      const [one, other] = [base, swapped].map((prediction) => ({ truth: 'YES', prediction, correct: prediction === 'YES' }));
      return { base: one, swapped: other } as unknown as Parameters<typeof turnedIn>[0][number];
    };
    const pairs = [pair(null, 'YES'), pair('NO', 'YES'), pair('YES', null), pair('NO', null), pair('YES', 'YES')];
    expect(turnedIn(pairs)).toEqual({ right: 2, wrong: 1, undecided: 2, of: 5 });
  });

  test('have a test of the papers of both measures, from the seed of the experiment', async () => {
    const { paper_style } = await compare({ resampled: true });
    expect(paper_style.map(({ measure, replicates, seed }) => [measure, replicates, seed])).toEqual([
      ['accuracy', 20, 42],
      ['macro_f1', 20, 42],
    ]);
  });
});

test('a baseline has verdicts without trials', async () => {
  const report = await pool.run('statistics', { experiment, resamples: 0, cache: null });
  const name = report.baselines[0]?.arm ?? '';
  const { cases } = await compare({ b: name, baseline: true });
  expect(cases.length).toBe(12);
  expect(cases.every(({ b }) => b.length === 1 && b[0]?.trial === null && b[0].prediction !== null)).toBe(true);
});

test('a baseline answers the cases of a part that no trial decided, as in the report', async () => {
  const failed = lines.find(({ outcome, truth }) => outcome !== null && outcome !== 'decided' && truth !== null);
  const subset = { outcomes: failed?.outcome ? [failed.outcome] : [], known: ['truth' as const] };
  const report = await pool.run('statistics', { experiment, subset, resamples: 0, cache: null });
  const row = report.comparisons.find(({ a, baseline }) => baseline && a === failed?.arm);
  const { total } = await compare({ a: row?.a ?? '', b: row?.b ?? '', baseline: true, subset });
  expect(row?.paired_cases).toBeGreaterThan(0);
  expect(total).toBe(row?.paired_cases);
});

test('an arm is not compared with itself, nor with what the experiment does not have', async () => {
  await expect(compare({ b: 'court' })).rejects.toThrow('cannot be compared with itself');
  const unknown = (name: string, field: string) => ({
    code: 'bad-input',
    message: expect.stringContaining(`no ${name} "nobody"`),
    place: { field },
  });
  await expect(compare({ a: 'nobody' })).rejects.toMatchObject(unknown('arm', 'a'));
  await expect(compare({ b: 'nobody', baseline: true })).rejects.toMatchObject(unknown('baseline', 'b'));
});
