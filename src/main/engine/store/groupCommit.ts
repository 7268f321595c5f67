// Commits together what several trials write at a time.
import { open } from 'node:fs/promises';
import { AssizeError } from '../../../shared/errors.ts';

/** Runs an action in a transaction that it shares with others. `durable`: on the disk before the promise resolves. */
export type WriteSoon = <T>(action: () => T, options?: { durable: boolean }) => Promise<T>;

interface Waiting {
  readonly durable: boolean;
  readonly run: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** One at a time: calls while one is under way all share the next. */
function shared(sync: () => Promise<void>): () => Promise<void> {
  let current: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    const begun = sync();
    current = begun.catch(() => undefined);
    return begun;
  };
  return () => {
    next ??= current.then(begin);
    return next;
  };
}

/**
 * Commits what comes first in a turn of the event loop at once, so that its call does not wait for the answers of others, and
 * what else the turn brings together at its end, in the order in which it came. Where a transaction of several fails, each
 * action gets its own, so that none fails with another. What must be on the disk waits there for
 * a flush of the log that does not hold up the thread.
 * @param write runs an action in one transaction
 * @param sync flushes what is committed to the disk
 */
export function groupCommit(write: (action: () => void) => void, sync: () => Promise<void>): WriteSoon {
  let group: Waiting[] = [];
  const flush = shared(sync);

  const settle = ({ durable, resolve, reject }: Waiting) => {
    if (durable) flush().then(resolve, reject);
    else resolve();
  };

  const alone = (each: Waiting) => {
    try {
      write(each.run);
      settle(each);
    } catch (error) {
      each.reject(error);
    }
  };

  const commit = () => {
    const members = group;
    group = [];
    const [only] = members;
    if (members.length < 2) {
      if (only !== undefined) alone(only);
      return;
    }
    try {
      write(() => {
        for (const { run } of members) run();
      });
    } catch {
      for (const each of members) alone(each);
      return;
    }
    for (const each of members) settle(each);
  };

  let inTurn = false;
  const endTurn = () => {
    inTurn = false;
    commit();
  };
  const begin = () => {
    inTurn = true;
    setImmediate(endTurn);
    process.nextTick(commit);
  };

  return <T>(action: () => T, { durable } = { durable: false }) =>
    new Promise<T>((resolve, reject) => {
      let result: T;
      const run = () => {
        result = action();
      };
      group.push({ durable, run, resolve: () => resolve(result), reject });
      if (!inTurn) begin();
    });
}

/** Flushes the write-ahead log, as SQLite does at `synchronous` FULL. No one locks the log. @param shownPath name in errors */
export async function flushLog(file: string, shownPath: string): Promise<void> {
  try {
    // Windows flushes only what is open for writing.
    const log = await open(`${file}-wal`, 'r+');
    try {
      await log.datasync();
    } finally {
      await log.close();
    }
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new AssizeError('disk', `the record could not be written to disk (${why}); check the disk and run again to resume`, {
      file: shownPath,
    });
  }
}
