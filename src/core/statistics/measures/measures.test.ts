import { describe, expect, it } from 'vitest';
import { trialEvents, yes } from '../../trajectory/trajectory.fixture.ts';
import { trajectoryOf } from '../../trajectory/trajectory.ts';
import { verdictPath } from '../../trajectory/verdictPath.ts';
import type { CaseStatistic } from '../caseStatistic.ts';
import { persuasion } from '../persuasion.ts';
import { wilson } from '../wilson.ts';
import { accuracyMeasures } from './accuracyMeasures.ts';
import { beliefMeasures } from './beliefMeasures.ts';
import { confidenceMeasures, reliability } from './confidenceMeasures.ts';
import { drawnEstimates, estimates } from './estimates.ts';
import { plannedGroups } from './groups.ts';
import { labelMeasures } from './labelMeasures.ts';
import { outcomeMeasures } from './outcomeMeasures.ts';
import { pathMeasures } from './pathMeasures.ts';
import { answered, drawing, trial, valuesOf } from './trials.fixture.ts';
import { casedTrials } from './trials.ts';

const labels = ['NO', 'YES'];
/** Trials of truth and prediction. */
const pairs = (...texts: string[]) => answered(texts.map((text) => text.split(' ') as [string, string]));

it('no interval has no ends: leaving a case out changes nothing, though resamples differ', () => {
  const odd: CaseStatistic = {
    cases: 5,
    at: (weights) => (weights[0] === 0 ? 0.5 : weights[0] === 1 ? 0.75 : 1),
    without: () => 0.75,
  };
  const [found] = drawnEstimates([odd], drawing(100));
  expect(found).toMatchObject({
    value: 0.75,
    low: null,
    high: null,
    interval_method: null,
    why_null: expect.stringMatching(/^no interval:/),
  });
});

describe('accuracy', () => {
  // Right: c0, c3. Wrong: c1. Failed: c2. Without a truth: c4.
  const trials = casedTrials([...pairs('YES YES', 'YES NO', 'NO -', 'NO NO'), trial('c4', { truth: null, prediction: 'YES' })]);

  it('is over the decided, and over all with failures as not correct', () => {
    expect(valuesOf(accuracyMeasures(trials))).toMatchObject({
      'accuracy all': { value: 2 / 4, n: 4, cases: 4 },
      'accuracy decided': { value: 2 / 3, n: 3, cases: 3 },
    });
  });

  it("has Wilson's interval where each case was tried once", () => {
    const [all] = estimates(accuracyMeasures(trials), drawing(100));
    expect(all).toMatchObject({ interval_method: 'wilson', resamples: null, seed: null, why_null: null, ...wilson(2, 4) });
  });

  it('weighs each case the same and resamples cases where they were tried several times', () => {
    // c0 right in 3 of 3, c1 in 0 of 1: (1 + 0) / 2 and not 3 / 4.
    const several = casedTrials([
      ...Array.from({ length: 3 }, () => trial('c0')),
      trial('c1', { prediction: 'YES' }),
      trial('c2'),
      trial('c3'),
    ]);
    const [all] = estimates(accuracyMeasures(several), drawing(200));
    expect(all).toMatchObject({ n: 6, cases: 4, resamples: 200, seed: 7 });
    expect(all?.value).toBeCloseTo(3 / 4, 12);
    expect(all?.interval_method).not.toBe('wilson');
    expect(all?.low).toBeLessThan(0.75);
  });

  it.each([
    ['YES', 0],
    ['NO', 1],
  ])('has the Wilson interval of the cases where all their replicates are alike', (prediction, value) => {
    const ids = ['c0', 'c1', 'c2'];
    const of = (times: number) =>
      estimates(
        accuracyMeasures(casedTrials(ids.flatMap((id) => Array.from({ length: times }, () => trial(id, { prediction }))))),
        drawing(100),
      )[0];
    const { low = null, high = null } = of(1) ?? {};
    expect(high).toBeGreaterThan(low ?? 1);
    expect(of(4)).toMatchObject({ value, low, high, n: 12, cases: 3, interval_method: 'wilson', resamples: null });
  });

  it('has no interval where resamples differ by rounding alone: a point would claim certainty', () => {
    // As a sum in another order: the last place of 0.9 is 1.1e-16.
    const alike = { cases: 7, at: (weights: Uint32Array) => 0.9 - (weights[0] ?? 0) * 1.2e-16 };
    const [estimate] = drawnEstimates([alike], drawing(200));
    expect(estimate).toMatchObject({ low: null, high: null, interval_method: null });
    expect(estimate?.why_null).toMatch(/^no interval: every resample of these cases has the same value/);
  });

  it('says why there is none', () => {
    expect(valuesOf(accuracyMeasures(casedTrials([])))['accuracy all']).toMatchObject({
      value: null,
      low: null,
      n: 0,
      why_null: 'no finished trial of a case with a known truth',
    });
  });
});

