import { expect, test } from 'vitest';
import { behindMark } from '../kit/plot.ts';
import { hearingAgainstVerdictFigure as figure } from './firstAnswers.ts';
import { armOf, dataOf, mark, seriesOf, sourcesOf } from './report.fixture.ts';

const lines = armOf('court', [
  ['YES', 'YES'],
  ['YES', 'YES'],
  ['YES', 'NO'],
  ['YES', 'YES'],
]);
// The first is right only in the end, the second both times, the third only at first; the fourth has no first answer.
const paths = new Map([
  ['court/c0', { steps: [], initial: 'NO' }],
  ['court/c1', { steps: [], initial: 'YES' }],
  ['court/c2', { steps: [], initial: 'YES' }],
]);
const data = dataOf(figure, sourcesOf([...lines, ...armOf('cot', [['YES', 'YES']])], { paths }));

test('both accuracies are over the trials that have both answers', () => {
  const series = seriesOf(data);
  expect(series.initial?.data).toEqual([[2 / 3, 0]]);
  expect(series.verdict?.data).toEqual([[2 / 3, 0]]);
  expect(data.table.rows.map((row) => row.slice(0, 7))).toEqual([
    ['court', 2 / 3, expect.closeTo(0.2077, 4), expect.closeTo(0.9385, 4), 3, 'Wilson', 2 / 3],
  ]);
  expect(data.caption).toMatch(/^3 decided trials of 3 cases in each arm/);
});

test('the two marks of an arm are joined', () => {
  expect(seriesOf(data)['accuracies-joint']?.data).toEqual([[0, 2 / 3, 2 / 3]]);
  expect(behindMark(data, mark('accuracies-joint', 0))).toBeNull();
  expect(behindMark(data, mark('verdict', 0))).toMatchObject({ arm: 'court', outcome: 'decided' });
});
