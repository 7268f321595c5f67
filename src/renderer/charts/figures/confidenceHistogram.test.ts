import { expect, test } from 'vitest';
import { trial } from '../../../core/statistics/measures/trials.fixture.ts';
import { optionOf } from '../kit/plot.ts';
import { confidenceHistogramFigure as figure } from './confidenceHistogram.ts';
import { dataOf, linesOf, paint, seriesOf, sourcesOf } from './report.fixture.ts';

const lines = linesOf(
  'court',
  [0.72, 0.75, 0.95, 1, null].map((confidence, place) => trial(`c${place}`, { confidence })),
).map((line, place) => ({ ...line, correct: [true, false, null, true, true][place] ?? null }));
const data = dataOf(figure, sourcesOf(lines));

test('bins begin at a half, and separate right, wrong and unknown ones', () => {
  const series = seriesOf(data);
  expect(series['correct-0']?.data).toEqual([0, 0, 1, 0, 1]);
  expect(series['wrong-0']?.data).toEqual([0, 0, 1, 0, 0]);
  expect(series['unknown-0']?.data).toEqual([0, 0, 0, 0, 1]);
  expect(data.caption).toContain('4 decided trials with a stated confidence, in bins');
  expect(data.caption).toContain('1 decided trial is left out because none was stated.');
});

test('lower bins are drawn where an arm has trials in them, and kinds without a trial not at all', () => {
  const low = dataOf(figure, sourcesOf([{ ...(lines[0] as (typeof lines)[number]), confidence: 0.31 }]));
  const series = seriesOf(low);
  expect(series['correct-0']?.data).toHaveLength(7);
  expect(Object.keys(series)).toEqual(['correct-0']);
});

test('a part of a few trials is seen next to hundreds, and every bin has its label and a whole base line', () => {
  const many = linesOf(
    'court',
    Array.from({ length: 301 }, (_none, place) => trial(`c${place}`, { confidence: 0.9 })),
  );
  const high = dataOf(figure, sourcesOf(many.map((line, place) => ({ ...line, correct: place > 0 }))));
  const { grid, xAxis, yAxis } = optionOf(high, paint, { width: 300, height: high.height }) as {
    grid: { height: number }[];
    xAxis: { axisLabel: object; data: string[] }[];
    yAxis: { max: number }[];
  };
  const { data: parts = [], ...wrong } = seriesOf(high)['wrong-0'] ?? {};
  expect(parts.slice(0, 4)).toEqual([0, 0, 0, 0]);
  expect((Number(parts[4]) / (yAxis[0]?.max ?? 0)) * (grid[0]?.height ?? 0)).toBeGreaterThan(1.99);
  expect(JSON.stringify(wrong)).not.toContain('borderWidth');
  expect(xAxis[0]?.axisLabel).toMatchObject({ interval: 0 });
  expect(xAxis[0]?.data.at(-1)).toBe('90–\n100');
});
