import { existsSync } from 'node:fs';
import type { MessagePort } from 'node:worker_threads';
import { AssizeError, type ErrorCode, type InputPlace } from '../../../shared/errors.ts';
import { explained } from '../store/databaseError.ts';
import { openStoreReadOnly } from '../store/store.ts';
import { type QueryName, queries } from './queries.ts';
import type { FileQuery, Query } from './query.ts';

export interface QueryTask {
  readonly store: string;
  readonly name: QueryName;
  readonly input: unknown;
  /** Where progress is told; null where nobody listens. */
  readonly progress: MessagePort | null;
}

/** Errors lose their class between threads, so an expected one travels as its parts. */
export type QueryAnswer =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly error: { code: ErrorCode; message: string; place: InputPlace } };

type AnyQuery = Query<unknown, unknown> | FileQuery<unknown, unknown>;

async function answer({ store: path, name, input, progress }: QueryTask): Promise<unknown> {
  // The input was made for this query by QueryPool.run, whose types say so; here it is one of many.
  const query = queries[name] as unknown as AnyQuery;
  if ('needs' in query) return query.run(input);
  if (query.withoutStore !== undefined && !existsSync(path)) return query.withoutStore(input);
  const store = openStoreReadOnly(path);
  try {
    return await store.snapshot(async () => query.run(store, input, (told) => progress?.postMessage(told)));
  } catch (error) {
    throw explained(error, path);
  } finally {
    store.close();
  }
}

/** What the pool calls. */
export default async function work(task: QueryTask): Promise<QueryAnswer> {
  try {
    return { ok: true, output: await answer(task) };
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return { ok: false, error: { code: error.code, message: error.message, place: error.place } };
  }
}
