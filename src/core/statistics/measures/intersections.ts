// Groups by two columns at once, such as women of one race.
import { readOnce } from '../../../shared/remembered.ts';
import type { MeasuredTrial } from './trials.ts';

const joined = (names: readonly string[]): string => names.join(' × ');

/**
 * Trials with every pair of group columns as a further column, whose values are the pairs of values: Fairlearn's `MetricFrame`
 * over two sensitive features. Differences that hide in each column alone show in their intersection: J. Buolamwini and
 * T. Gebru, Gender Shades, PMLR 81 (2018), 77-91.
 */
export function withIntersections(
  trials: readonly MeasuredTrial[],
  columns: readonly string[],
): { readonly trials: readonly MeasuredTrial[]; readonly pairs: readonly string[] } {
  const pairs = columns.flatMap((one, place) => columns.slice(place + 1).map((other) => [one, other] as const));
  if (pairs.length === 0) return { trials, pairs: [] };
  // Many trials share their groups.
  const crossed = readOnce((groups: MeasuredTrial['groups']) => {
    const valueIn = (column: string) => (Object.hasOwn(groups, column) ? (groups[column] ?? '') : '');
    return { ...groups, ...Object.fromEntries(pairs.map((pair) => [joined(pair), joined(pair.map(valueIn))])) };
  });
  return {
    trials: trials.map((trial) => {
      const { case: id, outcome, incomplete, inconsistent, prediction, confidence, belief, truth, weight, path = null } = trial;
      const groups = crossed(trial.groups);
      return { case: id, outcome, incomplete, inconsistent, prediction, confidence, belief, truth, weight, path, groups };
    }),
    pairs: pairs.map(joined),
  };
}
