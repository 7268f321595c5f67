import { expect, test } from 'vitest';
import { randomGenerator } from '../../../core/cases/shuffle.ts';
import { court, figuresOf } from '../../../core/figures/deliberation.fixture.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { behindMark } from '../kit/plot.ts';
import { measure, sourcesOf } from './deliberation.fixture.ts';
import { persuasionByTurnFigure as figure } from './persuasionByTurn.ts';
import { dataOf, drawnIn, mark } from './report.fixture.ts';

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
const drawnWith = (some: readonly Measure[]) => dataOf(figure, sourcesOf(ways, [{ arm: 'court', measures: some }]));
const data = drawnWith(measures);

test('means of the report are placed by turn and side, turns in their order, single speeches behind them', () => {
  const series = drawnIn(data);
  expect(series['prosecution:0']).toEqual([[1 - 0.18, 0.2]]);
  expect(series['defense:0']).toEqual([
    [1 + 0.18, 0.35],
    [0 + 0.18, 0.05],
  ]);
  expect(series['prosecution:0-interval']).toEqual([[1 - 0.18, 0.1, expect.closeTo(0.3, 9)]]);
  // P2 moved a from 0.4 to 0.7 and b from 0.3 to 0.4.
  expect(series['dots-prosecution:0']?.map((dot) => (dot as number[])[1])).toEqual([0.3, 0.1]);
});

/** Trials in which the prosecution's closing moves P(YES) up by 0.2 and the defense's closing one way and the other. */
const many = (cases: number) =>
  figuresOf(
    Array.from({ length: cases }, (_none, place) => court(`c${place}`, [null, 0.4, 0.6, place % 2 === 0 ? 0.5 : 0.7], 0.6)),
  );
const whole = (side: 'prosecution' | 'defense', value: number, n: number) =>
  [null, 'closing'].map((turn) => persuasion(side, turn, value, { n, cases: n }));
const said = (cases: number, some: readonly Measure[]) =>
  dataOf(figure, sourcesOf(many(cases), [{ arm: 'court', measures: some }])).finding?.sentence;

test('the belief is said to be nearer to a side where its interval lies above 0 and the sign test over cases bears it out', () => {
  expect(said(8, [...whole('prosecution', 0.2, 8), ...whole('defense', 0.05, 8)])).toBe(
    'After a speech of the prosecution the judge’s belief is 20 points nearer to its side on average; whether it moves after one of the defense is unknown.',
  );
  expect(said(8, [...whole('defense', 0.05, 8)])).toBeUndefined();
  // Where the interval says so, but as many cases went the one way as the other.
  expect(said(8, [...whole('defense', 0.3, 8)])).toBeUndefined();
  const bare = { low: null, high: null };
  expect(
    said(8, [persuasion('prosecution', null, 0.2, { n: 8, ...bare }), persuasion('prosecution', 'closing', 0.2)]),
  ).toBeUndefined();
});

test('a few cases that all went one way are no finding, however far the interval lies from 0', () => {
  expect(said(3, whole('prosecution', 0.2, 3))).toBeUndefined();
  expect(said(5, whole('prosecution', 0.2, 5))).toBeUndefined();
  expect(said(6, whole('prosecution', 0.2, 6))).toContain('20 points nearer to its side');
  // Two tests at once ask for more: 2 x 2 / 2^6 is above 5%.
  expect(said(6, [...whole('prosecution', 0.2, 6), ...whole('defense', 0.05, 6)])).toBeUndefined();
});

test('of 200 experiments of noise at most one in twenty gets a sentence, however sure their intervals are', () => {
  const generator = randomGenerator(7, 'noise');
  const noise = () => 0.5 + ((generator.next() >>> 0) / 2 ** 32 - 0.5) / 2;
  const sentences = Array.from({ length: 200 }).filter(() => {
    const found = figuresOf(
      Array.from({ length: 12 }, (_none, place) => court(`c${place}`, [null, noise(), noise(), noise()], noise())),
    );
    const some = (['prosecution', 'defense'] as const).flatMap((side) => {
      const own = found.effects.towards.filter((_value, place) => found.effects.side[place] === side);
      const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
      const ends = { n: own.length, low: mean - 1e-6, high: mean + 1e-6 };
      return [null, 'closing'].map((turn) => persuasion(side, turn, mean, ends));
    });
    return dataOf(figure, sourcesOf(found, [{ arm: 'court', measures: some }])).finding !== null;
  });
  expect(sentences.length).toBeLessThanOrEqual(10);
});

test('nothing is said if single speeches are not listed', () => {
  const untold = many(8);
  const none = { row: [], side: [], turn: [], towards: [], leftOut: 16 };
  const sources = sourcesOf({ ...untold, effects: none }, [{ arm: 'court', measures: whole('prosecution', 0.2, 8) }]);
  expect(dataOf(figure, sources).finding).toBeNull();
});

test('the caption says n, intervals and direction; the table has all turns too', () => {
  expect(data.caption).toMatch(
    /^2 speeches behind each mark\. Lines are 95% bootstrap intervals over cases\. Above 0: towards .* Only 2 cases/,
  );
  expect(data.table.rows.map(([arm, side, turn, value]) => [arm, side, turn, value])).toEqual([
    ['court', 'prosecution', 'closing', 0.2],
    ['court', 'defense', 'closing', 0.35],
    ['court', 'defense', 'opening', 0.05],
    ['court', 'prosecution', 'all turns', 0.2],
    ['court', 'defense', 'all turns', 0.05],
  ]);
});

test('a mark leads to the trials with such a speech, a dot to its own, an interval to those of its mark', () => {
  expect(behindMark(data, mark('defense:0', 1))).toEqual({ trials: ['court/a', 'court/b'], counts: { n: 2, of: 'speeches' } });
  expect(behindMark(data, mark('dots-prosecution:0', 1))).toEqual({ trials: ['court/b'], counts: { n: 1, of: 'speeches' } });
  expect(behindMark(data, mark('defense:0-interval', 0))).toEqual(behindMark(data, mark('defense:0', 0)));
  expect(behindMark(data, mark('none:0', 0))).toBeNull();
  expect(data.table.behind(0)).toEqual({ trials: ['court/a', 'court/b'], counts: { n: 2, of: 'speeches' } });
  const turns = dataOf(figure, sourcesOf(many(2), [{ arm: 'court', measures: whole('prosecution', 0.2, 2) }]));
  expect(turns.table.rows[1]?.[2]).toBe('all turns');
  expect(turns.table.behind(1)).toEqual({ trials: ['court/c0', 'court/c1'], counts: { n: 2, of: 'speeches' } });
});

test('without speeches between beliefs it is absent', () => {
  expect(figure.plot(sourcesOf(ways, [{ arm: 'court', measures: [] }]))).toBeNull();
});
