import { expect, test } from 'vitest';
import type { StatsReport } from '../../shared/outputs.ts';
import { constantByGroup } from './constantByGroup.ts';

const group = (value: string, tp: number, tn: number, fp: number, fn: number, cases = tp + tn + fp + fn) => ({
  ...{ attribute: 'kind', value, n: tp + tn + fp + fn, counts: { tp, tn, fp, fn } },
  measures: [{ name: 'accuracy', over: 'all', label: null, cases }],
});
const arm = (name: string, ...groups: ReturnType<typeof group>[]) => ({ arm: name, base_arm: null, groups });
const reportOf = (...arms: ReturnType<typeof arm>[]) =>
  ({
    arms,
    labels: ['passes', 'fails'],
    positive: 'fails',
    baselines: [{ arm: 'majority', confusion: [{ prediction: 'passes' }] }],
  }) as unknown as StatsReport;

test('each group names the arm that comes nearest to more than one answer every time, and those shown to be better or worse', () => {
  const report = reportOf(
    arm('court', group('blue', 4, 15, 3, 10), group('fresh', 20, 31, 2, 2)),
    arm('alone', group('blue', 1, 5, 13, 13), group('fresh', 1, 31, 2, 12)),
  );
  expect(constantByGroup(report)).toEqual({
    heading:
      'Whether a method is right more often than always passes, the most frequent answer, within a group (exact test of the same cases, corrected for 4 tests):',
    lines: [
      // 4 : 3, and 1 : 13, which is p 0.002.
      'kind = blue: not shown of any; nearest is court in 19 of 32 cases against 18 (adjusted p 1.000); shown to be so less often: alone in 6 of 32 cases against 18 (adjusted p 0.005)',
      // 20 : 2
      'kind = fresh: shown of court in 51 of 55 cases against 33 (adjusted p < 0.001)',
    ],
  });
});

test('nothing is tested in small groups, of cases that were tried twice, without one answer, or of three labels', () => {
  const small = arm('court', group('blue', 4, 2, 1, 2), group('fresh', 20, 31, 2, 2, 20));
  expect(constantByGroup(reportOf(small))).toBeNull();
  const report = reportOf(arm('court', group('blue', 4, 15, 3, 10)));
  expect(constantByGroup({ ...report, baselines: [] })).toBeNull();
  expect(constantByGroup({ ...report, part: 'kind = blue' })).toBeNull();
  expect(constantByGroup({ ...report, labels: ['passes', 'fails', 'is late'] })).toBeNull();
  expect(constantByGroup(report)?.lines).toEqual([
    'kind = blue: not shown of any; nearest is court in 19 of 32 cases against 18 (p 1.000)',
  ]);
});
