import { expect, test } from 'vitest';
import type { FigureSources } from '../kit/figure.ts';
import { paintOf } from '../kit/paint.ts';
import { behindMark, optionOf } from '../kit/plot.ts';
import { accuracyByArmFigure as figure } from './accuracy.ts';

const paint = paintOf('light', (token) => token);

type Arm = FigureSources['report']['arms'][number];

const measure = (name: string, over: string, value: number | null, low: number | null, high: number | null, n: number) => ({
  name,
  label: name === 'f1' ? 'YES' : null,
  over,
  value,
  low,
  high,
  n,
  cases: n,
  interval_method: 'wilson',
});

const arm = (name: string, accuracy: number | null, n: number, swap: string | null = null) =>
  ({
    arm: name,
    swap,
    measures: [
      measure('accuracy', 'decided', 1, 1, 1, n),
      measure(
        'accuracy',
        'all',
        accuracy,
        accuracy === null ? null : accuracy - 0.1,
        accuracy === null ? null : accuracy + 0.1,
        n,
      ),
      measure('f1', 'decided', 0.5, null, null, n - 1),
      measure('macro_f1', 'decided', 0.6, null, null, n - 1),
    ],
  }) as unknown as Arm;

const sources = (arms: readonly Arm[], baselines: readonly Arm[] = [], positive: string | null = 'YES') =>
  ({ report: { arms, baselines, positive, interval: { level: 0.95 } } }) as unknown as FigureSources;

function dataOf(arms: readonly Arm[], baselines: readonly Arm[] = []) {
  const data = figure.plot(sources(arms, baselines));
  if (data === null) throw new Error('There is nothing to draw.');
  return data;
}

const seriesOf = (option: object) =>
  Object.fromEntries((option as { series: { id: string; data: unknown[] }[] }).series.map((each) => [each.id, each]));

test('arms come best first, each with its accuracy of all and its F1, and their intervals beside the marks', () => {
  const data = dataOf([arm('court', 0.5, 40), arm('alone', 0.75, 40)], [arm('majority', 0.6, 40)]);
  const series = seriesOf(optionOf(data, paint, { width: 600, height: 200 }));
  expect(series.accuracy?.data).toEqual([
    [0.75, 0],
    [0.5, 1],
  ]);
  expect(series['accuracy-interval']?.data).toEqual([
    [0, 0.65, 0.85],
    [1, 0.4, 0.6],
  ]);
  expect(series['f1-interval']?.data).toEqual([
    [0, '-', '-'],
    [1, '-', '-'],
  ]);
  expect(series['estimates-lines']).toMatchObject({ markLine: { data: [{ xAxis: 0.6, name: 'majority' }] } });
  expect(data.table.rows[0]).toEqual(['alone', 0.75, 0.65, 0.85, 40, 'wilson', 0.5, null, null, 39, 'wilson']);
});

test('the F1 is of the positive label and without one the mean over the labels, and says which', () => {
  const namesAndValue = (positive: string | null) => {
    const data = figure.plot(sources([arm('court', 0.5, 40)], [], positive));
    if (data === null) throw new Error('There is nothing to draw.');
    const { columns, rows } = data.table;
    return [columns[6]?.name, rows[0]?.[6]];
  };
  expect(namesAndValue('YES')).toEqual(['F1 of YES', 0.5]);
  expect(namesAndValue(null)).toEqual(['macro-F1', 0.6]);
});

test('the caption says n, how the intervals were drawn, and that few cases are few', () => {
  expect(dataOf([arm('court', 0.5, 40)]).caption).toBe(
    '40 finished trials of 40 cases. Lines are 95% intervals over cases. A failed trial counts as not correct; F1 of YES is of decided trials.',
  );
  expect(dataOf([arm('court', 0.5, 12), arm('alone', 0.5, 40)]).caption).toMatch(
    /^12 to 40 finished trials of 12 to 40 cases in each arm\. .* Only 12 cases: one more could change the picture\.$/,
  );
});

test('a mark leads to the trials that it is over, a line of reference to none', () => {
  const data = dataOf([arm('court', 0.5, 40), arm('alone', 0.75, 40)]);
  const mark = { seriesIndex: 0, dataIndex: 1 };
  expect(behindMark(data, { ...mark, seriesId: 'accuracy' })).toMatchObject({
    arm: 'court',
    status: 'done',
    subset: { known: ['truth'] },
  });
  expect(behindMark(data, { ...mark, seriesId: 'f1-interval' })).toMatchObject({
    arm: 'court',
    outcome: 'decided',
    subset: { known: ['truth'] },
  });
  expect(behindMark(data, { ...mark, seriesId: 'estimates-lines' })).toBeNull();
  expect(data.table.behind(0)).toMatchObject({ arm: 'alone', status: 'done', subset: { known: ['truth'] } });
});

test('arms with something exchanged have figures of their own, and without a truth there is none', () => {
  expect(dataOf([arm('court', 0.5, 40), arm('court swapped', 0.9, 40, 'sides')]).table.rows).toHaveLength(1);
  expect(figure.plot(sources([arm('court', null, 0)]))).toBeNull();
});

test('a hostile name is shown and cannot turn the text around', () => {
  const option = optionOf(dataOf([arm('a\u202Eb', 0.5, 40)]), paint, { width: 600, height: 200 });
  expect(JSON.stringify(option)).not.toContain('\u202E');
});
