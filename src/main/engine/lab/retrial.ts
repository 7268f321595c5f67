// Makes of one trial of an experiment, or of its first cases, an experiment by itself, in which they are tried again.
import { hashParts, toHex } from '../../../core/record/hash.ts';
import { trialId } from '../../../core/record/identity.ts';
import { badInput } from '../../../shared/errors.ts';
import {
  type ArmDefinition,
  type Experiment,
  experimentSchema,
  firstReplicate,
  longestName,
} from '../../../shared/experiment.ts';
import type { Dataset } from '../datasets/dataset.ts';
import { prepareExperiment, readExperimentData } from './experimentFile.ts';
import type { PreparedExperiment } from './preparedArm.ts';

export interface RetrialFile {
  readonly raw: Readonly<Record<string, unknown>>;
  readonly prepared: PreparedExperiment;
  readonly data: Dataset | undefined;
}

export const retrialName = (trial: string): string => `trial ${trial} again`;

/** Name of the experiment in which the first cases of another are tried again; a long one is cut, and a hash distinguishes it. */
export function firstCasesName(experiment: string, cases: number): string {
  const suffix = `, first ${cases === 1 ? 'case' : `${cases} cases`}`;
  if (experiment.length + suffix.length <= longestName) return experiment + suffix;
  const end = `… ${toHex(hashParts(['assize/first-cases', experiment])).slice(0, 8)}${suffix}`;
  const half = /[\uD800-\uDBFF]$/;
  return experiment.slice(0, longestName - end.length).replace(half, '') + end;
}

/** Whose trial an id is. Throws bad input for an id that is none of the experiment's. */
function planned({ experiment, arms }: PreparedExperiment, data: Dataset, trial: string) {
  for (const { definition, swap } of arms) {
    for (const caseId of data.sample) {
      for (let replicate = 0; replicate < experiment.replicates; replicate++) {
        if (trialId({ experiment: experiment.name, arm: definition.name, case: caseId, replicate }) === trial) {
          return { arm: definition, swap, caseId, replicate };
        }
      }
    }
  }
  throw badInput(
    `experiment ${JSON.stringify(experiment.name)} has no trial ${JSON.stringify(trial)}; trials-csv lists their ids`,
    '--trial',
  );
}

/** The experiment of one trial: only its case and its arm, with the seeds of that trial. Throws bad input. */
export async function retrialOf({ raw, prepared }: RetrialFile, trial: string): Promise<RetrialFile> {
  const data = await readExperimentData(prepared);
  const { arm, swap, caseId, replicate } = planned(prepared, data, trial);
  const { experiment } = prepared;
  if (swap !== null || arm.change !== undefined) {
    throw badInput(
      `trial ${trial} is of arm ${JSON.stringify(arm.name)}, which is itself a changed arm; name a trial of the arm that it varies`,
      '--trial',
    );
  }
  const of = { experiment: experiment.name, trial };
  const seeds = firstReplicate(experiment) + replicate;
  const named = { name: retrialName(trial), retrial: seeds === 0 ? of : { ...of, replicate: seeds } };
  const sample = { from: experiment.dataset.sample.from, ids: [caseId] };
  const { replicates: _replicates, ...kept } = raw;
  return smaller({ raw: kept, prepared, data }, named, sample, [caseId], (each) => each === arm);
}

/** The experiment over the first cases of its sample, with the arms that are not changed ones. Throws bad input. */
export async function firstCasesOf({ raw, prepared }: RetrialFile, cases: number): Promise<RetrialFile> {
  const data = await readExperimentData(prepared);
  const { name, dataset } = prepared.experiment;
  if (cases >= data.sample.length)
    throw badInput(`the experiment has ${data.sample.length} cases; choose a smaller number, or none to try all`, '--cases');
  const ids = data.sample.slice(0, cases);
  const sample = dataset.sample.ids === undefined ? { ...dataset.sample, n: cases } : { ...dataset.sample, ids };
  const named = { name: firstCasesName(name, cases) };
  return smaller({ raw, prepared, data }, named, sample, ids, ({ change }) => change === undefined);
}

function smaller(
  { raw, prepared, data }: RetrialFile & { readonly data: Dataset },
  named: Pick<Experiment, 'name' | 'retrial'>,
  sample: unknown,
  ids: readonly string[],
  isPart: (arm: ArmDefinition) => boolean,
): RetrialFile {
  const { primary: _primary, stop: _stop, suggestions: _suggestions, ...kept } = raw;
  const rawArms = Array.isArray(raw.arms) ? raw.arms : [];
  const { arms } = prepared.experiment;
  const file = {
    ...kept,
    ...named,
    dataset: { ...(typeof raw.dataset === 'object' ? raw.dataset : {}), sample },
    arms: rawArms.filter((_arm, index) => arms[index] !== undefined && isPart(arms[index])),
  };
  const only = { ...data, sample: [...ids] };
  return {
    raw: file,
    prepared: { ...prepareExperiment({ ...prepared, experiment: experimentSchema.parse(file) }), data: only },
    data: only,
  };
}
