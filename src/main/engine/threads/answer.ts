import { AssizeError, type ErrorCode, type InputPlace } from '../../../shared/errors.ts';

/** What a worker thread answers. Errors lose their class between threads, so an expected one travels as its parts. */
export type ThreadAnswer<T> =
  | { readonly ok: true; readonly output: T }
  | { readonly ok: false; readonly error: { code: ErrorCode; message: string; place: InputPlace } };

/** Does work in a worker thread; an expected error becomes an answer. */
export async function answered<T>(work: () => T | Promise<T>): Promise<ThreadAnswer<T>> {
  try {
    return { ok: true, output: await work() };
  } catch (error) {
    if (!(error instanceof AssizeError)) throw error;
    return { ok: false, error: { code: error.code, message: error.message, place: error.place } };
  }
}

/** What the work gave. Throws the error that it ended with. */
export function outputOf<T>(answer: ThreadAnswer<T>): T {
  if (answer.ok) return answer.output;
  throw new AssizeError(answer.error.code, answer.error.message, answer.error.place);
}
