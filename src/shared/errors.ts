/** Exit codes of the command line; the numbers are part of the contract. */
export const exitCode = {
  ok: 0,
  tampered: 1,
  badInput: 2,
  failedTrials: 3,
  noBackend: 4,
  storeInUse: 5,
  internal: 70,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

export const errorCodes = [
  'bad-input',
  'no-backend',
  'missing-model',
  'store-in-use',
  'store-unreadable',
  'store-newer',
  'store-elsewhere',
  'not-found',
  'output-exists',
  'interrupted',
  'internal',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

const exitCodeOf: Record<ErrorCode, ExitCode> = {
  'bad-input': exitCode.badInput,
  'no-backend': exitCode.noBackend,
  'missing-model': exitCode.noBackend,
  'store-in-use': exitCode.storeInUse,
  'store-unreadable': exitCode.badInput,
  'store-newer': exitCode.badInput,
  'store-elsewhere': exitCode.badInput,
  'not-found': exitCode.badInput,
  'output-exists': exitCode.badInput,
  interrupted: exitCode.interrupted,
  internal: exitCode.internal,
};

/** Where a piece of bad input stands: every part that is known is named in the message. */
export interface InputPlace {
  file?: string;
  /** 1-based line in the file. */
  line?: number;
  /** Column of a table, key path of a JSON file, or option of the command line. */
  field?: string;
}

/** An expected failure: a sentence for the user, a code for programs, never a stack. */
export class AssizeError extends Error {
  readonly code: ErrorCode;
  readonly place: InputPlace;

  constructor(code: ErrorCode, message: string, place: InputPlace = {}) {
    super(message);
    this.name = 'AssizeError';
    this.code = code;
    this.place = place;
  }

  get exitCode(): ExitCode {
    return exitCodeOf[this.code];
  }

  /** `file:line: field: message`, with the parts that are known. */
  describe(): string {
    const { file, line, field } = this.place;
    const where = file === undefined ? (line === undefined ? '' : `line ${line}`) : line === undefined ? file : `${file}:${line}`;
    return [where, field, this.message].filter((part) => part !== undefined && part !== '').join(': ');
  }
}

/** Shorthand for the most frequent failure: input that the user can fix. */
export function badInput(message: string, place: InputPlace = {}): AssizeError {
  return new AssizeError('bad-input', message, place);
}
