import { basename } from 'node:path';
import type { RecordCheck } from '../../../shared/api/record.ts';
import { verifyStore } from '../audit/verify.ts';
import type { Query } from './query.ts';

/** Checks the whole record from its bytes up, as `assize verify` does; tells how far it has come. */
export const recordCheck: Query<null, RecordCheck> = {
  run(store, _input, tell) {
    const onProgress = ({ stage, done, of }: { stage: string; done: number; of: number }) =>
      tell({ share: of === 0 ? 1 : done / of, what: stage, counted: { done, of } });
    const { head_matches: _none, signer: _unsigned, store: path, ...found } = verifyStore(store, { onProgress });
    return { ...found, store: basename(path) };
  },
};
