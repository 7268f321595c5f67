// Makes of one trial of an experiment an experiment by itself, in which it is tried again.
import { trialId } from '../../../core/record/identity.ts';
import { badInput } from '../../../shared/errors.ts';
import { type Experiment, experimentSchema } from '../../../shared/experiment.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { prepareExperiment, readExperimentData } from './experimentFile.ts';
import type { PreparedExperiment } from './preparedArm.ts';

export interface RetrialFile {
  /** The file's own keys. */
  readonly raw: Readonly<Record<string, unknown>>;
  readonly prepared: PreparedExperiment;
  /** Its data, where they have been read. */
  readonly data: Dataset | undefined;
}

/** Name of the experiment in which a trial is tried again. */
export const retrialName = (trial: string): string => `trial ${trial} again`;

/** Whose trial an id is. Throws bad input for an id that is none of the experiment's. */
function planned({ experiment, arms }: PreparedExperiment, data: Dataset, trial: string) {
  for (const { definition, swap } of arms) {
    for (const caseId of data.sample) {
      for (let replicate = 0; replicate < experiment.replicates; replicate++) {
        if (trialId({ experiment: experiment.name, arm: definition.name, case: caseId, replicate }) === trial) {
          return { arm: definition, swap, caseId };
        }
      }
    }
  }
  throw badInput(
    `experiment ${JSON.stringify(experiment.name)} has no trial ${JSON.stringify(trial)}; trials-csv lists their ids`,
    {
      field: '--trial',
    },
  );
}

/** What a file about one trial has in place of the keys of the whole experiment's. */
function retrialKeys({ name, dataset }: Pick<Experiment, 'name' | 'dataset'>, trial: string, caseId: string) {
  const { from, ids: _ids } = dataset.sample;
  return {
    name: retrialName(trial),
    sample: { from, ids: [caseId] },
    retrial: { experiment: name, trial },
  };
}

/** The experiment of one trial: its case and its arm alone, with the seeds of the first replicate. Throws bad input. */
export async function retrialOf({ raw, prepared }: RetrialFile, trial: string): Promise<RetrialFile> {
  const data = await readExperimentData(prepared);
  const { arm, swap, caseId } = planned(prepared, data, trial);
  const { experiment } = prepared;
  if (swap !== null || arm.change !== undefined) {
    throw badInput(
      `trial ${trial} is of arm ${JSON.stringify(arm.name)}, which is itself a changed arm; name a trial of the arm that it varies`,
      {
        field: '--trial',
      },
    );
  }
  const { name, sample, retrial } = retrialKeys(experiment, trial, caseId);
  const { primary: _primary, stop: _stop, suggestions: _suggestions, replicates: _replicates, ...kept } = raw;
  const rawArms = Array.isArray(raw.arms) ? raw.arms : [];
  const place = experiment.arms.findIndex((each) => each.name === arm.name);
  const file = {
    ...kept,
    name,
    retrial,
    dataset: { ...(typeof raw.dataset === 'object' ? raw.dataset : {}), sample },
    arms: [rawArms[place]],
  };
  const only = { ...data, sample: [caseId] };
  return {
    raw: file,
    prepared: { ...prepareExperiment({ ...prepared, experiment: experimentSchema.parse(file) }), data: only },
    data: only,
  };
}
