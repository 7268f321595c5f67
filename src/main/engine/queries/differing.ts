import { differingCases } from '../../../core/statistics/measures/comparisons.ts';
import type { DifferingCases } from '../../../shared/api/statistics.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { contendersOf } from './contenders.ts';
import type { Query } from './query.ts';

/** Cases of each kind that are listed. */
const mostCases = 500;

/** The cases on which one arm is right more often than another, or than a baseline, with their trials. */
export const differing: Query<{ experiment: string; a: string; b: string; baseline: boolean }, DifferingCases> = {
  run(store, { experiment, ...pair }) {
    const { a, b } = contendersOf(store, loadFrozen(store, experiment), pair);
    const { aOnly, bOnly } = differingCases(a.contender, b.contender);
    const trialsOf = (some: readonly TrialLine[]) => {
      const byCase = Map.groupBy(some, (line) => line.case);
      return (id: string) => (byCase.get(id) ?? []).flatMap(({ trial }) => (trial === '' ? [] : [trial]));
    };
    const [ofA, ofB] = [trialsOf(a.lines), trialsOf(b.lines)];
    const listed = (cases: readonly string[]) => cases.slice(0, mostCases).map((id) => ({ case: id, a: ofA(id), b: ofB(id) }));
    return { a_only: listed(aOnly), b_only: listed(bOnly) };
  },
};
