// Takes the record of a store from elsewhere over into a store of the user's own.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AssizeError } from '../../shared/errors.ts';
import type { VerifyReport } from '../../shared/outputs.ts';
import { verifyStore } from './audit/verify.ts';
import { copyRecord } from './store/copyRecord.ts';
import { type ProjectingWatch, rebuildTrials } from './store/projecting.ts';
import { openStore } from './store/store.ts';
import { withStore } from './store/withStore.ts';

const refusal = (path: string, why: string) =>
  new AssizeError('store-unreadable', `the record does not verify (${why}); nothing was copied`, { file: path });

/**
 * `assize adopt`: copies a record into a new store at `into`, and makes its results anew. What does not verify is not taken
 * over, and nothing is left of it.
 * @throws output-exists, store-unreadable
 */
export async function adopt(path: string, into: string, watch: ProjectingWatch): Promise<VerifyReport> {
  if (existsSync(into)) {
    throw new AssizeError('output-exists', 'there is a file already; name a new one', { file: into, field: '--into' });
  }
  mkdirSync(dirname(into), { recursive: true, mode: 0o700 });
  const folder = mkdtempSync(join(dirname(into), '.assize-adopt-'));
  try {
    const copy = join(folder, 'store.db');
    copyRecord(path, copy);
    const report = await withStore(openStore(copy, { create: false }), async (store) => {
      await rebuildTrials(store, watch).catch((error: unknown) => {
        if (!(error instanceof AssizeError) || error.code !== 'store-unreadable') throw error;
        throw refusal(path, error.message);
      });
      return verifyStore(store, {});
    });
    if (report.first_bad !== null) {
      const { trial, kind, problem } = report.first_bad;
      throw refusal(path, `${[trial, kind].filter((part) => part !== null).join(', ')}: ${problem}`);
    }
    renameSync(copy, into);
    return { ...report, store: into };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
