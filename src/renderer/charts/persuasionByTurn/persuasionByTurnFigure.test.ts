import { expect, test } from 'vitest';
import { court, figuresOf } from '../../../core/figures/deliberation.fixture.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { at, drawnOf, measure, paint, seriesOf, size, sourcesOf } from '../deliberation/report.fixture.ts';
import { persuasionByTurnFigure as figure } from './persuasionByTurnFigure.ts';

const ways = figuresOf([court('a', [0.6, 0.4, 0.7, 0.3], 0.2), court('b', [0.2, 0.3, 0.4, 0.1], 0.1)]);
const persuasion = (side: 'prosecution' | 'defense', turn: string | null, value: number, change: Partial<Measure> = {}) =>
  measure('persuasion', value, { side, turn, over: 'speeches', n: 2, cases: 2, ...change });
const measures = [
  persuasion('prosecution', null, 0.2),
  persuasion('prosecution', 'closing', 0.2),
  persuasion('defense', null, 0.05),
  persuasion('defense', 'closing', 0.35),
  persuasion('defense', 'opening', 0.05),
];
const dataOf = (some: readonly Measure[]) => drawnOf(figure, sourcesOf(ways, [{ arm: 'court', measures: some }]));
const data = dataOf(measures);

test('means of the report stand by turn and side, turns in their order, single speeches behind them', () => {
  const series = seriesOf(figure.option(data, paint, size));
  expect(series['prosecution:0']).toEqual([[1 - 0.18, 0.2]]);
  expect(series['defense:0']).toEqual([
    [1 + 0.18, 0.35],
    [0 + 0.18, 0.05],
  ]);
  expect(series['prosecution:0-interval']).toEqual([[1 - 0.18, 0.1, expect.closeTo(0.3, 9)]]);
  // P2 moved a from 0.4 to 0.7 and b from 0.3 to 0.4.
  expect(series['dots-prosecution:0']?.map((dot) => (dot as number[])[1])).toEqual([0.3, 0.1]);
});

test('a side is said to move the judge where its interval lies above 0, and nothing is said where neither can be told', () => {
  expect(figure.finding?.(data)?.sentence).toBe(
    'A speech of the prosecution moves the judge 20 points towards its side; whether one of the defense moves the judge at all cannot be told.',
  );
  const against = dataOf([persuasion('prosecution', null, -0.3), persuasion('prosecution', 'closing', -0.3)]);
  expect(figure.finding?.(against)?.sentence).toBe('A speech of the prosecution moves the judge 30 points away from its side.');
  expect(
    figure.finding?.(dataOf([persuasion('prosecution', null, 0.05), persuasion('prosecution', 'closing', 0.05)])),
  ).toBeNull();
  const bare = { low: null, high: null };
  expect(
    figure.finding?.(dataOf([persuasion('defense', null, 0.4, bare), persuasion('defense', 'opening', 0.4, bare)])),
  ).toBeNull();
});

test('the caption says n, intervals and direction; the table has all turns too', () => {
  expect(figure.caption(data)).toMatch(
    /^n = 2 speeches a mark, lines are 95% bootstrap intervals over cases\. Above 0: towards .* Only 2 cases/,
  );
  expect(figure.table(data).rows.map(([arm, side, turn, value]) => [arm, side, turn, value])).toEqual([
    ['court', 'prosecution', 'closing', 0.2],
    ['court', 'defense', 'closing', 0.35],
    ['court', 'defense', 'opening', 0.05],
    ['court', 'prosecution', 'all turns', 0.2],
    ['court', 'defense', 'all turns', 0.05],
  ]);
});

test('a mark leads to the trials with such a speech, a dot to its own, an interval to none', () => {
  expect(figure.behind(data, at('defense:0', 1))).toEqual({ trials: ['court/a', 'court/b'] });
  expect(figure.behind(data, at('dots-prosecution:0', 1))).toEqual({ trials: ['court/b'] });
  expect(figure.behind(data, at('defense:0-interval', 0))).toBeNull();
  expect(figure.behind(data, at('none:0', 0))).toBeNull();
  expect(figure.behindRow(data, 0)).toEqual({ trials: ['court/a', 'court/b'] });
});

test('without speeches between beliefs there is a sentence', () => {
  expect(figure.data(sourcesOf(ways, [{ arm: 'court', measures: [] }]))).toMatchObject({
    absent: expect.stringContaining('"beliefUpdates": "live"'),
  });
});
