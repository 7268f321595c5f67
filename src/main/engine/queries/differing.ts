import { baselineLines } from '../../../core/statistics/measures/baselineLines.ts';
import { contender, differingCases } from '../../../core/statistics/measures/comparisons.ts';
import { baselineTitle, measured } from '../../../core/statistics/measures/statisticsReport.ts';
import type { DifferingCases } from '../../../shared/api/statistics.ts';
import { badInput } from '../../../shared/errors.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import { experimentBaselines } from '../lab/baselines.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { trialLines } from '../report/trialLines.ts';
import type { Query } from './query.ts';

/** Cases of each kind that are listed. */
const mostCases = 500;

/** The cases on which one arm is right more often than another, or than a baseline, with their trials. */
export const differing: Query<{ experiment: string; a: string; b: string; baseline: boolean }, DifferingCases> = {
  run(store, { experiment, a, b, baseline }) {
    const frozen = loadFrozen(store, experiment);
    const { dataset } = frozen.definition;
    const arms = frozen.arms.map(({ name }) => name);
    const lines = [...trialLines(store, frozen)];
    const linesOf = (name: string, field: string): TrialLine[] => {
      if (!arms.includes(name)) {
        throw badInput(`the experiment has no arm ${JSON.stringify(name)}`, { field });
      }
      return lines.filter(({ arm, status }) => arm === name && status === 'done');
    };
    const linesOfBaseline = (): TrialLine[] => {
      const found = experimentBaselines(store, frozen).baselines.find(({ name }) => baselineTitle(name, arms) === b);
      if (found === undefined) throw badInput(`the experiment has no baseline ${JSON.stringify(b)}`, { field: 'b' });
      return baselineLines(found, lines);
    };
    const terms = { labels: dataset.labels ?? [], multiLabel: isMultiLabel(dataset) };
    const one = linesOf(a, 'a');
    const other = baseline ? linesOfBaseline() : linesOf(b, 'b');
    const none = new Map();
    const { aOnly, bOnly } = differingCases(
      contender(a, false, measured(one, none), terms),
      contender(b, baseline, measured(other, none), terms),
    );
    const trialsOf = (some: readonly TrialLine[]) => {
      const byCase = Map.groupBy(some, (line) => line.case);
      return (id: string) => (byCase.get(id) ?? []).flatMap(({ trial }) => (trial === '' ? [] : [trial]));
    };
    const [ofA, ofB] = [trialsOf(one), trialsOf(other)];
    const listed = (cases: readonly string[]) => cases.slice(0, mostCases).map((id) => ({ case: id, a: ofA(id), b: ofB(id) }));
    return { a_only: listed(aOnly), b_only: listed(bOnly) };
  },
};
