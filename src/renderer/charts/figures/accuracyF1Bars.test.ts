import { expect, test } from 'vitest';
import { behindMark } from '../kit/plot.ts';
import { accuracyF1BarsFigure as figure } from './accuracy.ts';
import { armOf, constant, dataOf, seriesOf, sourcesOf } from './report.fixture.ts';

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
const sources = sourcesOf(
  [
    ...armOf('big, worse', worse, { models: ['big'] }),
    ...armOf('small', worse, { models: ['small'] }),
    ...armOf('big', court, { models: ['big'] }),
  ],
  { baselines: [constant('majority', 'YES', 8)] },
);
const data = dataOf(figure, sources);

test('arms of a model stand together, the best model first, then the baselines', () => {
  expect(data.table.rows.map(([name]) => name)).toEqual(['big', 'big, worse', 'small', 'baseline: majority']);
});

test('accuracy is of all finished, F1 of the decided by label and their mean', () => {
  const series = seriesOf(data);
  expect(series.accuracy?.data).toEqual([
    [5 / 8, 0],
    [3 / 8, 1],
    [3 / 8, 2],
    [5 / 8, 3],
  ]);
  expect(series['f1-positive']?.data[0]).toEqual([6 / 8, 0]);
  expect(series['f1-negative']?.data[0]).toEqual([4 / 6, 0]);
  expect(series['macro-f1']?.data[0]).toEqual([(6 / 8 + 4 / 6) / 2, 0]);
  expect(series['f1-positive']?.name).toBe('F1 of YES');
  // Wilson interval of 5 of 8.
  const [, low, high] = (series['accuracy-interval']?.data[0] ?? []) as number[];
  expect([low, high]).toEqual([expect.closeTo(0.3057, 4), expect.closeTo(0.8632, 4)]);
});

test('the best baseline is a line, and its trials are nowhere', () => {
  expect(seriesOf(data)['estimates-lines']?.markLine?.data).toMatchObject([{ xAxis: 5 / 8, name: 'accuracy of majority' }]);
  expect(behindMark(data, { seriesIndex: 0, seriesId: 'estimates-lines', dataIndex: 0 })).toBeNull();
  expect(behindMark(data, { seriesIndex: 0, seriesId: 'accuracy', dataIndex: 3 })).toBeNull();
  expect(data.table.behind(3)).toBeNull();
  expect(behindMark(data, { seriesIndex: 0, seriesId: 'accuracy', dataIndex: 0 })).toMatchObject({
    arm: 'big',
    status: 'done',
    subset: { known: ['truth'] },
  });
  expect(behindMark(data, { seriesIndex: 0, seriesId: 'macro-f1-interval', dataIndex: 2 })).toMatchObject({
    arm: 'small',
    outcome: 'decided',
  });
});

test('the caption says n, the intervals and that eight cases are few', () => {
  expect(data.caption).toBe(
    '8 finished trials of 8 cases in each arm. Lines are 95% intervals over cases. A failed trial counts as not correct in the accuracy; F1 is of decided trials alone. Dotted: accuracy of the best baseline, majority. Only 8 cases: one more could change the picture.',
  );
});

test('without a positive label there is the mean over the labels alone', () => {
  const open = dataOf(figure, sourcesOf(armOf('a', court), { positive: null }));
  expect(Object.keys(seriesOf(open))).toEqual([
    'accuracy',
    'accuracy-interval',
    'macro-f1',
    'macro-f1-interval',
    'estimates-lines',
  ]);
});
