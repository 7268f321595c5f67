// Checks a whole record from its bytes up, as `assize verify` does, and reports how far it has come.
import { basename } from 'node:path';
import type { RecordCheck } from '../../../shared/api/record.ts';
import type { Differences } from '../../../shared/differences.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { Adoption, VerifyReport } from '../../../shared/outputs.ts';
import { type VerifyProgress, verifyStore } from '../audit/verify.ts';
import { compareBundles } from '../bundle/differences.ts';
import { copyForReading, verifyFile } from '../bundle/unpackBundle.ts';
import { checkpointOf } from '../checkpoint/commands.ts';
import { adoptionOf, originOf } from '../store/origin.ts';
import type { Store } from '../store/store.ts';
import type { FileQuery, Query, TellProgress } from './query.ts';

const counting =
  (tell: TellProgress) =>
  ({ stage, done, of }: VerifyProgress) =>
    tell({ share: of === 0 ? 1 : done / of, what: stage, counted: { done, of } });

const named = ({ signer: _unsigned, ...found }: VerifyReport, store: string): RecordCheck => ({ ...found, store });

/** The input is a root or head to look for. */
export const recordCheck: Query<string | null, RecordCheck> = {
  run(store: Store, head: string | null, tell: TellProgress) {
    const found = named(verifyStore(store, { head: head ?? undefined, onProgress: counting(tell) }), basename(store.path));
    // The log of a bundle, with its signatures, stays in its file.
    return originOf(store.path)?.kind === 'bundle' ? { ...found, kind: 'bundle', log: null } : found;
  },
};

/** Where the record was copied from; null for one that was made here. */
export const adoption: Query<null, Adoption | null> = {
  run: (store) => adoptionOf(store),
  withoutStore: () => null,
};

/** A store or a bundle at a path. Throws store-unreadable where it is neither. */
export const recordFileCheck: FileQuery<
  { path: string; fileName: string; head: string | null; since: string | null },
  RecordCheck
> = {
  needs: 'no store',
  async run({ path, fileName, head, since }, tell) {
    // Text that is pasted may lack its last line break.
    const checkpoint = since === null ? undefined : checkpointOf(`${since.trimEnd()}\n`);
    return named(await verifyFile(path, { head: head ?? undefined, since: checkpoint, onProgress: counting(tell) }), fileName);
  },
};

/** What differs between two bundles. Throws bad-input, store-unreadable. @param names of both, as their user has them */
export const bundleDifferences: FileQuery<
  { checked: string; other: string; names: { compared: string; other: string } },
  Differences
> = {
  needs: 'no store',
  run: async ({ checked, other, names }) => ({ ...(await compareBundles(checked, other)), ...names }),
};

/** Makes a store for reading of one at a path, or of a bundle, in a folder, and checks it. Throws store-unreadable, bad-input. */
export const givenRecord: FileQuery<{ path: string; fileName: string; folder: string }, { store: string; check: RecordCheck }> = {
  needs: 'no store',
  run: async ({ path, fileName, folder }) => {
    const store = await copyForReading(path, fileName, folder);
    const check = named(await verifyFile(store, {}), fileName);
    if (check.first_bad === null) return { store, check };
    throw new AssizeError('store-unreadable', `the record does not verify (${check.first_bad.problem}); it was not opened`);
  },
};
