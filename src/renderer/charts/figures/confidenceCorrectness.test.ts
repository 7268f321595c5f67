import { expect, test } from 'vitest';
import { trial } from '../../../core/statistics/measures/trials.fixture.ts';
import { behindMark } from '../kit/plot.ts';
import { confidenceCorrectnessFigure as figure } from './calibration.ts';
import { dataOf, linesOf, mark, seriesOf, sourcesOf } from './report.fixture.ts';

const stated = (pairs: readonly (readonly [number, boolean])[]) =>
  pairs.map(([confidence, right], place) => trial(`c${place}`, { confidence, prediction: right ? 'NO' : 'YES' }));

test('both correlations of each arm are drawn; an arm that is always right has none', () => {
  const lines = [
    ...linesOf(
      'a',
      stated([
        [0.1, false],
        [0.2, false],
        [0.3, true],
      ]),
    ),
    ...linesOf(
      'always right',
      stated([
        [0.1, true],
        [0.9, true],
      ]),
    ),
  ];
  const data = dataOf(figure, sourcesOf(lines));
  const series = seriesOf(data);
  // 1 / sqrt(2 * 2/3) for the numbers and, without ties among them, for their ranks.
  expect(series.pearson?.data).toEqual([[expect.closeTo(0.8660254, 7), 0]]);
  expect(series.spearman?.data).toEqual([[expect.closeTo(0.8660254, 7), 0]]);
  expect(data.table.columns[1]).toEqual({ name: 'Pearson', as: 'number' });
  expect(behindMark(data, mark('pearson', 0))).toMatchObject({
    arm: 'a',
    outcome: 'decided',
    subset: { known: ['truth', 'confidence'] },
  });
});

test('one confidence for all has nothing to correlate', () => {
  expect(
    figure.plot(
      sourcesOf(
        linesOf(
          'a',
          stated([
            [0.5, true],
            [0.5, false],
          ]),
        ),
      ),
    ),
  ).toBeNull();
});