describe('labels', () => {
  // Truth against prediction: 3 NO/NO, 1 NO/YES, 2 YES/YES, 1 YES/NO, and one failure that is in none.
  const trials = casedTrials(pairs('NO NO', 'NO NO', 'NO NO', 'NO YES', 'YES YES', 'YES YES', 'YES NO', 'YES -'));

  it('have precision, recall and F1 of each label over the decided', () => {
    const values = valuesOf(labelMeasures(trials, labels, false));
    // YES: predicted 3, of which 2 are true; true in 3 decided ones, of which 2 were found.
    expect(values['precision decided YES']).toMatchObject({ value: 2 / 3, n: 3 });
    expect(values['recall decided YES']).toMatchObject({ value: 2 / 3, n: 3 });
    expect(values['f1 decided YES']?.value).toBeCloseTo(4 / 6, 12);
    expect(values['precision decided NO']).toMatchObject({ value: 3 / 4, n: 4 });
    expect(values['f1 decided NO']?.value).toBeCloseTo(6 / 8, 12);
    expect(values['macro_f1 decided']?.value).toBeCloseTo((4 / 6 + 6 / 8) / 2, 12);
  });

  it('say where a label was never predicted', () => {
    const values = valuesOf(labelMeasures(casedTrials(pairs('YES NO')), labels, false));
    expect(values['precision decided YES']).toMatchObject({ value: null, n: 0, why_null: 'the label was never predicted' });
    expect(values['recall decided YES']).toMatchObject({ value: 0, n: 1 });
  });
});

describe('beliefs and confidence', () => {
  const believed = (id: string, truth: string, share: number) =>
    trial(id, {
      truth,
      prediction: share >= 0.5 ? 'YES' : 'NO',
      belief: yes(share),
      confidence: Math.max(share, 1 - share),
    });

  it('are measured where a distribution was stated', () => {
    const trials = casedTrials([
      believed('c0', 'YES', 0.75),
      believed('c1', 'NO', 0.5),
      believed('c2', 'NO', 0.25),
      trial('c3', { truth: 'YES', prediction: 'YES' }),
      trial('c4', { truth: 'YES', outcome: 'malformed', prediction: null }),
    ]);
    const values = valuesOf(beliefMeasures(trials, labels, 'YES'));
    // Squared errors of P(YES): 1/16, 1/4, 1/16.
    expect(values['brier believed']).toMatchObject({ n: 3, cases: 3 });
    expect(values['brier believed']?.value).toBeCloseTo(6 / 16 / 3, 12);
    expect(values['area_under_curve believed']).toMatchObject({ value: 1, n: 3 });
    expect(values['log_loss believed']?.n).toBe(values['brier believed']?.n);
    expect(values['miscalibration believed']?.value).toBeCloseTo(6 / 16 / 3, 12);
    // One of three is YES: to say 1/3 each time has a score of 2/9.
    expect(values['brier_skill believed']?.value).toBeCloseTo(1 - 6 / 16 / 3 / (2 / 9), 12);
    expect(Object.keys(values)).toHaveLength(5);
  });

  it('take one stated number on two labels for a distribution, and nothing for one that is none', () => {
    const trials = casedTrials([
      trial('c0', { truth: 'YES', prediction: 'YES', confidence: 0.75 }),
      trial('c1', { truth: 'YES', prediction: 'YES', belief: { NO: 0.9, YES: 0.9 } }),
    ]);
    expect(valuesOf(beliefMeasures(trials, labels, 'YES'))['brier believed']).toMatchObject({ value: 1 / 16, n: 1 });
  });

  it('compare stated confidence with being right', () => {
    const stated = (id: string, confidence: number, right: boolean) =>
      trial(id, { confidence, prediction: right ? 'NO' : 'YES' });
    const trials = casedTrials([stated('c0', 0.6, false), stated('c1', 0.6, true), stated('c2', 1, true), stated('c3', 1, true)]);
    const values = valuesOf(confidenceMeasures(trials));
    // Half of the trials: right 1/2 at 0.6; the other half: right 1 at 1.
    expect(values['expected_calibration_error stated']?.value).toBeCloseTo(0.05, 12);
    expect(values['confidence_correctness_pearson stated']?.value).toBeCloseTo(1 / Math.sqrt(3), 12);
    expect(reliability(trials)).toMatchObject([
      { n: 2, confidence: 0.6, accuracy: 0.5 },
      { n: 2, confidence: 1, accuracy: 1 },
    ]);
  });
});

