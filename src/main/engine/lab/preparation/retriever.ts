import type { PrecedentQuery } from '../../../../core/protocols/court.ts';
import type { Retrieval } from '../../../../core/record/effects.ts';
import type { Store } from '../../store/store.ts';
import type { FrozenExperiment } from '../frozen.ts';
import type { Embeddings } from './embeddings.ts';
import type { RetrievalThread } from './retrievalThread.ts';
import type { Found } from './search.ts';
import type { KnownCase } from './trainingCases.ts';
import { vectorReader } from './vectorSpace.ts';

/** Finds training cases beside a case on trial. Neither the case itself is found, nor one that tells the same. */
export interface Retriever {
  /** Drawn by the seed, with the same chance for each case of a label. */
  random(kase: KnownCase, query: PrecedentQuery, seed: number): Promise<Retrieval>;
  /** By the cosine of TF-IDF weights. */
  byTerms(kase: KnownCase, query: PrecedentQuery): Promise<Retrieval>;
  /** By the cosine of a model's vectors. Throws what is no part of a trial. */
  byVectors(kase: KnownCase, query: PrecedentQuery, embeddings: Embeddings): Promise<Retrieval>;
  close(): Promise<void>;
}

const told = (method: Retrieval['method'], setup: string | null, { precedents, withoutVector }: Found): Retrieval => ({
  method,
  setup,
  precedents,
  ...(withoutVector === 0 ? {} : { withoutVector }),
  failure: null,
});

/** A retriever over the training cases of an experiment. It begins a thread when it is first asked. */
export function openRetriever(store: Store, { name, freeze }: FrozenExperiment): Retriever {
  let thread: Promise<RetrievalThread> | undefined;
  const indexed = new Map<string, Promise<void>>();

  const started = (): Promise<RetrievalThread> => {
    thread ??= import('./retrievalThread.ts').then(({ openRetrievalThread }) => openRetrievalThread(store.path, name, freeze));
    return thread;
  };

  /** Sees to it that the thread has the vectors of the training cases. */
  const index = (embeddings: Embeddings): Promise<void> => {
    const made = indexed.get(embeddings.space);
    if (made !== undefined) return made;
    const making = started().then(async ({ training, addVectors }) => {
      await embeddings.make(training);
      const places = training.map((ref) => {
        const known = embeddings.known(ref);
        return 'place' in known ? known.place : null;
      });
      await addVectors(embeddings.space, places);
    });
    indexed.set(embeddings.space, making);
    // What was cut short is begun anew by whoever asks next.
    making.catch(() => indexed.delete(embeddings.space));
    return making;
  };

  return {
    async random(kase, { labels, perLabel }, seed) {
      const { search } = await started();
      return told('random', null, await search({ kase, labels, perLabel, by: { method: 'random', seed } }));
    },

    async byTerms(kase, { labels, perLabel }) {
      const { search } = await started();
      return told('tf-idf', null, await search({ kase, labels, perLabel, by: { method: 'tf-idf' } }));
    },

    async byVectors(kase, { labels, perLabel }, embeddings) {
      await index(embeddings);
      await embeddings.make([kase.ref]);
      const known = embeddings.known(kase.ref);
      const setup = store.blobs.need(known.setup);
      if (!('place' in known)) return { method: 'embeddings', setup, precedents: [], failure: known.failure };
      const own = vectorReader(store)(known.place);
      const { search } = await started();
      const by = { method: 'embeddings', space: embeddings.space, own } as const;
      return told('embeddings', setup, await search({ kase, labels, perLabel, by }));
    },

    async close() {
      // What could not begin has been told to whoever asked for it.
      await thread?.then(({ close }) => close()).catch(() => undefined);
    },
  };
}
