// The locks that allow a store one writer.
import { closeSync, mkdirSync, openSync, rmSync, statfsSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { AssizeError } from '../../../shared/errors.ts';
import { attempt } from '../attempt.ts';
import { isDatabaseError, readable } from './databaseError.ts';
import { configurationFolder } from './location.ts';
import { networkDrive } from './networkDrive.ts';
import { fileIdentity, keepPrivate, strangeFile } from './ownFile.ts';

export interface StoreLock {
  /** Throws store-in-use where a lock file is no longer the one that is held: another writer may have come in. */
  check(): void;
  release(): void;
}

const besidePath = (storePath: string): string => `${storePath}.lock`;

/** Where the locks by file lie; null where this user has no own folder on a disk of this machine. */
function locksFolder(): string | null {
  try {
    const folder = join(configurationFolder(), 'locks');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // A lock of a network drive can be refused to everybody, or mean the file of another machine.
    if (networkDrive(process.platform, Number(statfsSync(folder).type)) !== null) return null;
    keepPrivate(folder);
    return folder;
  } catch {
    return null;
  }
}

/** The lock of a file by its device and number: the same under each of its names, and not removed with any of them. */
function lockOfFile(storePath: string): string | null {
  const folder = locksFolder();
  const identity = fileIdentity(storePath);
  return folder === null || identity === null ? null : join(folder, `${identity}.lock`);
}

function isHeld(path: string): boolean {
  if (fileIdentity(path) === null) return false;
  const db = new Database(path, { timeout: 0, fileMustExist: true, readonly: true });
  try {
    db.pragma('schema_version');
    return false;
  } catch (error) {
    if (isDatabaseError(error) && error.code.startsWith('SQLITE_BUSY')) return true;
    throw error;
  } finally {
    db.close();
  }
}

export function isLocked(storePath: string): boolean {
  const ofFile = lockOfFile(storePath);
  return isHeld(besidePath(storePath)) || (ofFile !== null && isHeld(ofFile));
}

/** Made here and not by SQLite, which would let every user open it, and hold it. */
function makeFile(path: string): void {
  // It is there already; or it cannot be made, which SQLite will report.
  attempt(() => closeSync(openSync(path, 'wx', 0o600)), undefined);
}

type HeldFile = Readonly<ReturnType<typeof hold>>;

/** Holds a lock file: an open exclusive transaction on a small database, which the system ends with the process. */
function hold(path: string, shownPath: string) {
  for (;;) {
    makeFile(path);
    const strange = strangeFile(path);
    if (strange !== null) {
      throw new AssizeError('store-unreadable', `the lock cannot be trusted: ${strange}; remove it and try again`, {
        file: shownPath,
      });
    }
    keepPrivate(path);
    const identity = fileIdentity(path);
    const db = new Database(path, { timeout: 0 });
    try {
      db.pragma('journal_mode = MEMORY');
      db.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      db.close();
      throw error;
    }
    const release = () => {
      if (db.open) db.close();
    };
    // Its last holder may have removed it a moment ago: the lock then keeps no one out.
    if (identity === fileIdentity(path)) return { path, identity, release };
    release();
  }
}

/** The lock by file, where this user has a folder that it can be kept in. @throws store-in-use */
function holdFileLock(storePath: string, shownPath: string): HeldFile | null {
  const path = lockOfFile(storePath);
  if (path === null) return null;
  let held: HeldFile;
  try {
    held = hold(path, shownPath);
  } catch (error) {
    if (isDatabaseError(error) && error.code.startsWith('SQLITE_BUSY')) throw error;
    // A folder that nothing can be written into leaves the lock next to the store.
    return null;
  }
  return {
    ...held,
    release() {
      // While it is held, so that no one takes what is about to be removed; Windows removes no open file.
      if (process.platform !== 'win32' && fileIdentity(path) === held.identity) rmSync(path, { force: true });
      held.release();
    },
  };
}

/**
 * Takes the store's writer locks: one next to it, which all users and programs of a disk see, and one by device and number of
 * the file, which a second name of the store or a removed lock file does not get around.
 * @param storePath canonical, so that two names of one store have one lock
 * @param shownPath the store's name in errors
 * @throws store-in-use
 */
export function acquireLock(storePath: string, shownPath: string): StoreLock {
  return readable(shownPath, () => {
    const beside = hold(besidePath(storePath), shownPath);
    let ofFile: HeldFile | null;
    try {
      ofFile = holdFileLock(storePath, shownPath);
    } catch (error) {
      beside.release();
      throw error;
    }
    let held = ofFile === null ? [beside] : [beside, ofFile];
    return {
      check() {
        const lost = held.find(({ path, identity }) => fileIdentity(path) !== identity);
        if (lost === undefined) return;
        throw new AssizeError(
          'store-in-use',
          `the lock file ${basename(lost.path)} was removed or replaced while this program was writing, so another one may be writing too; nothing more is written here. Run again to continue`,
          { file: shownPath },
        );
      },
      release() {
        for (const each of held.toReversed()) each.release();
        held = [];
      },
    };
  });
}

/** Runs an action while no other program does with the same lock file. Waits up to ten seconds, then throws what SQLite says. */
export function exclusively(path: string, action: () => void): void {
  makeFile(path);
  const db = new Database(path, { timeout: 10_000 });
  try {
    db.exec('BEGIN EXCLUSIVE');
    action();
  } finally {
    db.close();
  }
}
