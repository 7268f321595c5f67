import { expect, test } from 'vitest';
import { trial } from '../../../core/statistics/measures/trials.fixture.ts';
import { behindMark } from '../kit/plot.ts';
import { calibrationSlopeFigure, riskCoverageFigure as figure } from './calibration.ts';
import { dataOf, linesOf, mark, pictureOf, seriesOf, sourcesOf } from './report.fixture.ts';

/** Twenty trials: the surer half is always right, the other half every second time, and two more have failed. */
const trials = [
  ...Array.from({ length: 20 }, (_none, index) => {
    const isSure = index < 10;
    const [confidence, prediction] = [isSure ? 0.9 : 0.6, isSure || index % 2 === 0 ? 'NO' : 'YES'];
    const yes = prediction === 'YES' ? confidence : 1 - confidence;
    return trial(`c${index}`, { confidence, prediction, truth: 'NO', belief: { YES: yes, NO: 1 - yes } });
  }),
  trial('f1', { outcome: 'timeout', prediction: null }),
  trial('f2', { outcome: 'malformed', prediction: null }),
];

test('risk is drawn over coverage of all finished trials, each mark leading to what is answered', () => {
  const data = dataOf(figure, sourcesOf(linesOf('a', trials), { resamples: 50 }));
  const series = seriesOf(data);
  expect(series['curve-0']?.data).toEqual([
    [10 / 22, 0],
    [20 / 22, 0.25],
  ]);
  // 50%, 80% and 90% all need the second threshold; 95% is out of reach.
  expect(series['chosen-0']?.data).toEqual(Array.from({ length: 3 }, () => [20 / 22, 0.25]));
  const [[x, low = 1, high = 0] = []] = (series['chosen-0-interval']?.data ?? []) as number[][];
  expect(x).toBe(20 / 22);
  expect([low < 0.25, high > 0.25]).toEqual([true, true]);
  const behind = { arm: 'a', outcome: 'decided', confidence: { from: 0.6, to: 1 }, counts: { n: 20, of: 'trials' } };
  expect(behindMark(data, mark('curve-0', 1))).toMatchObject(behind);
  expect(behindMark(data, mark('chosen-0', 0))).toMatchObject(behind);
  expect(data.table.behind(0)).toMatchObject({ confidence: { from: 0.9, to: 1 }, counts: { n: 10, of: 'trials' } });
});

test('one confidence alone is no choice, and beliefs that fit no slope draw none', () => {
  const same = trials.map((each) => (each.confidence === null ? each : { ...each, confidence: 0.8 }));
  expect(figure.plot(sourcesOf(linesOf('a', same)))).toBeNull();
  expect(calibrationSlopeFigure.plot(sourcesOf(linesOf('a', trials)))).toBeNull();
  const both = trials.map((each, index) => (each.outcome === 'decided' && index % 3 === 0 ? { ...each, truth: 'YES' } : each));
  const data = dataOf(calibrationSlopeFigure, sourcesOf(linesOf('a', both)));
  expect(data.table.rows).toHaveLength(1);
  expect(data.table.behind(0)).toMatchObject({ arm: 'a', outcome: 'decided', counts: { n: 20, of: 'trials' } });
  // The slope is far below 1, and both of the best values are in sight.
  expect(data.table.rows[0]?.[1]).toBeLessThan(0.7);
  expect(pictureOf(data, 640).match(/>best</g)).toHaveLength(2);
});