describe('a measure that is too large over few cases', () => {
  it('has no interval if that would exclude its value', () => {
    // No case is left out of the data; of every resample about a third are.
    const leftOut = { cases: 40, at: (weights: Uint32Array) => weights.filter((weight) => weight === 0).length / 40 };
    const [estimate] = drawnEstimates([leftOut], drawing(300));
    expect(estimate).toMatchObject({ value: 0, low: null, high: null, interval_method: null });
    expect(estimate?.why_null).toMatch(/^no interval: resamples lie to one side/);
  });

  it('the calibration error has none at all, the correlations with it have', () => {
    const trials = casedTrials(
      Array.from({ length: 40 }, (_, index) =>
        trial(`c${index}`, { truth: index % 3 === 0 ? 'YES' : 'NO', prediction: 'NO', confidence: 0.6 + index / 500 }),
      ),
    );
    const [error, debiased, ...correlations] = estimates(confidenceMeasures(trials), drawing(300));
    expect(error).toMatchObject({ name: 'expected_calibration_error', n: 40, low: null, high: null, resamples: null });
    expect(error?.value).toBeGreaterThan(0);
    expect(error?.why_null).toMatch(/^no interval: the error cannot be negative/);
    expect(debiased).toMatchObject({ name: 'debiased_calibration_error', n: 40, low: null, high: null });
    expect(correlations).toHaveLength(2);
    for (const { value, low, high } of correlations) {
      expect(value).toBeGreaterThanOrEqual(low ?? Number.NaN);
      expect(value).toBeLessThanOrEqual(high ?? Number.NaN);
    }
  });
});

describe('equal scores', () => {
  it('stay equal where one of them is what another label left over', () => {
    // P(YES) is 0.3 for both: stated, and 1 - 0.7 = 0.30000000000000004.
    const trials = casedTrials([
      trial('c0', { truth: 'YES', prediction: 'YES', confidence: 0.3 }),
      trial('c1', { truth: 'NO', prediction: 'NO', confidence: 0.7 }),
    ]);
    expect(valuesOf(beliefMeasures(trials, labels, 'YES'))).toMatchObject({ 'area_under_curve believed': { value: 0.5 } });
  });
});

