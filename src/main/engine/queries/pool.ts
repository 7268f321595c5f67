import { join } from 'node:path';
import { MessageChannel, SHARE_ENV } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { AssizeError } from '../../../shared/errors.ts';
import { outputOf } from '../threads/answer.ts';
import type { QueryInput, QueryName, QueryOutput } from './queries.ts';
import type { TellProgress } from './query.ts';
import type { QueryAnswer, QueryTask } from './worker.ts';

/** Next to this file when run from source, next to the bundle when bundled. */
const workerFile = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'worker.ts' : 'query-worker.js');

type Threads = Piscina<QueryTask | null, QueryAnswer>;
let started: Threads | undefined;

/** The threads of this process: to start one takes longer than most queries. They keep no process from ending. */
function threads(): Threads {
  started ??= new Piscina<QueryTask | null, QueryAnswer>({
    filename: workerFile,
    minThreads: 1,
    // Two that draw intervals leave one for what a screen asks meanwhile.
    maxThreads: 3,
    idleTimeout: 60_000,
    // Each query opens files: at most one at a time in a thread.
    concurrentTasksPerWorker: 1,
    // A sixteenth of what Node gives for new objects: a large report fills it, however much it is.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
    // Variables that are set after a thread has started hold in it too.
    env: SHARE_ENV,
  });
  return started;
}

/** Worker threads that answer queries from the store at a path, each in its own read transaction. All stores share them. */
export function openQueryPool(store: string) {
  const pool = threads();
  const closing = new AbortController();
  const working = new Set<Promise<unknown>>();
  return {
    /** @param onProgress called with how far it is, by queries that take their time */
    async run<Name extends QueryName>(
      name: Name,
      input: QueryInput<Name>,
      signal?: AbortSignal,
      onProgress?: TellProgress,
    ): Promise<QueryOutput<Name>> {
      signal?.throwIfAborted();
      const ending = AbortSignal.any([closing.signal, ...(signal === undefined ? [] : [signal])]);
      const line = onProgress === undefined ? null : new MessageChannel();
      line?.port1.on('message', onProgress ?? (() => undefined));
      const progress = line?.port2 ?? null;
      try {
        const transferList = progress === null ? [] : [progress];
        const answer = pool.run({ store, name, input, progress }, { signal: ending, transferList });
        working.add(answer);
        return outputOf(await answer.finally(() => working.delete(answer))) as QueryOutput<Name>;
      } finally {
        // A thread ends with the query that it worked on. Queries that wait would wait for the others: this starts another.
        if (ending.aborted && pool.queueSize > 0) void pool.run(null);
        line?.port1.close();
      }
    },
    /** Ends what was asked through this pool, with the threads that still work on it. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.allSettled(working);
    },
  };
}

/** One query for a command, which ends with it. Throws interrupted, in these words, when the signal fires. */
export async function askOnce<Name extends QueryName>(
  store: string,
  name: Name,
  input: QueryInput<Name>,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: TellProgress },
  words: string,
): Promise<QueryOutput<Name>> {
  const pool = openQueryPool(store);
  try {
    return await pool.run(name, input, signal, onProgress);
  } catch (error) {
    throw signal.aborted ? new AssizeError('interrupted', words) : error;
  } finally {
    await pool.close();
  }
}

export type QueryPool = ReturnType<typeof openQueryPool>;
export type Queries = Pick<QueryPool, 'run'>;
