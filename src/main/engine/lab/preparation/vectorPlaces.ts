import { AssizeError } from '../../../../shared/errors.ts';
import type { Store } from '../../store/store.ts';

/** Where the vector of a case is stored. */
export interface VectorPlace {
  /** Of the bytes that hold it among others. */
  readonly vectors: string;
  /** Its place among them, from 0. */
  readonly at: number;
  readonly dimensions: number;
}

/** Reads stored vectors; what lies side by side is read once. Throws store-unreadable. */
export function vectorReader(store: Store): (place: VectorPlace) => Float32Array {
  let last: { readonly ref: string; readonly values: Float32Array } | undefined;
  return ({ vectors: ref, at, dimensions }) => {
    if (last?.ref !== ref) {
      const bytes = store.blobs.bytes(ref);
      if (bytes === undefined) {
        throw new AssizeError('store-unreadable', `vectors ${ref} are missing or damaged; assize verify tells what else is`);
      }
      // A copy begins where floats may begin, which a piece of a larger buffer need not.
      last = { ref, values: new Float32Array(new Uint8Array(bytes).buffer) };
    }
    return last.values.slice(at * dimensions, (at + 1) * dimensions);
  };
}
