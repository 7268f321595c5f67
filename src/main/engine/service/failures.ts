import { ORPCError, ValidationError } from '@orpc/server';
import { AssizeError, type ErrorCode } from '../../../shared/errors.ts';

/** What a screen is told: a code, a sentence, and the place in what the user gave; never a stack, never a path. */
function failure(code: ErrorCode, message: string, field: string | null, line: number | null) {
  return new ORPCError(code, { message, data: { field, line } });
}

const unexpected = 'Something went wrong inside the program. The details are in its log.';

/** Screens know no options of the command line: `--facts` is `facts` to them. */
const plainField = (field: string | undefined) => field?.replace(/^--/, '') ?? null;

/** An absolute path, where it begins a word; of an address's path, the host stands before. */
const absolutePath = /(?<=^|[\s'"(])(?:[A-Za-z]:[\\/]|\\\\|\/(?=[^\s/'"]+\/))[^\s'"),;]+/g;

/** Libraries and systems name files in their messages; a screen is told the file's name alone. */
export const withoutFolders = (message: string) => message.replace(absolutePath, (path) => path.split(/[\\/]/).at(-1) ?? '');

/** The first thing that does not fit, in words. */
function refusal({ issues }: ValidationError) {
  const [issue] = issues;
  const keys = (issue?.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  const field = keys.length === 0 ? null : keys.join('.');
  const what = (issue?.message ?? 'the request does not fit').replace(/^Invalid input: /, '');
  return failure('bad-input', field === null ? what : `${field}: ${what}`, field, null);
}

/**
 * Turns whatever went wrong into what may leave the engine.
 * @param keep writes what should not have happened to the log
 */
export function toldFailure(error: unknown, keep: (error: unknown) => void): Error {
  if (error instanceof AssizeError) {
    if (error.code === 'internal') keep(error);
    return failure(error.code, withoutFolders(error.message), plainField(error.place.field), error.place.line ?? null);
  }
  if (error instanceof ORPCError) {
    if (error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError) return refusal(error.cause);
  }
  if (error instanceof Error && error.name === 'AbortError')
    return failure('interrupted', 'the request was called off', null, null);
  keep(error);
  return failure('internal', unexpected, null, null);
}
