import { join } from 'node:path';
import { Piscina } from 'piscina';
import { outputOf, type ThreadAnswer } from '../../threads/answer.ts';
import type { RetrievalOutput, RetrievalTask } from './retrievalWorker.ts';
import type { Found, Search } from './search.ts';
import type { VectorPlace } from './vectorSpace.ts';

/** Next to this file when run from source, next to the bundle when bundled. */
const workerFile = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'retrievalWorker.ts' : 'retrieval-worker.js');

/** How long the thread stays unused: the next run, plan or dry run of a form mostly begins at once. */
const idleMs = 5_000;

type Thread = Piscina<RetrievalTask, ThreadAnswer<RetrievalOutput>>;
let thread: Thread | undefined;
let ending: NodeJS.Timeout | undefined;
let users = 0;
let searches = 0;
/** Tasks that the thread has not answered. */
let working = 0;

function enter(): Thread {
  clearTimeout(ending);
  users += 1;
  // One thread, for it keeps what it has read.
  thread ??= new Piscina({ filename: workerFile, minThreads: 1, maxThreads: 1, concurrentTasksPerWorker: 1 });
  return thread;
}

/** Ends the use of a search. A thread without another user ends at once, so that an interrupt waits for nothing. */
async function leave(pool: Thread, id: number): Promise<void> {
  users -= 1;
  if (users === 0 && working > 0) {
    thread = undefined;
    await pool.destroy();
    return;
  }
  // Frees the memory; a thread that has died has freed it.
  pool.run({ kind: 'close', id }).catch(() => undefined);
  if (users > 0) return;
  ending = setTimeout(() => {
    void thread?.destroy();
    thread = undefined;
  }, idleMs).unref();
}

/** The training cases of one experiment in a worker thread: 20,000 of them would hold up the engine for seconds. */
export type RetrievalThread = Awaited<ReturnType<typeof openRetrievalThread>>;

/** Reads the training cases in the thread, which starts if there is none. Throws what reading the store throws. */
export async function openRetrievalThread(store: string, experiment: string, freeze: string) {
  const pool = enter();
  const id = searches++;
  // A task of one kind has an answer of one kind, which the types of the two cannot express.
  const run = async <T extends RetrievalOutput>(task: RetrievalTask): Promise<T> => {
    working += 1;
    return outputOf(await pool.run(task).finally(() => (working -= 1))) as T;
  };
  const close = () => leave(pool, id);
  try {
    return {
      /** Refs of the training cases, in order. */
      training: await run<readonly string[]>({ kind: 'training', id, store, experiment, freeze }),
      async addVectors(space: string, places: readonly (VectorPlace | null)[]) {
        await run<null>({ kind: 'vectors', id, store, space, places });
      },
      search: (search: Search) => run<Found>({ kind: 'search', id, search }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
