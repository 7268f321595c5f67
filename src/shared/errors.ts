import { z } from 'zod';

/** Exit codes of the command line; the numbers are part of the contract. */
export const exitCode = {
  ok: 0,
  tampered: 1,
  badInput: 2,
  failedTrials: 3,
  noBackend: 4,
  storeInUse: 5,
  partlyRead: 6,
  internal: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

const exitCodeOf = {
  'bad-input': exitCode.badInput,
  'no-backend': exitCode.noBackend,
  'missing-model': exitCode.noBackend,
  'store-in-use': exitCode.storeInUse,
  'store-unreadable': exitCode.badInput,
  'store-newer': exitCode.badInput,
  'store-elsewhere': exitCode.badInput,
  'not-found': exitCode.badInput,
  'output-exists': exitCode.badInput,
  disk: exitCode.internal,
  interrupted: exitCode.interrupted,
  internal: exitCode.internal,
} as const;

export type ErrorCode = keyof typeof exitCodeOf;
export const errorCodes = Object.keys(exitCodeOf) as ErrorCode[];

/** What to do about a fault, in the words of the command line and of the screens: each offers what the other may not. */
export interface Remedy {
  readonly command?: string;
  readonly screen?: string;
}

/** Where a piece of bad input is: every part that is known is named in the message. */
export interface InputPlace {
  file?: string;
  /** 1-based line in the file. */
  line?: number;
  /** Column of a table, key path of a JSON file, or option of the command line. */
  field?: string;
  remedy?: Remedy;
  /** The fault in the record for which an export was refused. */
  damage?: { readonly trial: string | null; readonly problem: string };
}

const withRemedy = (message: string, remedy: string | undefined): string =>
  remedy === undefined ? message : `${message}; ${remedy}`;

/** An expected failure: a sentence for the user, a code for programs, never a stack. */
export class AssizeError extends Error {
  readonly code: ErrorCode;
  readonly place: InputPlace;

  /** @param place where it is; a text is its field */
  constructor(code: ErrorCode, message: string, place: InputPlace | string = {}) {
    super(message);
    this.name = 'AssizeError';
    this.code = code;
    this.place = typeof place === 'string' ? { field: place } : place;
  }

  get exitCode(): ExitCode {
    return exitCodeOf[this.code];
  }

  /** The same fault, with more that is known of its place. */
  at(place: InputPlace): AssizeError {
    return new AssizeError(this.code, this.message, { ...this.place, ...place });
  }

  get advice(): string {
    return withRemedy(this.message, this.place.remedy?.command);
  }

  get screenAdvice(): string {
    return withRemedy(this.message, this.place.remedy?.screen);
  }

  /** `file:line: field: message`, with the parts that are known. */
  describe(): string {
    const { file, line, field } = this.place;
    const where = file === undefined ? (line === undefined ? '' : `line ${line}`) : line === undefined ? file : `${file}:${line}`;
    return [where, field, this.advice].filter((part) => part !== undefined && part !== '').join(': ');
  }
}

/** Shorthand for the most frequent failure: input that the user can fix. */
export function badInput(message: string, place?: InputPlace | string): AssizeError {
  return new AssizeError('bad-input', message, place);
}

/** The code that the system gives an error, such as ENOENT; undefined for all other errors. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && !(error instanceof AssizeError) ? String(error.code) : undefined;

const diskSentences: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full; free some space and try again',
  EDQUOT: 'your share of the disk is used up; free some space and try again',
  EROFS: 'this disk is read-only; name a place that you may write to',
  EIO: 'the disk could not be read or written; check it, and try again',
};

/** An error of the file system that the user can do something about, as a sentence; every other error is returned as it is. */
export function diskError(error: unknown): unknown {
  const sentence = diskSentences[systemCode(error) ?? ''];
  const file = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : undefined;
  return sentence === undefined ? error : new AssizeError('disk', sentence, file === undefined ? {} : { file });
}

/** An error as `--json` prints it. */
export const errorReportSchema = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    file: z.string().nullable(),
    line: z.int().nullable(),
    field: z.string().nullable(),
  }),
});
export type ErrorReport = z.infer<typeof errorReportSchema>;

/** For a discriminated union that people write: an unknown kind is named, with all that there are. */
export const namesKinds = {
  error(issue: z.core.$ZodRawIssue): string | undefined {
    if (issue.code !== 'invalid_union' || !('options' in issue) || typeof issue.discriminator !== 'string') return undefined;
    const given: unknown = Object(issue.input)[issue.discriminator];
    const known = (issue.options as readonly unknown[]).map((kind) => JSON.stringify(kind)).join(', ');
    return `${given === undefined ? '' : `${JSON.stringify(given)} is unknown: `}expected one of ${known}`;
  },
};
