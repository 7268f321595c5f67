import { expect, test } from 'vitest';
import { trial } from '../../../core/statistics/measures/trials.fixture.ts';
import { confidenceHistogramFigure as figure } from './confidenceHistogram.ts';
import { dataOf, linesOf, seriesOf, sourcesOf } from './report.fixture.ts';

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
  expect(data.caption).toContain('4 decided trials with a stated confidence, all arms together');
  expect(data.caption).toContain('1 decided trial is left out because none was stated.');
});

test('lower bins are drawn where an arm has trials in them, and kinds without a trial not at all', () => {
  const low = dataOf(figure, sourcesOf([{ ...(lines[0] as (typeof lines)[number]), confidence: 0.31 }]));
  const series = seriesOf(low);
  expect(series['correct-0']?.data).toHaveLength(7);
  expect(Object.keys(series)).toEqual(['correct-0']);
});