describe('deliberation', () => {
  const judged = (id: string, truth: string, first: number, last: number) => {
    const word = (share: number) => (share >= 0.5 ? 'YES' : 'NO');
    const { events } = trialEvents()
      .believes('judge', 'prior', word(first), yes(first))
      .says('prosecutor', 'opening')
      .believes('judge', 'live', word(last), yes(last), 'opening/prosecutor')
      .rules('judge', word(last), yes(last));
    return trial(id, { truth, prediction: word(last), path: verdictPath(trajectoryOf(events)) });
  };
  const trials = casedTrials([
    judged('c0', 'YES', 0.25, 0.75),
    judged('c1', 'NO', 0.25, 0.5),
    judged('c2', 'NO', 0.25, 0.375),
    judged('c3', 'YES', 0.25, 0.25),
    trial('c4', { truth: 'YES', prediction: 'YES' }),
  ]);

  it('has corrections and degradations over trials with a first answer', () => {
    expect(valuesOf(pathMeasures(trials, 'YES'))).toMatchObject({
      'corrections initial-and-verdict': { value: 1 / 4, n: 4 },
      'corrections_of_wrong initially-wrong': { value: 1 / 2, n: 2 },
      'degradations initial-and-verdict': { value: 1 / 4, n: 4 },
      'degradations_of_right initially-right': { value: 1 / 2, n: 2 },
    });
  });

  it('has the accuracy of the first answers and of the verdicts over the same trials', () => {
    // First all NO at 0.75: right of c1, c2. In the end c0 is YES and right, c1 is a tie that its ruling calls YES, c2 is right.
    expect(valuesOf(pathMeasures(trials, 'YES'))).toMatchObject({
      'initial_accuracy initial-and-verdict': { value: 2 / 4, n: 4, cases: 4, interval_method: 'wilson' },
      'verdict_accuracy initial-and-verdict': { value: 2 / 4, n: 4, cases: 4, interval_method: 'wilson' },
    });
    // A correction and a degradation cancel; of two corrections in one case, the two patterns of its sign are alike.
    const changeOf = (of: typeof trials) => pathMeasures(of, 'YES').find(({ name }) => name === 'accuracy_change');
    expect(valuesOf(pathMeasures(trials, 'YES'))['accuracy_change initial-and-verdict']).toMatchObject({ value: 0, n: 4 });
    const twice = casedTrials([...[1, 2].map(() => judged('c0', 'YES', 0.25, 0.75)), judged('c3', 'YES', 0.25, 0.25)]);
    expect(valuesOf(pathMeasures(twice, 'YES'))['accuracy_change initial-and-verdict']).toMatchObject({ value: 1 / 2, cases: 2 });
    expect(changeOf(twice)?.chance?.({ resamples: 0, seed: 1 })).toBe(1);
    const failed = casedTrials([...trials.trials, trial('c5', { outcome: 'timeout', prediction: null })]);
    expect(valuesOf(pathMeasures(failed, 'YES'))['initial_accuracy initial-and-verdict']?.n).toBe(4);
  });

  it('has flips a trial and what speeches moved', () => {
    const values = valuesOf(pathMeasures(trials, 'YES'));
    // To 0.75 the label in front changes; to a tie at 0.5 NO stays in front.
    expect(values['flips paths']).toMatchObject({ value: 1 / 4, n: 4 });
    expect(values['flipped paths']).toMatchObject({ value: 1 / 4, n: 4 });
    // Answers and leads are separate: c1 is ruled YES at a tie.
    expect(values['answer_flips paths']).toMatchObject({ value: 2 / 4, n: 4 });
    // Changes 0.5, 0.25, 0.125, 0: mean 0.21875, all of the prosecution's opening.
    expect(values['belief_change speeches']).toMatchObject({ value: 0.21875, n: 4 });
    expect(values['persuasion speeches prosecution opening']).toMatchObject({ value: 0.21875, n: 4, cases: 4 });
    expect(values['persuasion speeches defense']).toMatchObject({ value: null, n: 0 });
  });

  it('never counts beliefs that were recalled, and says so', () => {
    const { events } = trialEvents()
      .says('prosecutor', 'opening')
      .believes('judge', 'retrospective', 'NO', yes(0.25), 'opening/prosecutor')
      .says('defense', 'opening')
      .believes('judge', 'retrospective', 'YES', yes(0.75), 'opening/defense')
      .rules('judge', 'YES', yes(0.75));
    const path = verdictPath(trajectoryOf(events));
    expect(path === null ? null : persuasion(path, 'YES')).toEqual([]);
    const values = valuesOf(pathMeasures(casedTrials([trial('c0', { truth: 'YES', prediction: 'YES', path })]), 'YES'));
    for (const measure of Object.values(values)) {
      expect(measure).toMatchObject({
        value: null,
        n: 0,
        why_null: 'the beliefs were recalled at the end and not held at the time',
      });
    }
  });
});

