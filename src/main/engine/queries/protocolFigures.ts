import type { ProtocolFigures } from '../../../shared/api/protocolFigures.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { loadFrozen } from '../lab/frozen.ts';
import type { Query } from './query.ts';

/** What the figures of single protocols are drawn from. */
export const protocolFigures: Query<{ experiment: string; subset?: Subset | undefined }, ProtocolFigures> = {
  run(store, { experiment }) {
    return { trials: store.trials.ofExperiment(loadFrozen(store, experiment).name).length };
  },
};
