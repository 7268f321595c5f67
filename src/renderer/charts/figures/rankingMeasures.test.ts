import { expect, test } from 'vitest';
import { trial } from '../../../core/statistics/measures/trials.fixture.ts';
import { rankingMeasuresFigure as figure } from './rankingMeasures.ts';
import { dataOf, linesOf, seriesOf, sourcesOf } from './report.fixture.ts';

const labels = ['A', 'B', 'C', 'D'];
/** Cases whose truth is A: of the given number it is likeliest, of the others it is the second. */
const ranked = (first: number, of: number) =>
  Array.from({ length: of }, (_none, place) => {
    const right = place < first;
    const belief = { A: right ? 0.7 : 0.2, B: right ? 0.2 : 0.7, C: 0.1, D: 0 };
    return trial(`c${place}`, { truth: 'A', prediction: right ? 'A' : 'B', belief });
  });

const lines = [
  ...linesOf('weak', ranked(2, 16), { models: ['a'] }),
  ...linesOf('strong', ranked(4, 16), { models: ['b'] }),
  ...linesOf('stranger', ranked(16, 16), { models: ['c'] }),
  ...linesOf('pair', ranked(16, 16), { models: ['a', 'b'] }),
];
const terms = { labels, positive: null, resamples: 200 };
const data = dataOf(figure, sourcesOf(lines, terms));

test('a pair comes before the stronger of its single models, and the others after them', () => {
  expect(data.table.rows.map(([arm]) => arm)).toEqual(['pair', 'strong', 'weak', 'stranger']);
  expect(data.table.rows[0]?.slice(-3)).toEqual(['strong', expect.stringMatching(/^\+75 points/), 'pair']);
});

test('ranks, F1 and the Brier score are those of the beliefs', () => {
  const series = seriesOf(data);
  // strong: 4 of 16 first, all among three; reciprocal ranks 4 * 1 and 12 * 1/2.
  expect(series['accuracy-at-1']?.data[1]).toEqual([4 / 16, 1]);
  expect(series['accuracy-at-3']?.data[1]).toEqual([1, 1]);
  expect(series['reciprocal-rank']?.data[1]).toEqual([10 / 16, 1]);
  // Losses half of 0.3² + 0.2² + 0.1² = 0.07 and half of 0.8² + 0.7² + 0.1² = 0.57.
  expect((series.brier?.data[1] as number[] | undefined)?.[0]).toBeCloseTo((4 * 0.07 + 12 * 0.57) / 16, 12);
});

test('a sentence is said of a pair that is shown to be better, and of none that is not', () => {
  expect(data.finding?.sentence).toBe('pair is right more often than its stronger single model, strong.');
  const alike = lines.map((line) =>
    line.arm === 'pair' ? { ...line, prediction: Number(line.case.slice(1)) < 5 ? 'A' : 'B' } : line,
  );
  expect(dataOf(figure, sourcesOf(alike, terms)).finding).toBeNull();
});

test('the stronger single model is the most accurate one, also where it states no beliefs', () => {
  const silent = linesOf(
    'silent',
    ranked(12, 16).map((each) => ({ ...each, belief: null })),
    { models: ['a'] },
  );
  const found = dataOf(figure, sourcesOf([...lines, ...silent], terms));
  expect(found.table.rows.map(([arm]) => arm)).toEqual(['pair', 'weak', 'strong', 'stranger']);
  expect(found.caption).toContain('against its stronger single model silent: accuracy +25 points');
  expect(found.finding).toBeNull();
});

test('a model that only looks for precedents makes no pair of an arm', () => {
  const some = [
    ...linesOf('alone', ranked(4, 16), { models: ['b'] }),
    ...linesOf('looks up', ranked(16, 16), { models: ['b', 'vectors'] }),
  ];
  const casts = { 'looks up': { '*': { model: 'b' }, retriever: { model: 'vectors' } } };
  expect(dataOf(figure, sourcesOf(some, { ...terms, casts })).caption).toContain('There is no arm of several models');
});

test('of two labels there are no ranks, and without beliefs no figure', () => {
  const two = linesOf('a', [trial('c0', { belief: { NO: 0.75, YES: 0.25 } })]);
  expect(Object.keys(seriesOf(dataOf(figure, sourcesOf(two)))).filter((id) => !/-(?:interval|lines)$/.test(id))).toEqual([
    'macro-f1',
    'brier',
  ]);
  expect(figure.plot(sourcesOf(linesOf('a', [trial('c0')])))).toBeNull();
});
