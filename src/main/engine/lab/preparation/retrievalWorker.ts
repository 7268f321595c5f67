// The thread that searches for precedents.
import { explained } from '../../store/databaseError.ts';
import { openStoreReadOnly, type Store } from '../../store/store.ts';
import { answered, type ThreadAnswer } from '../../threads/answer.ts';
import { loadFrozen } from '../frozen.ts';
import { type Found, openSearch, readTrainingCases, type Search, type TrainingSearch } from './search.ts';
import { type VectorPlace, vectorReader } from './vectorSpace.ts';

export type RetrievalTask =
  /** Reads the training cases of an experiment as of one of its freezes; answers their refs in order. */
  | { readonly kind: 'training'; readonly store: string; readonly experiment: string; readonly freeze: string }
  /** Reads the vectors of the training cases, in their order. */
  | { readonly kind: 'vectors'; readonly store: string; readonly space: string; readonly places: readonly (VectorPlace | null)[] }
  | { readonly kind: 'search'; readonly search: Search };

export type RetrievalOutput = readonly string[] | Found | null;

let opened: TrainingSearch | undefined;

function searching(): TrainingSearch {
  if (opened === undefined) throw new Error('the thread that looks for precedents has lost what it had read');
  return opened;
}

function reading<T>(path: string, action: (store: Store) => T): T {
  const store = openStoreReadOnly(path);
  try {
    return action(store);
  } catch (error) {
    throw explained(error, path);
  } finally {
    store.close();
  }
}

function* vectorsAt(places: readonly (VectorPlace | null)[], read: (place: VectorPlace) => Float32Array) {
  for (const place of places) yield place === null ? null : read(place);
}

function perform(task: RetrievalTask): RetrievalOutput {
  switch (task.kind) {
    case 'training': {
      const training = reading(task.store, (store) =>
        store.read(() => readTrainingCases(store, loadFrozen(store, task.experiment, task.freeze))),
      );
      opened = openSearch(training);
      return training.map(({ ref }) => ref);
    }
    case 'vectors': {
      const { space, places } = task;
      reading(task.store, (store) => {
        const read = vectorReader(store);
        searching().addVectors(space, vectorsAt(places, read));
      });
      return null;
    }
    case 'search':
      return searching().search(task.search);
  }
}

/** What the pool calls. */
export default function work(task: RetrievalTask): Promise<ThreadAnswer<RetrievalOutput>> {
  return answered(() => perform(task));
}
