import { describe, expect, test } from 'vitest';
import { behindMark } from '../kit/plot.ts';
import { comparisonsForestFigure as figure } from './comparisonsForest.ts';
import { dataOf, mark, pointsOf, seriesOf } from './report.fixture.ts';
import { sourcesOf } from './traces.fixture.ts';

const comparison = (
  b: string,
  baseline: boolean,
  [value, low, high]: readonly (number | null)[],
  adjusted: number | null,
  least: number | null,
) => ({
  a: 'court',
  b,
  baseline,
  paired_cases: 40,
  in_family: b !== 'stratified-random',
  difference: { value, low, high, level: 0.95 },
  mcnemar: { a_only: 3, b_only: 1, p: adjusted, p_adjusted: adjusted },
  wilcoxon: null,
  differences: [],
  cliffs_delta: null,
  smallest_detectable_difference: least,
});

const report = {
  comparisons: [
    comparison('alone', false, [0.2, 0.1, 0.3], 0.01, 0.15),
    comparison('vote', false, [0.1, 0.02, 0.18], 0.06, null),
    comparison('majority', true, [-0.05, -0.2, 0.1], 0.5, 0.25),
  ],
};

describe('all comparisons', () => {
  const data = dataOf(figure, sourcesOf({}, report));
  const series = seriesOf(data);

  test('are marked by the written rule: the interval excludes 0 and the adjusted p-value at most 5%', () => {
    expect(pointsOf(series, 'stated')).toEqual([
      [0.2, 0],
      ['-', 1],
      ['-', 2],
    ]);
    expect(pointsOf(series, 'unstated')).toEqual([
      ['-', 0],
      [0.1, 1],
      [-0.05, 2],
    ]);
    expect(pointsOf(series, 'unstated-interval')).toEqual([
      [0, '-', '-'],
      [1, 0.02, 0.18],
      [2, -0.2, 0.1],
    ]);
  });

  test('with what predicts by lot are not tested, and are not called alike', () => {
    const drawn = { comparisons: [comparison('stratified-random', true, [0.2, 0.1, 0.3], null, null)] };
    expect(pointsOf(seriesOf(dataOf(figure, sourcesOf({}, drawn))), 'untested')).toEqual([[0.2, 0]]);
  });

  test('are not tested over a part of the trials, and the caption says so', () => {
    const comparisons = [comparison('alone', false, [0.2, 0.1, 0.3], null, 0.15)];
    const part = dataOf(figure, sourcesOf({}, { comparisons, part: 'kind musical' }));
    expect(pointsOf(seriesOf(part), 'untested')).toEqual([[0.2, 0]]);
    expect(part.legend).toEqual(['not tested (a part)']);
    expect(part.caption).toContain('Over a part of the trials no pair is tested.');
    expect(part.caption).not.toContain('Two arms differ');
  });

  test('have the difference that would be found four times in five behind them', () => {
    expect(pointsOf(series, 'least-interval')).toEqual([
      [0, -0.15, 0.15],
      [1, '-', '-'],
      [2, -0.25, 0.25],
    ]);
  });

  test('say that nothing shown is no equality', () => {
    expect(data.caption).toContain('Otherwise the cases do not show whether they differ.');
    expect(data.table.rows[2]).toEqual(['court', 'majority', 40, -0.05, -0.2, 0.1, 0.25, 0.5, 0.5, 'no']);
  });

  test('lead to the trials of both, of a baseline to those of the arm', () => {
    expect(behindMark(data, mark('stated', 0))).toMatchObject({
      status: 'done',
      subset: { arms: ['court', 'alone'], known: ['truth'] },
      matched: { arms: ['court', 'alone'], by: 'case' },
      counts: { n: 40, of: 'cases' },
      pair: { a: 'court', b: 'alone', baseline: false },
    });
    expect(behindMark(data, mark('unstated', 2))).toMatchObject({
      status: 'done',
      subset: { arms: ['court'], known: ['truth'] },
      pair: { a: 'court', b: 'majority', baseline: true },
    });
    expect(behindMark(data, mark('least-interval', 0))).toBeNull();
    expect(data.table.behind(1)).toMatchObject({ pair: { a: 'court', b: 'vote', baseline: false } });
  });

  test('begin with the one decided beforehand, and the caption says so', () => {
    const [first, ...others] = report.comparisons.toReversed();
    const decided = dataOf(figure, sourcesOf({}, { comparisons: [...others, { ...first, primary: true, in_family: false }] }));
    expect(decided.table.rows.map(([, b]) => b)).toEqual(['majority', 'vote', 'alone']);
    expect(decided.caption).toContain('The first pair was decided beforehand.');
    expect(data.caption).not.toContain('beforehand');
  });

  test('are absent where no pair has common cases', () => {
    const apart = [comparison('alone', false, [null, null, null], null, null)];
    expect(figure.plot(sourcesOf({}, { comparisons: apart }))).toBeNull();
  });
});
