import { expect, test } from 'vitest';
import { cautionLines } from '../../telling/cells.ts';
import { armMeasures, planArm } from './armMeasures.ts';
import { cautionOf } from './cautions.ts';
import { drawing, trial } from './trials.fixture.ts';

const terms = { labels: ['NO', 'YES'], positive: 'YES', multiLabel: false, groups: [] };

/** Measures of so many cases with beliefs of several sizes, some of them wrong. */
const measuresOf = (cases: number, resamples: number) =>
  armMeasures(
    planArm(
      Array.from({ length: cases }, (_, index) => {
        const confidence = 0.55 + (index % 9) / 20;
        return trial(`c${index}`, {
          confidence,
          belief: { NO: confidence, YES: 1 - confidence },
          truth: index % 4 === 0 ? 'YES' : 'NO',
        });
      }),
      terms,
    ),
    drawing(resamples),
  ).run(() => undefined).measures;

test('an interval that simulations found too narrow over so few cases says so, and no other does', () => {
  const named = (cases: number, resamples: number) =>
    measuresOf(cases, resamples)
      .filter(({ caution }) => caution !== undefined)
      .map(({ name }) => name);
  expect(named(60, 50)).toEqual(['log_loss', 'excess_area_under_risk_coverage']);
  expect(named(150, 50)).toEqual(['area_under_risk_coverage', 'excess_area_under_risk_coverage', 'accuracy_at_coverage_90']);
  const twice = { name: 'recall', n: 120, cases: 60, low: 0.3 };
  expect(cautionOf('arm', twice).caution).toContain('50 cases, each tried 3 times, 95% intervals held the true value in 90.8%');
  expect([
    cautionOf('difference', twice),
    cautionOf('arm', { ...twice, n: 60 }),
    cautionOf('arm', { ...twice, cases: 101 }),
  ]).toEqual([{}, {}, {}]);
  // Without an interval there is nothing to be careful about.
  expect(named(60, 0)).toEqual([]);
  expect(cautionLines(measuresOf(60, 50).filter(({ name }) => ['accuracy', 'log_loss'].includes(name)))).toEqual([
    'Interval of log loss: too narrow over so few cases: in simulations of 50 cases, 95% intervals held the true value in 92.5%.',
  ]);
});
