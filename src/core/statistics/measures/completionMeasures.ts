// The control of completed rows: the same answers on shuffled rows.
import { decidedRightly } from './accuracyMeasures.ts';
import { type PlannedMeasure, plannedSums } from './planned.ts';
import type { CasedTrials, MeasuredTrial } from './trials.ts';

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
export function completionMeasures(trials: CasedTrials, values: readonly string[]): PlannedMeasure[] {
  const shuffled = (sums: ArrayLike<number>) => {
    const all = sums[whole] ?? 0;
    const matches = values.reduce((sum, _, at) => sum + (sums[written + at] ?? 0) * (sums[written + values.length + at] ?? 0), 0);
    return all === 0 ? null : matches / all ** 2;
  };
  const addTo = (trial: MeasuredTrial, add: (column: number) => void): boolean => {
    if (typeof trial.truth !== 'string') return false;
    add(whole);
    if (decidedRightly(trial) === true) add(right);
    const answered = trial.outcome === 'decided' && typeof trial.prediction === 'string' ? values.indexOf(trial.prediction) : -1;
    if (answered !== -1) add(written + answered);
    add(written + values.length + values.indexOf(trial.truth));
    return true;
  };
  const planned = (name: string, measure: (sums: ArrayLike<number>) => number | null): PlannedMeasure =>
    plannedSums({ name, over: 'all' }, trials, written + 2 * values.length, addTo, { measure, none: noTruth });
  return [
    planned('completed_if_shuffled', shuffled),
    planned('completed_beyond_shuffled', (sums) => {
      const chance = shuffled(sums);
      return chance === null ? null : (sums[right] ?? 0) / (sums[whole] ?? 1) - chance;
    }),
  ];
}
