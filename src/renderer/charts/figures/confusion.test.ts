import { expect, test } from 'vitest';
import { lettersIn } from '../kit/axes.ts';
import { behindMark } from '../kit/plot.ts';
import { confusionFigure as figure } from './confusion.ts';
import { armOf, dataOf, mark, pictureOf, seriesOf, sourcesOf } from './report.fixture.ts';

const pairs = [
  ['YES', 'YES'],
  ['YES', 'NO'],
  ['YES', 'NO'],
  ['NO', 'NO'],
  ['NO', '-'],
] as const;
const data = dataOf(figure, sourcesOf(armOf('court', pairs)));

test('rows are the truth, columns the verdict, a failure in none', () => {
  // Column, row, trials, share of the truth, whether right: one NO said NO, of three YES one said YES.
  expect(seriesOf(data)['cells-0']?.data).toEqual([
    [0, 0, 1, 1, 1],
    [1, 0, 0, 0, 0],
    [0, 1, 2, 2 / 3, 0],
    [1, 1, 1, 1 / 3, 1],
  ]);
  expect(data.table.rows[2]).toEqual(['court', 'YES', 'NO', 2, 2 / 3]);
  expect([1, 2].map((cell) => behindMark(data, mark('cells-0', cell)) === null)).toEqual([true, false]);
  expect(data.caption).toMatch(/^4 decided trials with a known truth\..*Only 4 cases/);
});

const labels = Array.from({ length: 41 }, (_none, place) => `l${place}`);
const many = [
  ['l0', 'l1'],
  ['l0', 'l1'],
  ['l0', 'l2'],
  ['l40', 'l40'],
] as const;

test('of more than twelve labels the most frequent confusions are drawn, and every cell is in the table', () => {
  const large = dataOf(figure, sourcesOf([...armOf('a', many), ...armOf('b', many.slice(0, 1))], { labels, positive: null }));
  const series = seriesOf(large);
  expect(series['arm-0']?.data).toEqual([2, 1]);
  expect(series['arm-1']?.data).toEqual([1, 0]);
  expect(large.table.rows).toEqual([
    ['a', 'l0', 'l1', 2, 2 / 3],
    ['a', 'l0', 'l2', 1, 1 / 3],
    ['a', 'l40', 'l40', 1, 1],
    ['b', 'l0', 'l1', 1, 1],
  ]);
  expect(behindMark(large, mark('arm-0', 0))).toMatchObject({ arm: 'a', outcome: 'decided', truth: 'l0', prediction: 'l1' });
  expect(behindMark(large, mark('arm-1', 1))).toBeNull();
});

test('of many arms the confusions are counted together', () => {
  const arms = Array.from({ length: 9 }, (_none, place) => armOf(`arm ${place}`, many)).flat();
  const large = dataOf(figure, sourcesOf(arms, { labels, positive: null }));
  expect(seriesOf(large).all?.data).toEqual([18, 9]);
  expect(behindMark(large, mark('all', 0))).toMatchObject({
    truth: 'l0',
    prediction: 'l1',
    subset: { arms: expect.arrayContaining(['arm 8']) },
  });
});

test('labels of two words are whole in the width of their columns', () => {
  const [granted, refused] = ['pitch granted', 'pitch refused'];
  const lines = ['a', 'b'].flatMap((name) => armOf(name, [[granted, refused]]));
  const picture = pictureOf(dataOf(figure, sourcesOf(lines, { labels: [granted, refused], positive: granted })), 548);
  expect(picture).not.toContain('…');
  expect(picture.match(/(?<=>)refused(?=<)/g)).toHaveLength(2);
});

test('a label that is wider than others of as many letters is broken, and not cut off', () => {
  expect(lettersIn(82, ['grant refused'])).toBe(13);
  expect(lettersIn(82, ['grant awarded', 'grant refused'])).toBe(12);
});