describe('ends of trials', () => {
  it('are shares of the finished, each kind by itself', () => {
    const trials = casedTrials([
      trial('c0', { incomplete: true }),
      trial('c1', { inconsistent: true }),
      trial('c2', { outcome: 'timeout', prediction: null }),
      trial('c3', { outcome: 'malformed', prediction: null }),
    ]);
    expect(valuesOf(outcomeMeasures(trials))).toMatchObject({
      'failed finished': { value: 2 / 4 },
      'failed_timeout finished': { value: 1 / 4 },
      'failed_malformed finished': { value: 1 / 4 },
      'incomplete finished': { value: 1 / 4, n: 4 },
      'inconsistent decided': { value: 1 / 2, n: 2 },
    });
  });
});

describe('groups', () => {
  const of = (race: string, cells: { tp: number; tn: number; fp: number; fn: number; failed?: number }, from: number) => {
    const many = (count: number, truth: string, prediction: string) =>
      Array.from({ length: count }, (): [string, string] => [truth, prediction]);
    const verdicts = [
      ...many(cells.tp, 'YES', 'YES'),
      ...many(cells.tn, 'NO', 'NO'),
      ...many(cells.fp, 'NO', 'YES'),
      ...many(cells.fn, 'YES', 'NO'),
      ...many(cells.failed ?? 0, 'NO', '-'),
    ];
    return answered(verdicts).map((each, index) => ({ ...each, case: `${from + index}`, groups: { race } }));
  };
  const trials = [...of('A', { tp: 4, tn: 6, fp: 2, fn: 1, failed: 3 }, 0), ...of('B', { tp: 1, tn: 9, fp: 1, fn: 3 }, 100)];

  it('have false-positive and false-negative rates of the decided, with the positive label named', () => {
    const { groups, leftOut } = plannedGroups(trials, ['race'], { labels: ['NO', 'YES'], positive: 'YES' });
    expect(leftOut).toEqual([]);
    expect(groups).toMatchObject([
      { attribute: 'race', value: 'A', n: 16, decided: 13, counts: { tp: 4, tn: 6, fp: 2, fn: 1 } },
      { attribute: 'race', value: 'B', n: 14, decided: 14, counts: { tp: 1, tn: 9, fp: 1, fn: 3 } },
    ]);
    const [first, second] = groups.map(({ measures }) => valuesOf(measures));
    // A: FP / (FP + TN) = 2/8, FN / (FN + TP) = 1/5; all 10/16. B: 1/10 and 3/4.
    expect(first).toMatchObject({
      'accuracy all': { value: 10 / 16 },
      'false_positive_rate truly-negative YES': { value: 2 / 8, n: 8, interval_method: 'wilson', ...wilson(2, 8) },
      'false_negative_rate truly-positive YES': { value: 1 / 5, n: 5, ...wilson(1, 5) },
    });
    expect(second).toMatchObject({
      'false_positive_rate truly-negative YES': { value: 1 / 10, n: 10 },
      'false_negative_rate truly-positive YES': { value: 3 / 4, n: 4 },
    });
  });

  it('are left out and named where an attribute divides single cases', () => {
    const many = Array.from({ length: 51 }, (_, index) => trial(`c${index}`, { groups: { age: `${index}` } }));
    expect(plannedGroups(many, ['age'], { labels: [], positive: null })).toEqual({ groups: [], leftOut: ['age'] });
  });
});
