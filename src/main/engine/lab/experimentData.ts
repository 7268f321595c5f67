import { AssizeError } from '../../../shared/errors.ts';
import { type Dataset, readDataset } from '../datasets/dataset.ts';
import { refuseMissingExamples } from './examples.ts';
import { type PreparedExperiment, refuseUnfitCases } from './experimentFile.ts';
import { refuseMissingPrecedents } from './precedents.ts';

/** The plan of an experiment is held in memory: about 200 bytes a trial. */
export const mostTrials = 2_000_000;

/**
 * The data of an experiment, with which its arms have been checked. Faults of the definition get the
 * experiment file's place. Throws bad input.
 */
export async function readExperimentData(prepared: PreparedExperiment): Promise<Dataset> {
  const { experiment, dataPath, file } = prepared;
  try {
    const data = prepared.data ?? (await readDataset(dataPath, experiment.dataset, { seed: experiment.seed }));
    refuseUnfitCases(prepared, data.labels, data.multiLabel);
    refuseMissingExamples(prepared, data);
    refuseMissingPrecedents(prepared, data);
    const trials = data.sample.length * experiment.replicates * prepared.arms.length;
    if (trials > mostTrials) {
      throw file.error(`${trials} trials are more than one experiment can hold (${mostTrials}); split it`, ['replicates']);
    }
    return data;
  } catch (error) {
    if (error instanceof AssizeError && error.place.file === undefined && error.place.field !== undefined) {
      throw file.error(error.message, error.place.field.split('.'));
    }
    throw error;
  }
}
