import { expect, test } from 'vitest';
import { trial } from '../../../core/statistics/measures/trials.fixture.ts';
import { behindMark } from '../kit/plot.ts';
import { failuresFigure as figure } from './failures.ts';
import { dataOf, linesOf, mark, seriesOf, sourcesOf } from './report.fixture.ts';

const trials = [
  trial('c0'),
  trial('c1', { incomplete: true }),
  trial('c2', { inconsistent: true }),
  trial('c3', { outcome: 'malformed', prediction: null }),
  trial('c4', { outcome: 'timeout', prediction: null }),
];
const data = dataOf(figure, sourcesOf([...linesOf('court', trials), ...linesOf('cot', trials.slice(0, 1))]));

test('failures are shares of the finished by kind, the flags of what they are of', () => {
  const series = seriesOf(data);
  expect(series.malformed?.data).toEqual([1 / 5, 0]);
  expect(series.timeout?.data).toEqual([1 / 5, 0]);
  expect(series.incomplete?.data).toEqual([
    [1 / 5, 0],
    [0, 1],
  ]);
  // Of three decided ones.
  expect(series.inconsistent?.data[0]).toEqual([1 / 3, 0]);
  // Wilson interval of 2 of 5.
  expect(series['failed-interval']?.data[0]).toEqual([0, expect.closeTo(0.1176, 4), expect.closeTo(0.7693, 4)]);
  expect(series.overflow).toBeUndefined();
});

test('a bar leads to the trials that failed so', () => {
  expect(behindMark(data, mark('timeout', 0))).toMatchObject({ arm: 'court', outcome: 'timeout', counts: { of: 'trials' } });
  expect(behindMark(data, mark('timeout', 1))).toBeNull();
  expect(behindMark(data, mark('incomplete', 0))).toMatchObject({ arm: 'court', status: 'done' });
});

test('without a failure it is absent', () => {
  expect(figure.plot(sourcesOf(linesOf('cot', trials.slice(0, 1))))).toBeNull();
});
