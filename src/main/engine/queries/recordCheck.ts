import { basename } from 'node:path';
import type { RecordCheck } from '../../../shared/api/record.ts';
import { verifyStore } from '../audit/verify.ts';
import type { Query } from './query.ts';

/** Checks the whole record from its bytes up, as `assize verify` does; tells how far it has come. */
export const recordCheck: Query<null, RecordCheck> = {
  run(store, _input, report) {
    const { head_matches: _none, signer: _unsigned, store: path, ...found } = verifyStore(store, { onProgress: report });
    return { ...found, store: basename(path) };
  },
};
