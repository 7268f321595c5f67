import { baselineLines } from '../../../core/statistics/measures/baselineLines.ts';
import { type Contender, contender } from '../../../core/statistics/measures/comparisons.ts';
import { baselineTitle, measured } from '../../../core/statistics/measures/statisticsReport.ts';
import type { MeasuredTrial } from '../../../core/statistics/measures/trials.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { badInput } from '../../../shared/errors.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import { experimentBaselines } from '../lab/baselines.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import { subsetReader } from '../report/subsetReader.ts';
import { trialLines } from '../report/trialLines.ts';
import type { Store } from '../store/store.ts';

/** One of two that are compared: its finished trials, and what it did on each case. */
export interface ContendingLines {
  readonly lines: readonly TrialLine[];
  readonly trials: readonly MeasuredTrial[];
  readonly contender: Contender;
}

/** An arm and another arm or a baseline, by their names, of a part of the trials if one is given. Throws bad input for a name that the experiment does not have. */
export function contendersOf(
  store: Store,
  frozen: FrozenExperiment,
  { a, b, baseline, subset }: { a: string; b: string; baseline: boolean; subset?: Subset | undefined },
): { a: ContendingLines; b: ContendingLines } {
  const { dataset } = frozen.definition;
  const arms = frozen.arms.map(({ name }) => name);
  const lines = [...trialLines(store, frozen)];
  const linesOf = (name: string, field: string): TrialLine[] => {
    if (!arms.includes(name)) throw badInput(`the experiment has no arm ${JSON.stringify(name)}`, { field });
    return lines.filter(({ arm, status }) => arm === name && status === 'done');
  };
  const linesOfBaseline = (): TrialLine[] => {
    const found = experimentBaselines(store, frozen).baselines.find(({ name }) => baselineTitle(name, arms) === b);
    if (found === undefined) throw badInput(`the experiment has no baseline ${JSON.stringify(b)}`, { field: 'b' });
    return baselineLines(found, lines);
  };
  const terms = { labels: dataset.labels ?? [], multiLabel: isMultiLabel(dataset) };
  // A baseline has no trial, and an answer to every case: conditions on trials are on the arms alone, as in the report.
  const { groups, truths, paired } = subset ?? {};
  const ofBaseline: Subset = { groups, truths, paired };
  const contending = (name: string, isBaseline: boolean, all: readonly TrialLine[]): ContendingLines => {
    const some = all.filter(subsetReader(store, frozen, isBaseline ? ofBaseline : subset));
    const trials = measured(some, new Map());
    return { lines: some, trials, contender: contender(name, isBaseline, trials, terms) };
  };
  return {
    a: contending(a, false, linesOf(a, 'a')),
    b: contending(b, baseline, baseline ? linesOfBaseline() : linesOf(b, 'b')),
  };
}
