import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { outputOf } from '../threads/answer.ts';
import type { QueryInput, QueryName, QueryOutput } from './queries.ts';
import type { TellProgress } from './query.ts';
import type { QueryAnswer, QueryTask } from './worker.ts';

/** Beside this file when run from source, beside the bundle when bundled. */
const workerFile = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? 'worker.ts' : 'query-worker.js');

/** Worker threads that answer queries from the store at a path, each in one read transaction of its own. */
export function openQueryPool(store: string) {
  const pool = new Piscina<QueryTask, QueryAnswer>({
    filename: workerFile,
    minThreads: 1,
    maxThreads: 2,
    idleTimeout: 60_000,
    // Each query opens files: at most one at a time in a thread.
    concurrentTasksPerWorker: 1,
  });
  return {
    /** @param onProgress told how far it is, by queries that take their time */
    async run<Name extends QueryName>(
      name: Name,
      input: QueryInput<Name>,
      signal?: AbortSignal,
      onProgress?: TellProgress,
    ): Promise<QueryOutput<Name>> {
      signal?.throwIfAborted();
      const line = onProgress === undefined ? null : new MessageChannel();
      line?.port1.on('message', onProgress ?? (() => undefined));
      const progress = line?.port2 ?? null;
      try {
        const answer = await pool.run(
          { store, name, input, progress },
          { ...(signal === undefined ? {} : { signal }), ...(progress === null ? {} : { transferList: [progress] }) },
        );
        return outputOf(answer) as QueryOutput<Name>;
      } finally {
        line?.port1.close();
      }
    },
    close: () => pool.destroy(),
  };
}

export type QueryPool = ReturnType<typeof openQueryPool>;
export type Queries = Pick<QueryPool, 'run'>;
