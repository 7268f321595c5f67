import { describe, expect, test } from 'vitest';
import { behindMark } from '../kit/plot.ts';
import { accuracyF1BarsFigure as bars, accuracyByArmFigure as byArm } from './accuracy.ts';
import { armOf, constant, dataOf, mark, seriesOf, sourcesOf } from './report.fixture.ts';

// 3 right YES, 1 missed YES, 2 right NO, 1 false YES, 1 failure: 5 of 8 right; of the seven decided tp 3, fp 1, fn 1, tn 2.
const court = [
  ['YES', 'YES'],
  ['YES', 'YES'],
  ['YES', 'YES'],
  ['YES', 'NO'],
  ['NO', 'NO'],
  ['NO', 'NO'],
  ['NO', 'YES'],
  ['YES', '-'],
] as const;
const worse = court.map(([truth], place) => [truth, place < 3 ? truth : '-'] as const);
const lines = [
  ...armOf('big, worse', worse, { models: ['big'] }),
  ...armOf('small', worse, { models: ['small'] }),
  ...armOf('big', court, { models: ['big'] }),
];
const sources = sourcesOf(lines, { baselines: [constant('majority', 'YES', 8)] });
const ofAll = { status: 'done', subset: { known: ['truth'] } };
const ofDecided = { outcome: 'decided', subset: { known: ['truth'] } };

describe('accuracy and F1 by arm', () => {
  const data = dataOf(byArm, sources);

  test('has the best arm first, the intervals next to the marks, and the baseline as a line', () => {
    const series = seriesOf(data);
    expect(series.accuracy?.data).toEqual([
      [5 / 8, 0],
      [3 / 8, 1],
      [3 / 8, 2],
    ]);
    expect(series.f1?.data[0]).toEqual([6 / 8, 0]);
    // Wilson interval of 5 of 8.
    const [, low, high] = (series['accuracy-interval']?.data[0] ?? []) as number[];
    expect([low, high]).toEqual([expect.closeTo(0.3057, 4), expect.closeTo(0.8632, 4)]);
    expect(series['f1-interval']?.data[0]).toEqual([0, '-', '-']);
    expect(series['estimates-lines']?.markLine?.data).toMatchObject([{ xAxis: 5 / 8, name: 'majority' }]);
    expect(data.table.rows[0]).toEqual(['big', 5 / 8, low, high, 8, 'Wilson', 6 / 8, null, null, 7, null]);
  });

  test('says whose F1 it is: of the positive label, and without one the mean over the labels', () => {
    const { columns, rows } = dataOf(byArm, sourcesOf(armOf('court', court), { positive: null })).table;
    expect([data.table.columns[6]?.name, columns[6]?.name, rows[0]?.[6]]).toEqual(['F1 of YES', 'macro-F1', (6 / 8 + 4 / 6) / 2]);
  });

  test('says n, how the intervals were drawn, and that few cases are few', () => {
    expect(data.caption).toBe(
      '8 finished trials of 8 cases in each arm. Lines are 95% intervals over cases. A failed trial counts as not correct; F1 of YES is of decided trials. Dotted: accuracy of the baselines (majority 62.5%). Only 8 cases: a few more could change the result.',
    );
  });

  test('leads from a mark and a row to the trials that it is over, from a line of reference to none', () => {
    expect(behindMark(data, mark('accuracy', 1))).toMatchObject({ arm: 'big, worse', ...ofAll });
    expect(behindMark(data, mark('f1-interval', 1))).toMatchObject({ arm: 'big, worse', ...ofDecided });
    expect(behindMark(data, mark('estimates-lines', 0))).toBeNull();
    expect(data.table.behind(0)).toMatchObject({ arm: 'big', ...ofAll });
  });

  test('leaves out arms with something exchanged, and is absent without a truth', () => {
    const both = [...armOf('court', court), ...armOf('court~sides', court, { swap: 'sides', base_arm: 'court' })];
    expect(dataOf(byArm, sourcesOf(both)).table.rows).toHaveLength(1);
    expect(byArm.plot(sourcesOf(armOf('court', court, { truth: null })))).toBeNull();
  });
});

describe('accuracy and F1 by model and protocol', () => {
  const data = dataOf(bars, sources);

  test('has arms of a model together, the best model first, then the baselines, which have no trials', () => {
    expect(data.table.rows.map(([name]) => name)).toEqual(['big', 'big, worse', 'small', 'baseline: majority']);
    expect(behindMark(data, mark('accuracy', 3))).toBeNull();
    expect(data.table.behind(3)).toBeNull();
    expect(behindMark(data, mark('accuracy', 0))).toMatchObject({ arm: 'big', ...ofAll });
    expect(behindMark(data, mark('macro-f1-interval', 2))).toMatchObject({ arm: 'small', ...ofDecided });
  });

  test('has the F1 of both labels and their mean, and the best baseline as a line', () => {
    const series = seriesOf(data);
    expect(series['f1-positive']).toMatchObject({ name: 'F1 of YES' });
    expect(['f1-positive', 'f1-negative', 'macro-f1'].map((id) => series[id]?.data[0])).toEqual([
      [6 / 8, 0],
      [4 / 6, 0],
      [(6 / 8 + 4 / 6) / 2, 0],
    ]);
    expect(series['estimates-lines']?.markLine?.data).toMatchObject([{ xAxis: 5 / 8, name: 'accuracy of majority' }]);
    expect(data.caption).toContain('F1 is of decided trials alone. Dotted: accuracy of the best baseline, majority.');
  });

  test('has the mean over the labels alone without a positive label', () => {
    const open = dataOf(bars, sourcesOf(armOf('a', court), { positive: null }));
    expect(Object.keys(seriesOf(open)).filter((id) => id.includes('f1'))).toEqual(['macro-f1', 'macro-f1-interval']);
  });
});
