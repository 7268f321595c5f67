import { ORPCError, ValidationError } from '@orpc/server';
import { AssizeError, type ErrorCode } from '../../../shared/errors.ts';

/** What a screen is told: a code, a sentence, and the place in what the user gave; never a stack, never a path. */
function failure(code: ErrorCode, message: string, field: string | null, line: number | null) {
  return new ORPCError(code, { message, data: { field, line } });
}

const unexpected = 'Something went wrong inside the program. The details are in its log.';

/** Screens know no options of the command line: `--facts` is `facts` to them. */
const plainField = (field: string | undefined) => field?.replace(/^--/, '') ?? null;

const root = String.raw`(?:file:\/+(?:localhost(?=\/))?|(?<![\p{L}\p{N}])[A-Za-z]:[\\/]|\\\\(?:[?.]\\)?)`;
/** Words may stand before a folder's separator, but not a file's name with its extension: there the path has ended. */
const folder = String.raw`(?:(?!\.[A-Za-z]\w{0,7}[\s)])(?:[^\\/:'"\u0060,;()\r\n]|\([^\\/()\r\n]*\)|(?<=\p{L})'(?=\p{L})))+(?<!\s)[\\/]+`;
const name = String.raw`(?:[^\\/:\s'"\u0060(),;\]}>|]|\([^\\/\s()]*\)|(?<=\p{L})'(?=\p{L}))*`;

/**
 * An absolute path: within quotes all up to the closing one, elsewhere from where it cannot be the rest of a word or
 * of a relative path. Addresses and closing tags, which hold something alike, are matched to be passed over.
 */
const absolutePath = new RegExp(
  [
    String.raw`(?<kept>(?!file:)[A-Za-z][A-Za-z+.-]+:\/\/[^\s'"\u0060<>),;]+|<\/[\w:-]+>)`,
    String.raw`(?<quote>['"\u0060])(?<quoted>(?:${root}|\/).*?)\k<quote>(?=[^\p{L}\p{N}]|$)`,
    String.raw`(?:${root}(?:[A-Za-z]:[\\/])?|(?<![\p{L}\p{N}_/\\.)%~*])\/+(?=[^\s/]))(?:${folder})*${name}`,
  ].join('|'),
  'gu',
);

/** Libraries and systems name files in their messages; a screen is told the file's name alone. */
export function withoutFolders(message: string): string {
  return message.replace(absolutePath, (match: string, ...rest: unknown[]) => {
    const { kept, quote = '', quoted = match } = rest.at(-1) as Record<string, string | undefined>;
    const file = quoted.split(/[\\/]/).findLast((part) => part !== '');
    return kept !== undefined || file === undefined ? match : `${quote}${file}${quote}`;
  });
}

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
