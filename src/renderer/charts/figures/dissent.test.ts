import { expect, test } from 'vitest';
import { bench, court, figuresOf } from '../../../core/figures/deliberation.fixture.ts';
import { sourcesOf } from './deliberation.fixture.ts';
import { dissentFigure as figure } from './flips.ts';
import { dataOf, drawnIn } from './report.fixture.ts';

const trials = [
  bench('a', { NO: 3 }, 'NO'),
  bench('b', { NO: 3 }, 'NO'),
  bench('c', { YES: 2, NO: 1 }, 'YES'),
  bench('d', { NO: 2, YES: 1 }, 'NO'),
];
const data = dataOf(figure, sourcesOf(figuresOf(trials, {}, 200)));

test('accuracy is shown by how the bench split, with Wilson intervals', () => {
  // scipy 1.17.1: binomtest(2, 2) and binomtest(1, 2), proportion_ci(method='wilson')
  const near = (value: number) => expect.closeTo(value, 5);
  expect(data.table.rows).toEqual([
    ['bench', 'unanimous', 2, 0.5, near(0.150039), near(0.849961), 1, near(0.34238), near(1), 2],
    ['bench', 'bench majority', 2, 0.5, near(0.150039), near(0.849961), 0.5, near(0.094531), near(0.905469), 2],
  ]);
  const series = drawnIn(data);
  expect(series.accuracy).toEqual([
    [1, 0],
    [0.5, 1],
  ]);
});

test('the caption has the agreement of pairs, and that few cases are few', () => {
  // (1 + 1 + 1/3 + 1/3) / 4
  expect(data.caption).toContain('bench 66.7%');
  expect(data.caption).toContain('Only 2 cases');
});

test('without a bench it is absent', () => {
  expect(figure.plot(sourcesOf(figuresOf([court('x', [0.2], 0.1)])))).toBeNull();
});
