// What becomes of a trial on the record that is to be tried again with changes.
import type { VaryDraft } from '../../../shared/api/trials.ts';
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

interface RetrialQuery extends VaryDraft {
  /** Absolute path of the data file; null where the list of data sets does not have it. */
  readonly dataPath: string | null;
}

interface RetrialDraft {
  readonly experiment: Experiment;
  readonly data: Dataset;
}

/** The only case of an experiment that was made from no file. Throws not-found for any other. */
function onlyCase(store: Store, { definition, dataset, name }: ReturnType<typeof loadFrozen>): Dataset {
  const [only, ...others] = store.datasets.cases(dataset.id);
  if (only !== undefined && others.length === 0) return triedData(store.datasets.read(only.ref), definition);
  throw new AssizeError(
    'not-found',
    `the data of experiment ${JSON.stringify(name)} are not in the list of data sets; run assize vary with its file and --trial`,
    { field: 'trial' },
  );
}

/**
 * The experiment in which a trial is tried again, with its arms and data. Where it is on the record it gets further arms.
 * @throws bad input for a trial that is itself a changed one or was imported, and for a change that cannot be made
 */
export const retrialDraft: Query<RetrialQuery, RetrialDraft> = {
  async run(store, { trial, changes, expect, dataPath }) {
    const { trial: planned, frozen } = findTrial(store, trial);
    refuseErased(store, frozen.name);
    const own = frozen.definition.arms.filter(({ name, change }) => name === planned.arm && change === undefined);
    if (own.length === 0) {
      throw badInput('this trial was imported, or is itself one with a change; open the trial that it varies', {
        field: 'trial',
      });
    }
    const again =
      store.experiments.get(retrialName(trial)) === undefined ? null : loadFrozen(store, retrialName(trial)).definition;
    const { primary: _primary, stop: _stop, ...definition } = again ?? { ...frozen.definition, arms: own };
    const drafted = prepareDrafted(definition, dataPath ?? '');
    const prepared = dataPath === null ? { ...drafted, data: onlyCase(store, frozen) } : drafted;
    const whole = { raw: definition, prepared, data: undefined };
    const file = again === null ? await retrialOf(whole, trial) : { ...whole, data: await readExperimentData(prepared) };
    const { made } = await varied(file, { changes, arms: [], expect });
    return { experiment: made.experiment, data: await readExperimentData(made) };
  },
};
