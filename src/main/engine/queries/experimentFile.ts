import { loadFrozen } from '../lab/frozen.ts';
import { withoutFolder } from './experiment.ts';
import type { Query } from './query.ts';

/** The text of an experiment file that makes the same experiment, beside a data file of the name in it. */
export const experimentFile: Query<{ experiment: string }, string> = {
  run: (store, { experiment }) => `${JSON.stringify(withoutFolder(loadFrozen(store, experiment).definition), null, 2)}\n`,
};
