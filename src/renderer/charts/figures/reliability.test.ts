import { expect, test } from 'vitest';
import { trial } from '../../../core/statistics/measures/trials.fixture.ts';
import { optionOf } from '../kit/plot.ts';
import { reliabilityFigure as figure, labelReliabilityFigure } from './calibration.ts';
import { dataOf, linesOf, paint, seriesOf, sourcesOf } from './report.fixture.ts';

const stated = (confidence: number, right: number, of: number, from = 0) =>
  Array.from({ length: of }, (_none, place) =>
    trial(`c${from + place}`, { confidence, prediction: place < right ? 'NO' : 'YES' }),
  );

test('bins are at their mean confidence and the share that is right, with a Wilson interval each', () => {
  const data = dataOf(figure, sourcesOf(linesOf('a', [...stated(0.6, 2, 4), ...stated(0.9, 2, 2, 4)])));
  const series = seriesOf(data);
  expect(series['bins-0']?.data).toEqual([
    [expect.closeTo(0.6, 12), 0.5],
    [expect.closeTo(0.9, 12), 1],
  ]);
  // Wilson intervals of 2 of 4 and 2 of 2: 0.15 to 0.85, and 0.3424 to 1.
  expect(series['bins-0-interval']?.data).toEqual([
    [expect.closeTo(0.6, 12), expect.closeTo(0.15, 3), expect.closeTo(0.85, 3)],
    [expect.closeTo(0.9, 12), expect.closeTo(0.3424, 4), 1],
  ]);
  // The scale begins below the lowest mark.
  expect(series['diagonal-0']?.data).toEqual([
    [0.5, 0.5],
    [1, 1],
  ]);
  expect(optionOf(data, paint, { width: 500, height: data.height })).toMatchObject({
    xAxis: [{ min: 0.5, max: 1 }],
    title: [{ text: 'a', subtext: 'says 70%, right 66.7%' }],
  });
  // Error 4/6 * 0.1 + 2/6 * 0.1.
  expect(data.table.rows[0]?.at(-1)).toBeCloseTo(0.1, 12);
});

test('all panels have one scale, and an arm that stated nothing is named', () => {
  const silent = linesOf('silent', stated(0.9, 1, 2)).map((each) => ({ ...each, confidence: null }));
  const lines = [...linesOf('low', stated(0.63, 2, 4)), ...linesOf('high', stated(0.97, 2, 4)), ...silent];
  const data = dataOf(figure, sourcesOf(lines));
  expect(optionOf(data, paint, { width: 500, height: data.height })).toMatchObject({
    xAxis: [
      { min: 0.6, max: 1 },
      { min: 0.6, max: 1 },
    ],
  });
  expect(data.caption).toMatch(/ The scale to the right begins at 60%\. .* Stated none, so not drawn: silent\. /);
});

test('a bin whose next one is sure leads to the trials below that', () => {
  const sure = dataOf(figure, sourcesOf(linesOf('a', [...stated(0.8, 2, 4), ...stated(1, 2, 2, 4)])));
  expect(sure.table.behind(0)).toMatchObject({ confidence: { from: 0.8, to: 0.9 } });
  expect(sure.table.behind(1)).toMatchObject({ confidence: { from: 1, to: 1 } });
});

test('the sentence follows the interval of the share that is right, as the Overview does', () => {
  const findingOf = (...arms: Parameters<typeof stated>[]) =>
    dataOf(figure, sourcesOf(arms.flatMap((arm, place) => linesOf(`arm ${place}`, stated(...arm))))).finding;
  // Wilson intervals: 14 of 20 48.1% to 85.5%; 10 of 20 29.9% to 70.1%; 20 of 20 from 83.9%.
  expect(findingOf([0.86, 14, 20])?.sentence).toBe('Confidence in the verdict is too high: arm 0.');
  expect(findingOf([0.85, 14, 20])).toBeNull();
  expect(findingOf([0.55, 20, 20], [0.99, 10, 20])?.sentence).toBe(
    'Confidence in the verdict is too high: arm 1; too low: arm 0.',
  );
});

test('cases that were tried several times make the bins too sure', () => {
  const twice = linesOf('a', stated(0.9, 2, 20)).flatMap((each) => [each, { ...each, replicate: 1, trial: `${each.trial}/1` }]);
  expect(dataOf(figure, sourcesOf(twice)).caption).toContain('too narrow');
});

test('the probability of the positive label is held against the share that has it, with a Wilson interval each', () => {
  // 4 of 20 at 70%, 8 of 20 at 30%: 50% on average against 30%.
  const believed = [0.7, 0.3].flatMap((yes, bin) =>
    Array.from({ length: 20 }, (_none, place) =>
      trial(`${bin}/${place}`, {
        truth: place < (bin === 0 ? 4 : 8) ? 'YES' : 'NO',
        prediction: yes > 0.5 ? 'YES' : 'NO',
        belief: { YES: yes, NO: 1 - yes },
      }),
    ),
  );
  const data = dataOf(labelReliabilityFigure, sourcesOf(linesOf('a', believed), { resamples: 200 }));
  expect(seriesOf(data)['bins-0']?.data).toEqual([
    [expect.closeTo(0.3, 12), 0.4],
    [expect.closeTo(0.7, 12), 0.2],
  ]);
  // Wilson interval of 8 of 20.
  expect(seriesOf(data)['bins-0-interval']?.data?.[0]).toEqual([
    expect.closeTo(0.3, 12),
    expect.closeTo(0.2188, 4),
    expect.closeTo(0.6134, 4),
  ]);
  expect(data.finding?.sentence).toBe('The probability of YES is too high: a.');
  expect(data.table.behind(0)).toEqual({
    ...{ arm: 'a', outcome: 'decided', counts: { n: 20, of: 'trials' } },
    subset: { known: ['truth', 'belief'], beliefs: { YES: { from: 0.3, to: 0.7 } } },
  });
});
