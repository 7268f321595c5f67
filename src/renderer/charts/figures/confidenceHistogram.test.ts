import { expect, test } from 'vitest';
import { trial } from '../../../core/statistics/measures/trials.fixture.ts';
import { behindMark } from '../kit/plot.ts';
import { confidenceHistogramFigure as figure } from './confidenceHistogram.ts';
import { dataOf, linesOf, mark, seriesOf, sourcesOf } from './report.fixture.ts';

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

test('a bar leads to its trials, those of unknown truth too', () => {
  expect(behindMark(data, mark('wrong-0', 2))).toMatchObject({
    arm: 'court',
    outcome: 'decided',
    correct: false,
    confidence: { from: 0.7, to: 0.8 },
  });
  expect(behindMark(data, mark('unknown-0', 4))).toMatchObject({ correct: null, counts: { n: 1 } });
  expect(behindMark(data, mark('correct-0', 0))).toBeNull();
  const open = dataOf(figure, sourcesOf(lines.map((line) => ({ ...line, correct: null }))));
  expect(behindMark(open, mark('unknown-0', 2))).toMatchObject({
    arm: 'court',
    outcome: 'decided',
    correct: null,
    confidence: { from: 0.7, to: 0.8 },
  });
  expect(data.table.behind(9)).toMatchObject({ arm: 'court', outcome: 'decided', confidence: { from: 0.9, to: 1 } });
});
