// Turns SQLite's errors into errors that a user understands.
import Database from 'better-sqlite3';
import { AssizeError } from '../../../shared/errors.ts';
import { commandText } from '../commandText.ts';
import { firstBytes } from './firstBytes.ts';

/** Of a file that does not begin as a store does. */
export function notAStore(file: string): AssizeError {
  const start = firstBytes(file, 64).toString('latin1');
  const problem = start.startsWith('PK\x03\x04')
    ? `this is a bundle and not a store; first copy it into a store: ${commandText('adopt', file, '--into', 'FILE')}`
    : /^\s*<!doctype html/i.test(start)
      ? `this is a report, which cannot be checked by itself. On the command line, this compares it with its record: ${commandText('verify', 'REPORT.html', '--against', 'RECORD')}; RECORD is the store, or a bundle of its experiment. A check of the record on the screens finds the head that the report names, if it is entered there`
      : /^assize\.invalid\/log\/\w+\n\d+\n/.test(start)
        ? `this is a checkpoint, which is checked against its record: ${commandText('verify', 'RECORD', '--since', 'CHECKPOINT')}. On the first screen its text is pasted, and then the record is chosen`
        : 'this is not a store, or its beginning is damaged; name another file, or restore it from a copy';
  return new AssizeError('store-unreadable', problem, { file });
}

const damaged = 'the store is damaged';

/** Of a store with damaged pages. @param place where the first is, after a space; empty where it is not known */
export const damagedStore = (file: string, place = ''): AssizeError =>
  new AssizeError(
    'store-unreadable',
    `${damaged}${place}: the disk changed it, or it is a copy that was cut short. Nothing more is written to it, and what it says is not to be relied on`,
    {
      file,
      remedy: {
        command: `check the disk, and put back a backup, or make a new store of a bundle: ${commandText('adopt', 'BUNDLE', '--into', 'FILE')}. “A damaged record” in docs/usage.md says more`,
        screen:
          'check the disk, and put back a backup, or copy a bundle into a new store. “A damaged record” in docs/usage.md says more',
      },
    },
  );

export const isDamagedStore = (error: unknown): error is AssizeError =>
  error instanceof AssizeError && error.code === 'store-unreadable' && error.message.startsWith(damaged);

const damageCodes = /^SQLITE_(CORRUPT|IOERR_SHORT_READ)/;

const storeErrors: readonly { readonly codes: RegExp; readonly error: (message: string, file: string) => AssizeError }[] = [
  {
    codes: /^SQLITE_NOTADB/,
    error: (_message, file) => notAStore(file),
  },
  {
    codes: damageCodes,
    error: (_message, file) => damagedStore(file),
  },
  {
    codes: /^SQLITE_READONLY/,
    error: (_message, file) =>
      new AssizeError(
        'store-unreadable',
        'the store, its folder or its disk is read-only; allow writing there, or name a copy elsewhere with --store',
        { file },
      ),
  },
  {
    codes: /^SQLITE_(CANTOPEN|PERM|AUTH)/,
    error: (_message, file) =>
      new AssizeError(
        'store-unreadable',
        'the store cannot be opened: check that it is a file and that you may read and write it',
        { file },
      ),
  },
  {
    codes: /^SQLITE_(BUSY|LOCKED)/,
    error: (_message, file) =>
      new AssizeError('store-in-use', 'another program is writing to this store', {
        file,
        remedy: { command: 'wait for it to end, or use another --store', screen: 'try again when it has ended' },
      }),
  },
  {
    codes: /^SQLITE_IOERR/,
    error: (_message, file) =>
      new AssizeError('disk', 'the disk could not be read or written; check the disk and the space on it, and try again', {
        file,
      }),
  },
  {
    codes: /^SQLITE_FULL/,
    error: (_message, file) => new AssizeError('disk', 'the disk is full; free some space and try again', { file }),
  },
];

/** Whether an error came from the database itself rather than from what was read from it. */
export function isDatabaseError(error: unknown): error is InstanceType<typeof Database.SqliteError> {
  return error instanceof Database.SqliteError;
}

export const isDamage = (error: unknown): boolean => isDatabaseError(error) && damageCodes.test(error.code);

/** Whether a database error is about what was being read, such as one damaged page or value, rather than the whole store. */
export const isAboutPart = (error: unknown): boolean =>
  isDatabaseError(error) && /^SQLITE_(CORRUPT|ERROR|MISMATCH|TOOBIG)/.test(error.code);

/** The error to show the user in place of one of SQLite's; every other error is returned as it is. */
export function explained(error: unknown, file: string): unknown {
  if (!isDatabaseError(error)) return error;
  return storeErrors.find(({ codes }) => codes.test(error.code))?.error(error.message, file) ?? error;
}

/** Runs an action on a database; every sign of a broken or barred file becomes one error that says so. */
export function readable<T>(file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw explained(error, file);
  }
}
