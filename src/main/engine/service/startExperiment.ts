import { trialId } from '../../../core/record/identity.ts';
import type { BackendChoice } from '../../../shared/api/engine.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { connectBackends, readyBackends } from '../lab/backends.ts';
import { askedOf } from '../lab/experimentFile.ts';
import { freezeExperiment } from '../lab/freeze.ts';
import { joiningIn } from '../lab/pools.ts';
import type { PreparedExperiment } from '../lab/preparedArm.ts';
import { refuseTime } from './plannedTime.ts';
import type { Service } from './service.ts';

/** The servers of an experiment, and what is asked of them. */
export function connected(service: Service, prepared: PreparedExperiment) {
  const { backends, runtime } = prepared.experiment;
  const asked = askedOf(prepared);
  const models = connectBackends(service.network.dispatcher(), backends, runtime);
  return { models, ...asked, joining: joiningIn(asked.played) };
}

/**
 * Records an experiment and starts its run. Where no server answers or a model is missing it throws, and nothing is recorded.
 * @param nameFor its name, given those that are taken
 * @returns its name, and the trial of its first arm and first case
 */
export async function startExperiment(
  service: Service,
  prepared: PreparedExperiment,
  data: Dataset,
  {
    first,
    heldUntil,
    ...run
  }: {
    readonly backend: BackendChoice;
    readonly concurrency: number;
    readonly entry?: string;
    readonly first?: boolean;
    /** When it starts; null: now. */
    readonly heldUntil?: string | null;
  },
  nameFor: (taken: readonly string[]) => string,
): Promise<{ experiment: string; trial: string }> {
  const { models, needed, retrievers, joining } = connected(service, prepared);
  await readyBackends(models, needed, retrievers, joining);
  return service.store.write((store) => {
    if (heldUntil != null) refuseTime(heldUntil);
    const name = nameFor(store.experiments.names());
    freezeExperiment(store, { ...prepared, experiment: { ...prepared.experiment, name } }, data);
    service.runs.start(name, { backend: run.backend, concurrency: run.concurrency, retry: [], first, heldUntil });
    store.runs.save({ experiment: name, session: service.launch.session, ...run });
    const [arm = '', kase = ''] = [prepared.arms[0]?.definition.name, data.sample[0]];
    return { experiment: name, trial: trialId({ experiment: name, arm, case: kase, replicate: 0 }) };
  });
}
