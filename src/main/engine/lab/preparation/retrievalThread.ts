import { join } from 'node:path';
import { Piscina } from 'piscina';
import { outputOf, type ThreadAnswer } from '../../threads/answer.ts';
import type { RetrievalOutput, RetrievalTask } from './retrievalWorker.ts';
import type { Found, Search } from './search.ts';
import type { VectorPlace } from './vectorSpace.ts';

/** Beside this file when run from source, beside the bundle when bundled. */
const workerFile = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'retrievalWorker.ts' : 'retrieval-worker.js');

/** A worker thread with the training cases of one experiment: 20,000 of them would hold up the engine for seconds. */
export interface RetrievalThread {
  /** Refs of the training cases, in order. */
  readonly training: readonly string[];
  addVectors(space: string, places: readonly (VectorPlace | null)[]): Promise<void>;
  search(search: Search): Promise<Found>;
  close(): Promise<void>;
}

/** Starts the thread. Throws what reading the store throws. */
export async function openRetrievalThread(store: string, experiment: string, freeze: string): Promise<RetrievalThread> {
  // One thread, for it keeps what it has read.
  const pool = new Piscina<RetrievalTask, ThreadAnswer<RetrievalOutput>>({
    filename: workerFile,
    minThreads: 1,
    maxThreads: 1,
    concurrentTasksPerWorker: 1,
  });
  // A task of one kind has an answer of one kind, which the types of the two cannot tell.
  const run = async <T extends RetrievalOutput>(task: RetrievalTask): Promise<T> => outputOf(await pool.run(task)) as T;
  const close = () => pool.destroy();
  try {
    return {
      training: await run<readonly string[]>({ kind: 'training', store, experiment, freeze }),
      async addVectors(space, places) {
        await run<null>({ kind: 'vectors', store, space, places });
      },
      search: (search) => run<Found>({ kind: 'search', search }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
