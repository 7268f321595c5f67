// What becomes of trials on the record that are to be tried again with changes.
import type { VaryDraft, VarySize } from '../../../shared/api/experiments.ts';
import { AssizeError, badInput } from '../../../shared/errors.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { refuseErased } from '../lab/erasedData.ts';
import { prepareDrafted, readExperimentData } from '../lab/experimentFile.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { retrialName, retrialOf } from '../lab/retrial.ts';
import { triedData } from '../lab/tryOut.ts';
import { varied } from '../lab/vary.ts';
import type { Store } from '../store/store.ts';
import { findTrial } from './findTrial.ts';
import type { Query } from './query.ts';

interface VariedQuery extends VaryDraft {
  /** Absolute path of the data file; null where the list of data sets does not have it. */
  readonly dataPath: string | null;
}

interface VariedDraft {
  readonly experiment: Experiment;
  readonly data: Dataset;
  readonly size: VarySize;
}

/** The only case of an experiment that was made from no file. Throws not-found for any other. */
function onlyCase(store: Store, { definition, dataset, name }: ReturnType<typeof loadFrozen>): Dataset {
  const [only, ...others] = store.datasets.cases(dataset.id);
  if (only !== undefined && others.length === 0) return triedData(store.datasets.read(only.ref), definition);
  throw new AssizeError(
    'not-found',
    `the data of experiment ${JSON.stringify(name)} are no longer in the list of data sets; import its file again`,
    { field: 'experiment' },
  );
}

/** The experiment of a trial that is tried again: the one on the record, or its arm alone. Throws bad input. */
function retrialDefinition(
  store: Store,
  experiment: string,
  trial: string,
): { readonly definition: Experiment; readonly isNew: boolean } {
  const again = retrialName(trial);
  if (store.experiments.get(again) !== undefined) return { definition: loadFrozen(store, again).definition, isNew: false };
  const { trial: planned, frozen } = findTrial(store, trial);
  const { primary: _primary, stop: _stop, ...definition } = frozen.definition;
  const arms = definition.arms.filter(({ name, change }) => name === planned.arm && change === undefined);
  if (definition.name !== experiment) throw badInput('this trial is of another experiment', { field: 'trial' });
  if (arms.length > 0) return { definition: { ...definition, arms }, isNew: true };
  throw badInput('this trial was imported, or is itself one with a change; open the trial that it varies', { field: 'trial' });
}

/**
 * The experiment with further arms, or the one in which a trial is tried again, and its data.
 * @throws bad input for a trial that is itself a changed one or was imported, and for a change that cannot be made
 */
export const variedDraft: Query<VariedQuery, VariedDraft> = {
  async run(store, { experiment, trial, changes, expect, dataPath }) {
    refuseErased(store, experiment);
    const frozen = loadFrozen(store, experiment);
    const { definition, isNew } =
      trial === null ? { definition: frozen.definition, isNew: false } : retrialDefinition(store, experiment, trial);
    const drafted = prepareDrafted(definition, dataPath ?? '');
    const prepared = dataPath === null ? { ...drafted, data: onlyCase(store, frozen) } : drafted;
    const whole = { raw: definition, prepared, data: undefined };
    const file = trial !== null && isNew ? await retrialOf(whole, trial) : whole;
    const { made } = await varied(file, { changes, arms: [], expect });
    const data = await readExperimentData(made);
    const unchanged = trial !== null && isNew;
    const { replicates } = made.experiment;
    const [arms, cases] = [made.arms.length - (unchanged ? 0 : prepared.arms.length), data.sample.length];
    return { experiment: made.experiment, data, size: { trials: arms * cases * replicates, arms, cases, replicates, unchanged } };
  },
};
