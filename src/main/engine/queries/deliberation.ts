import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { loadFrozen } from '../lab/frozen.ts';
import type { Query } from './query.ts';

/** What the figures about deliberation are drawn from. */
export const deliberation: Query<{ experiment: string; subset?: Subset | undefined }, DeliberationFigures> = {
  run(store, { experiment }) {
    return { trials: store.trials.ofExperiment(loadFrozen(store, experiment).name).length };
  },
};
