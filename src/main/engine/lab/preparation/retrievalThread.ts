import { join } from 'node:path';
import { Piscina } from 'piscina';
import { outputOf, type ThreadAnswer } from '../../threads/answer.ts';
import type { RetrievalOutput, RetrievalTask } from './retrievalWorker.ts';
import type { Found, Search } from './search.ts';
import type { VectorPlace } from './vectorSpace.ts';

/** Next to this file when run from source, next to the bundle when bundled. */
const workerFile = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'retrievalWorker.ts' : 'retrieval-worker.js');

type Thread = Piscina<RetrievalTask, ThreadAnswer<RetrievalOutput>>;

/** The training cases of one experiment in a worker thread: 20,000 of them would hold up the engine for seconds. */
export type RetrievalThread = Awaited<ReturnType<typeof openRetrievalThread>>;

/** Reads the training cases in a thread of their own. Throws what reading the store throws. */
export async function openRetrievalThread(store: string, experiment: string, freeze: string) {
  // One thread, for it keeps what it has read.
  const pool: Thread = new Piscina({ filename: workerFile, minThreads: 1, maxThreads: 1, concurrentTasksPerWorker: 1 });
  // A task of one kind has an answer of one kind, which the types of the two cannot express.
  const run = async <T extends RetrievalOutput>(task: RetrievalTask): Promise<T> => outputOf(await pool.run(task)) as T;
  const close = () => pool.destroy();
  try {
    return {
      /** Refs of the training cases, in order. */
      training: await run<readonly string[]>({ kind: 'training', store, experiment, freeze }),
      async addVectors(space: string, places: readonly (VectorPlace | null)[]) {
        await run<null>({ kind: 'vectors', store, space, places });
      },
      search: (search: Search) => run<Found>({ kind: 'search', search }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
