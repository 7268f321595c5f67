import { expect, test } from 'vitest';
import { cautionLines } from '../../telling/cells.ts';
import { armMeasures, planArm } from './armMeasures.ts';
import { cautionOf, narrowUpTo } from './cautions.ts';
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
  ).measures;

test('an interval that simulations found to be off at so many cases says so, and no other does', () => {
  const named = (cases: number, resamples: number) =>
    measuresOf(cases, resamples)
      .filter(({ caution }) => caution !== undefined)
      .map(({ name }) => name);
  expect(named(60, 50)).toEqual([
    'recall',
    'recall',
    'log_loss',
    'confidence_correctness_pearson',
    'confidence_correctness_spearman',
    'excess_area_under_risk_coverage',
  ]);
  expect(named(150, 50)).toEqual(['recall']);
  const drawn = { name: 'area_under_curve', n: 20, cases: 20, low: -0.5, resamples: 2000 };
  expect(cautionOf('arm', { ...drawn, undefined_resamples: 725 }).caution).toContain('drawn from 1275 of 2000 resamples');
  expect(cautionOf('arm', { ...drawn, undefined_resamples: 100 }).caution).toBeUndefined();
  const twice = { name: 'calibration_slope', n: 120, cases: 60, low: 0.3 };
  expect(cautionOf('arm', twice).caution).toContain(
    '50 cases, each tried for example 3 times, 95% intervals held the true value in 92.9%',
  );
  expect([
    cautionOf('difference', twice),
    cautionOf('arm', { ...twice, n: 60 }),
    cautionOf('arm', { ...twice, cases: 101 }),
    cautionOf('arm', { ...twice, name: 'log_loss', n: 2001, cases: 2001 }),
  ]).toEqual([{}, {}, {}, {}]);
  const wide = cautionOf('arm', { name: 'equalized_odds_ratio', n: 400, cases: 400, low: 0.4 });
  expect(wide.caution).toBe('wider than necessary: in simulations of 200 cases, 95% intervals held the true value in 99.7%');
  // What is said of an arm is not said of a group of its cases, or of what is derived from several.
  expect([
    cautionOf('arm', { ...twice, name: 'accuracy' }),
    cautionOf('group', { ...twice, name: 'accuracy' }).caution,
    cautionOf('majority', { ...twice, name: 'recall', cases: 1000, n: 1000 }),
    cautionOf('dawid-skene', { ...twice, name: 'recall', cases: 1000, n: 1000 }).caution,
  ]).toEqual([{}, expect.stringContaining('92%'), {}, expect.stringContaining('88.6%')]);
  // Without an interval there is nothing to be careful about; that of recall is Wilson's.
  expect(named(60, 0)).toEqual(['recall', 'recall']);
  expect(cautionLines(measuresOf(60, 50).filter(({ name }) => ['accuracy', 'log_loss'].includes(name)))).toEqual([
    'Interval of log loss: too narrow: in simulations of 50 cases, 95% intervals held the true value in 92.5%.',
  ]);
});

test('a sentence on an interval names its arms where it is not of all', () => {
  const of = (arm: string, caution?: string) => ({ name: 'log_loss', arm, ...(caution === undefined ? {} : { caution }) });
  expect(cautionLines([of('court', 'narrow'), of('alone', 'wide'), of('other', 'wide')])).toEqual([
    'Interval of log loss (court): narrow.',
    'Interval of log loss (alone, other): wide.',
  ]);
  expect(cautionLines([of('court', 'narrow'), of('alone', 'narrow')])).toEqual(['Interval of log loss: narrow.']);
});

test('a measure is said to be too narrow up to just the cases at which its difference gets a caution', () => {
  for (const name of ['accuracy', 'macro_f1', 'brier', 'log_loss', 'area_under_curve']) {
    const caution = (cases: number) => cautionOf('difference', { name, n: cases, cases, low: 0.1 }).caution;
    const most = narrowUpTo(name);
    if (most > 0) expect(caution(most)).toContain('too narrow');
    expect(caution(most + 1)).toBeUndefined();
  }
  expect(narrowUpTo('brier')).toBe(100);
});
