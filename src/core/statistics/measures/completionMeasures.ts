// The control of completed rows: the same answers on shuffled rows.
import { sumsStatistic } from '../sumsStatistic.ts';
import { decidedRightly } from './accuracyMeasures.ts';
import { type PlannedMeasure, unrounded, withoutValue } from './planned.ts';
import type { CasedTrials } from './trials.ts';

const noTruth = 'no finished trial of a row with a known cell';

/** Sums of a case: its weight, its right completions, then how often each value was written and how often it is the cell. */
const [whole, right, written] = [0, 1, 2] as const;

/**
 * What completions of rows would come to if the rows were shuffled. Each answer is held against the hidden cell of a row that is drawn
 * by lot: the rate of right ones is then, over all n! orders of the rows, Σ p(v) q(v), where p(v) is the share of answers v, and
 * q(v) that of cells v. So right is a model that knows nothing but how often each value is in the column, and answers as often
 * with each. `completed_beyond_shuffled` is the share of right completions less this rate: 0 on average for any answers that do not
 * depend on the row, with any distribution, since E[Σ p q] over independent rows is the chance of each row's own match too.
 * Above 0 the answers follow the rows, by memory or by what the shown columns reveal of the hidden one.
 * @param values of the hidden column: the labels
 *
 * Example: answers A, A, B, B to cells A, B, B, B are right in 3 of 4; shuffled they would be in 1/2 · 1/4 + 1/2 · 3/4 = 1/2.
 */
export function completionMeasures({ trials, cases, caseOf, share }: CasedTrials, values: readonly string[]): PlannedMeasure[] {
  const width = written + 2 * values.length;
  const rows = new Float64Array(width * cases.length);
  const counted = new Set<number>();
  let n = 0;
  trials.forEach((trial, index) => {
    if (typeof trial.truth !== 'string') return;
    const place = caseOf[index] ?? 0;
    const add = (column: number) => {
      rows[width * place + column] = (rows[width * place + column] ?? 0) + (share[index] ?? 0);
    };
    add(whole);
    if (decidedRightly(trial) === true) add(right);
    const answered = trial.outcome === 'decided' && typeof trial.prediction === 'string' ? values.indexOf(trial.prediction) : -1;
    if (answered !== -1) add(written + answered);
    add(written + values.length + values.indexOf(trial.truth));
    counted.add(place);
    n += 1;
  });
  const shuffled = (sums: ArrayLike<number>) => {
    const all = unrounded(sums[whole] ?? 0);
    const matches = values.reduce((sum, _, at) => sum + (sums[written + at] ?? 0) * (sums[written + values.length + at] ?? 0), 0);
    return all === 0 ? null : matches / all ** 2;
  };
  const planned = (name: string, of: (sums: ArrayLike<number>) => number | null): PlannedMeasure =>
    n === 0
      ? withoutValue({ name, over: 'all' }, noTruth)
      : {
          ...withoutValue({ name, over: 'all' }, noTruth),
          n,
          cases: counted.size,
          statistic: sumsStatistic(rows, width, of),
          why: null,
        };
  return [
    planned('completed_if_shuffled', shuffled),
    planned('completed_beyond_shuffled', (sums) => {
      const chance = shuffled(sums);
      return chance === null ? null : (sums[right] ?? 0) / (sums[whole] ?? 1) - chance;
    }),
  ];
}
