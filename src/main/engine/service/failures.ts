import { ORPCError, ValidationError } from '@orpc/server';
import { AssizeError, diskError, type ErrorCode } from '../../../shared/errors.ts';
import { homeFolder } from '../homeFolder.ts';

// Finds absolute paths in what other programs wrote, which may be anything: every repetition is bounded, so that the time
// stays linear in the length. Of a last part with spaces and without quotes only the first word belongs to the path.

/** `/…`, `C:\…`, `\\server\…`, `file:…`, where it cannot be the rest of a word or of a relative path. */
const root = String.raw`(?:(?:file:\/+(?:localhost(?=\/))?|\\\\(?:[?.]\\)?)[\\/]*(?:[a-z]:[\\/]+)?|(?<![\p{L}\p{N}])[a-z]:[\\/]+|(?<![\p{L}\p{N}_/\\.)%~*])\/+(?![\s/]|$))`;
const apostrophe = String.raw`(?<=\p{L})'(?=\p{L})`;
/** Words before a separator; behind a file's extension they are no folder. */
const folder = String.raw`(?:(?!\.[a-z]\w{0,7}[\s)])(?:\([^\\/()]{0,255}\)|${apostrophe}|[^\\/:"${'`'},;()'])){1,255}(?<!\s)[\\/]+`;
const name = String.raw`(?:\([^\\/\s()]{0,255}\)|${apostrophe}|[^\\/:\s"${'`'},;\])}>|('])*`;
/** Addresses and closing tags hold something like a path, and are none. */
const noPath = String.raw`[a-z][a-z+.-]{1,30}(?<!file):\/\/[^\s'"${'`'}<>),;]+|<\/[\w:-]+>`;
/** Within quotes a path goes up to the closing one. */
const quoted = String.raw`(?<quote>['"${'`'}])(?<inside>(?:\/|\\\\|[a-z]:[\\/]|file:\/)(?:(?!\k<quote>(?![\p{L}\p{N}])).){0,4096})\k<quote>`;
const pattern = new RegExp(`(?<kept>${noPath})|${quoted}|${root}(?:${folder})*${name}`, 'giu');

/** The text with something else in place of each absolute path. A path never crosses the end of a line. */
export const replacePaths = (text: string, replacement: (path: string) => string): string =>
  text.replace(/[^\r\n\u2028\u2029]+/g, (line) =>
    line.replace(pattern, (found: string, ...rest: unknown[]) => {
      const { kept, quote, inside } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
      if (kept !== undefined) return kept;
      return inside === undefined ? replacement(found) : `${quote}${replacement(inside)}${quote}`;
    }),
  );

/** What a screen gets: a code, a sentence, and the place in the user's input; never a stack, never a path. */
function failure(code: ErrorCode, message: string, field: string | null, line: number | null) {
  return new ORPCError(code, { message, data: { field, line } });
}

const unexpected = 'Something went wrong inside the program. The details are in its log.';

/** Screens know no options of the command line: `--facts` is `facts` to them. */
const plainField = (field: string | undefined) => field?.replace(/^--/, '') ?? null;

const lastPart = (path: string): string => path.split(/[\\/]/).findLast((part) => part !== '') ?? path;

/** The user's own folder, in any text and with either separator; null where there is nothing to hide. */
function homePattern(home: string): RegExp | null {
  const parts = home.split(/[\\/]+/).filter((part) => part !== '');
  if (parts.length === 0) return null;
  const escaped = parts.map((part) => RegExp.escape(part)).join('[\\\\/]+');
  const root = /^[\\/]/.test(home) ? '[\\\\/]' : '';
  return new RegExp(`${root}${escaped}`, root === '' ? 'giu' : 'gu');
}

/** Leaves only file names in messages, in linear time. @param home folder hidden wherever it occurs */
export function hideFolders(home: string): (message: string) => string {
  const pattern = homePattern(home);
  return (message) => {
    const plain = replacePaths(message, lastPart);
    return pattern === null ? plain : plain.replace(pattern, '~');
  };
}

export const withoutFolders = hideFolders(homeFolder() ?? '');

export const screenMessage = (error: AssizeError): string => withoutFolders(error.screenAdvice);

function refusal({ issues }: ValidationError) {
  const [issue] = issues;
  const keys = (issue?.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  const field = keys.length === 0 ? null : keys.join('.');
  const what = (issue?.message ?? 'the request does not fit').replace(/^Invalid input: /, '');
  return failure('bad-input', field === null ? what : `${field}: ${what}`, field, null);
}

/** Turns any error into what may leave the engine. @param keep writes unexpected errors to the log */
export function toldFailure(thrown: unknown, keep: (error: unknown) => void): Error {
  const error = diskError(thrown);
  if (error instanceof AssizeError) {
    if (error.code === 'internal') keep(error);
    return failure(error.code, screenMessage(error), plainField(error.place.field), error.place.line ?? null);
  }
  if (error instanceof ORPCError) {
    if (error.code === 'BAD_REQUEST' && error.cause instanceof ValidationError) return refusal(error.cause);
  }
  if (error instanceof Error && error.name === 'AbortError')
    return failure('interrupted', 'the request was cancelled', null, null);
  keep(error);
  return failure('internal', unexpected, null, null);
}
