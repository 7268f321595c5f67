import { badInput } from '../../../shared/errors.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import { type PreparedExperiment, prepareExperiment } from './experimentFile.ts';
import { fieldName } from './jsonFile.ts';

/** Faults of an experiment that is in no file yet are named by its keys alone. */
const file: PreparedExperiment['file'] = {
  path: '',
  error: (message, path) => badInput(message, { field: fieldName(path).replace(/^dataset\.sample\b/, 'sample') }),
};

/** Checks an experiment that a screen describes. Throws bad input. */
export function prepareDrafted(experiment: Experiment, dataPath: string): PreparedExperiment {
  return prepareExperiment(experiment, file, dataPath);
}
