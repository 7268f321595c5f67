import { trialId } from '../../../core/record/identity.ts';
import type { Outcome } from '../../../shared/domain.ts';
import type { Dataset } from '../datasets/dataset.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';
import type { PreparedExperiment } from './experimentFile.ts';

/** Whether a run still has to do a trial: not begun, not finished, or finished with an outcome that gets a further attempt. */
export const isOpen = (row: Pick<TrialRow, 'status' | 'outcome'> | undefined, retry: readonly Outcome[]): boolean =>
  row === undefined || row.status === 'running' || retry.some((outcome) => outcome === row.outcome);

/** Names of the arms that have trials left, also of those that the record does not have yet. */
export function openArms(
  store: Store,
  { experiment, arms }: PreparedExperiment,
  { sample }: Dataset,
  retry: readonly Outcome[],
): Set<string> {
  const rows = new Map(store.trials.ofExperiment(experiment.name).map((row) => [row.trial, row]));
  const replicates = Array.from({ length: experiment.replicates }, (_none, replicate) => replicate);
  const open = arms.flatMap(({ definition: { name } }) =>
    sample.some((id) =>
      replicates.some((replicate) =>
        isOpen(rows.get(trialId({ experiment: experiment.name, arm: name, case: id, replicate })), retry),
      ),
    )
      ? [name]
      : [],
  );
  return new Set(open);
}
