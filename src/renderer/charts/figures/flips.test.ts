import { expect, test } from 'vitest';
import { court, figuresOf } from '../../../core/figures/deliberation.fixture.ts';
import { mergedOrder } from '../kit/beliefLines.ts';
import { sourcesOf } from './deliberation.fixture.ts';
import { flipsFigure as figure } from './flips.ts';
import { dataOf, drawnIn } from './report.fixture.ts';

const trials = [
  court('a', [0.6, 0.4, 0.7, 0.3], 0.2),
  court('b', [0.2, 0.3, 0.4, 0.1], 0.1),
  court('c', [0.2, 0.3, 0.4, 0.1], 0.9),
  court('d', [0.5, 0.5, 0.5, 0.5], 0.4),
];
const data = dataOf(figure, sourcesOf(figuresOf(trials, {}, 200)));

test('trials are counted by their changes and by the step of the last', () => {
  const series = drawnIn(data);
  expect(series['count:0']).toEqual([0.5, 0.25, 0, 0.25, 0]);
  // a changes last at D2, c at the verdict; steps without a change are not drawn.
  expect(data.table.columns.slice(-2).map(({ name }) => name)).toEqual(['last at D2', 'last at verdict']);
  expect(series['last:0']).toEqual([0.25, 0.25]);
  const [row = []] = data.table.rows;
  expect(row.slice(0, 3)).toEqual(['court', 4, 0.5]);
  expect(row.slice(5, 6)).toEqual([1]);
  expect(row.slice(8)).toEqual([2, 1, 0, 1, 0, 1, 1]);
});

test('all counts are of all trials', () => {
  const [row = []] = data.table.rows;
  const counts = row.slice(8, 13).map(Number);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(row[1]);
  expect(row.slice(13).reduce((sum: number, count) => sum + Number(count), 0)).toBe(trials.length - (counts[0] ?? 0));
});

test('the share has its interval, and few cases are said', () => {
  // scipy 1.17.1: binomtest(2, 4).proportion_ci(method='wilson')
  expect(data.caption).toContain('4 decided trials: in 2 of 4 trials the lead changes at least once, 50% [15%, 85%]');
  expect(data.caption).toContain('1 change in a trial on average');
  expect(data.caption).toContain('Only 4 cases');
});

test('without beliefs one after the other it is absent', () => {
  const none = figuresOf(trials.map(({ line }) => ({ line, decided: null })));
  expect(figure.plot(sourcesOf(none))).toBeNull();
});

test('steps of several arms keep the order of each', () => {
  const short = ['P1', 'D1', 'verdict'];
  const long = ['start', 'P1', 'D1', 'P2', 'D2', 'verdict'];
  expect(mergedOrder([short, long])).toEqual(long);
  expect(mergedOrder([long, short])).toEqual(long);
  expect(mergedOrder([short, ['round 1', 'verdict']])).toEqual(['round 1', 'P1', 'D1', 'verdict']);
});
