// The thread that answers queries.
import { existsSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { AssizeError } from '../../../shared/errors.ts';
import { collectEarly } from '../collectEarly.ts';
import { explained } from '../store/databaseError.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { answered, type ThreadAnswer } from '../threads/answer.ts';
import { type QueryName, queries } from './queries.ts';
import type { FileQuery, Query, QueryProgress } from './query.ts';

collectEarly(0);

export interface QueryTask {
  readonly store: string;
  readonly name: QueryName;
  readonly input: unknown;
  /** Where progress is sent; null without a listener. */
  readonly progress: MessagePort | null;
}

export type QueryAnswer = ThreadAnswer<unknown>;

type AnyQuery = Query<unknown, unknown> | FileQuery<unknown, unknown>;

async function answer({ store: path, name, input, progress }: QueryTask): Promise<unknown> {
  // The input was made for this query by QueryPool.run, whose types say so; here it is one of many.
  const query = queries[name] as unknown as AnyQuery;
  const tell = (sent: QueryProgress) => progress?.postMessage(sent);
  if ('needs' in query) return query.run(input, tell);
  if (!existsSync(path)) {
    if (query.withoutStore !== undefined) return query.withoutStore(input);
    const remedy = { screen: 'open the record of this address on the first screen' };
    throw new AssizeError('not-found', 'there is no such file', { file: path, remedy });
  }
  const store = openStoreReadOnly(path);
  try {
    return await store.snapshot(async () => query.run(store, input, tell));
  } catch (error) {
    throw explained(error, path);
  } finally {
    store.close();
  }
}

/** What the pool calls. Null asks nothing. */
export default function work(task: QueryTask | null): Promise<QueryAnswer> {
  return answered(() => (task === null ? null : answer(task)));
}
