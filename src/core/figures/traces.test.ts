import { describe, expect, test } from 'vitest';
import { criticism } from '../crit/criticism.fixture.ts';
import { hold, steady } from '../protocols/evince/debate.fixture.ts';
import { hold as debate } from '../protocols/socrasynth/debate.fixture.ts';
import { answered } from '../protocols/testing/scriptedModel.ts';
import { bootstrap } from '../statistics/bootstrap.ts';
import { sumsStatistic } from '../statistics/sumsStatistic.ts';
import { type TrialTrace, tracesOf } from '../trajectory/traces.ts';
import { trajectoryOf } from '../trajectory/trajectory.ts';
import { tracesOver } from './traces.ts';

const drawing = { resamples: 200, seed: 7, level: 0.95 };
const crit = (values: Record<string, number>): TrialTrace => ({
  kind: 'evaluation',
  measure: 'crit',
  of: '',
  points: Object.entries(values).map(([step, value]) => ({ step, value })),
});

describe('a measure over the steps of many trials', () => {
  test('is the mean of the trials that have got so far, opening first and closing last', () => {
    const [trace, ...others] = tracesOver(
      'debate',
      [
        { trial: 'a', case: '1', traces: [crit({ closing: 6, 1: 2, 2: 4 })] },
        { trial: 'b', case: '2', traces: [crit({ closing: 8, 1: 6, 10: 9 })] },
        { trial: 'c', case: '3', traces: [] },
      ],
      10,
      drawing,
    );
    expect(others).toEqual([]);
    expect(trace?.steps.map(({ step, n, value }) => [step, n, value])).toEqual([
      ['1', 2, 4],
      ['2', 1, 4],
      ['10', 1, 9],
      ['closing', 2, 7],
    ]);
    expect(trace?.steps[0]).toMatchObject({ resamples: 200, seed: 7, low: 2, high: 6 });
    // 6 - 2 and 8 - 6; a trial without two values has no change.
    expect(trace?.change).toMatchObject({ n: 2, cases: 2, value: 3 });
    expect(trace?.values).toEqual([
      [2, 4, null, 6],
      [6, null, 9, 8],
      [null, null, null, null],
    ]);
  });

  test('has the interval of the same mean as a ratio of sums', () => {
    const values = [0.1, 0.9, 0.4, 0.35, 0.6, 0.2];
    const trials = values.map((value, index) => ({ trial: `t${index}`, case: `c${index}`, traces: [crit({ 1: value })] }));
    const [trace] = tracesOver('debate', trials, 0, drawing);
    const rows = Float64Array.from(values.flatMap((value) => [value, 1]));
    const ratio = sumsStatistic(rows, 2, ([sum = 0, count = 0]) => (count === 0 ? null : sum / count));
    const expected = bootstrap(ratio, drawing);
    expect(trace?.steps[0]?.low).toBeCloseTo(expected?.low ?? Number.NaN, 12);
    expect(trace?.steps[0]?.high).toBeCloseTo(expected?.high ?? Number.NaN, 12);
    expect(trace?.steps[0]?.interval_method).toBe('bca');
  });

  test('weighs a case once, however often it was tried', () => {
    const trials = [1, 1, 1, 5].map((value, index) => ({
      trial: `t${index}`,
      case: index < 3 ? 'often' : 'once',
      traces: [crit({ 1: value })],
    }));
    const [trace] = tracesOver('debate', trials, 2, drawing);
    expect(trace?.steps[0]).toMatchObject({ n: 4, cases: 2, value: 3 });
    expect(trace?.values).toHaveLength(2);
  });
});

describe('a debate of EVINCE', () => {
  const labels = ['X', 'Y'];
  const trajectory = async () => {
    const { record } = await hold({
      labels,
      params: { maxRounds: 2, tolerance: 0 },
      says: steady(labels, { X: 80 }, { X: 50 }),
    });
    return trajectoryOf(record.events);
  };

  test('has the divergence of both agents and of their mixture from the truth', async () => {
    const debate = await trajectory();
    const of = (who: string) =>
      tracesOf(debate, 'X', labels).find(({ kind, of: whose }) => kind === 'divergence' && whose === who)?.points[0]?.value;
    // D_KL of a certain truth: -ln P(X).
    expect(of('A')).toBeCloseTo(-Math.log(0.8), 6);
    expect(of('B')).toBeCloseTo(-Math.log(0.5), 6);
    const [mixed, a, b] = [of('mixture') ?? 0, of('A') ?? 0, of('B') ?? 0];
    expect(mixed).toBeGreaterThan(a);
    expect(mixed).toBeLessThan(b);
    expect(tracesOf(debate, null, labels).some(({ kind }) => kind === 'divergence')).toBe(false);
  });

  test('has the measures of its exchanges by round, and an end', async () => {
    const debate = await trajectory();
    const wd = tracesOf(debate, null, labels).find(({ measure }) => measure === 'wd');
    expect(wd?.points.map(({ step }) => step)).toEqual(['1', '2']);
    expect(wd?.points[0]?.value).toBeCloseTo(0.3, 12);
    expect(debate.end).toEqual({ rounds: 2, reason: 'rounds' });
    expect(debate.sheets).toEqual([]);
  });
});

test('CRIT of both claims of a debate of SocraSynth is their mean, where there are both', async () => {
  const { record } = await debate({
    params: { maxRounds: 2, critSides: 'both' },
    says: (key) => {
      if (key === 'round-2/critic-b') return answered('I cannot tell.');
      return /\/critic/.test(key) ? criticism(key.endsWith('-b') ? 4 : 7) : null;
    },
  });
  const [trace] = tracesOf(trajectoryOf(record.events), null, []);
  expect(trace?.points).toEqual([
    { step: '1', value: 5.5 },
    { step: 'closing', value: 5.5 },
  ]);
});
