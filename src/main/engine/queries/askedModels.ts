import { neededModels } from '../lab/backends.ts';
import { loadFrozen } from '../lab/frozen.ts';
import type { Query } from './query.ts';

/** Models that an experiment asks of Ollama servers. Throws not-found for an unknown one. */
export const askedModels: Query<{ experiment: string }, string[]> = {
  run(store, { experiment }) {
    const { definition } = loadFrozen(store, experiment);
    return [...neededModels(definition)].flatMap(([backend, models]) =>
      definition.backends[backend]?.kind === 'openai' ? [] : [...models.keys()],
    );
  },
};
