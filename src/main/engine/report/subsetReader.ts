import { fitsSubset, type SubsetReading } from '../../../core/figures/subset.ts';
import { lossReader } from '../../../core/statistics/measures/beliefMeasures.ts';
import type { ReportedTrial } from '../../../core/statistics/measures/heldTrials.ts';
import { labelSetLoss } from '../../../core/statistics/measures/labelSetBeliefMeasures.ts';
import { verdictPath } from '../../../core/trajectory/verdictPath.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import type { Prediction } from '../../../shared/domain.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import type { Store } from '../store/store.ts';

/**
 * Whether a trial of the experiment is in a part of it. Trajectories are read, and other trials looked at, only for
 * conditions that need them: a first answer costs reading one trial, a pair one look at the trials of its arms.
 */
export function subsetReader(
  store: Store,
  frozen: FrozenExperiment,
  subset: Subset | undefined,
): (line: ReportedTrial) => boolean {
  const { dataset } = frozen.definition;
  const labels = dataset.labels ?? [];
  const lossOf = isMultiLabel(dataset) ? labelSetLoss(labels) : lossReader(labels);
  const answerOf = readOnce((trial: string): Prediction => verdictPath(store.trajectories.of(trial))?.initial ?? null);
  const casesOf = readOnce((arm: string) => {
    const { rows } = store.trials.page({ experiment: frozen.name, arm, status: 'done', order: 'case' }, null);
    return new Set(rows.map((row) => row.case_id));
  });
  const reading: SubsetReading<ReportedTrial> = {
    firstAnswer: ({ trial, status, outcome }) => (status === 'done' && outcome === 'decided' ? answerOf(trial) : null),
    hasBelief: (line) => lossOf(line) !== null,
    isPaired: (line, arms) => arms.every((arm) => casesOf(arm).has(line.case)),
  };
  return (line) => fitsSubset(line, subset, reading);
}
