import { z } from 'zod';
import { noSalt, partName, refOf } from '../../../../core/record/hash.ts';
import { AssizeError } from '../../../../shared/errors.ts';
import type { EventKind, EventPayload } from '../../../../shared/events.ts';
import type { CastMember } from '../../../../shared/experiment.ts';
import { checkRecord } from '../../commandText.ts';
import type { Store } from '../../store/store.ts';

/** All that the vectors of a text depend on: vectors of one space can be compared. */
export interface VectorSpace {
  readonly backend: string;
  readonly model: string;
  readonly digest: string | null;
  /** Tokens of context where the cast names them. The other options of a cast are of no use to vectors. */
  readonly numCtx?: number;
  /** If the server states no digest, the vector of the probe text takes its place. */
  readonly probed?: true;
}

export const spaceOf = ({ backend, model, options: { numCtx } }: CastMember, digest: string | null): VectorSpace => ({
  backend,
  model,
  digest,
  ...(numCtx === undefined ? {} : { numCtx }),
  ...(digest === null ? { probed: true } : {}),
});

/** What made vectors, as far as it shows which of them can be compared. */
export const spaceSetupSchema = z.object({
  backend: z.string(),
  model: z.string(),
  digest: z.string().nullish(),
  options: z.object({ numCtx: z.int().optional() }).prefault({}),
  /** Unit vector of the probe text; with servers that state no digest. */
  probe: z.array(z.number()).optional(),
});

/** Reads the setup of recorded vectors, a JSON text. Those of a server without digest or probe are in no space: null. */
export function recordedSpace(setup: string) {
  const { backend, model, digest = null, options, probe = null } = spaceSetupSchema.parse(JSON.parse(setup));
  if (digest === null && probe === null) return null;
  return { space: spaceOf({ backend, model, options }, digest), probe };
}

export const nameOfSpace = (space: VectorSpace): string => JSON.stringify(space);

/** Key of the calls for the vectors of some texts, but for the attempt. */
export const batchKey = (space: VectorSpace, refs: readonly string[]): string =>
  `embed/${partName(refOf(noSalt, JSON.stringify([space, refs])))}`;

export interface VectorPlace {
  /** Of the bytes that hold it among others. */
  readonly vectors: string;
  /** Its place among them, from 0. */
  readonly at: number;
  readonly dimensions: number;
}

/** Throws store-unreadable. */
export function storedFloats(store: Store, ref: string): Float32Array {
  const bytes = store.blobs.bytes(ref);
  if (bytes === undefined) {
    throw new AssizeError('store-unreadable', `vectors ${ref} are missing or damaged`, {
      remedy: checkRecord('to see what else is'),
    });
  }
  // A copy begins where floats may begin, which a piece of a larger buffer need not.
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** Reads stored vectors; what lies side by side is read once. Throws store-unreadable. */
export function vectorReader(store: Store): (place: VectorPlace) => Float32Array {
  let last: { readonly ref: string; readonly values: Float32Array } | undefined;
  return ({ vectors: ref, at, dimensions }) => {
    if (last?.ref !== ref) last = { ref, values: storedFloats(store, ref) };
    return last.values.slice(at * dimensions, (at + 1) * dimensions);
  };
}

export interface Content {
  readonly texts: ReadonlyMap<string, string>;
  readonly bytes?: ReadonlyMap<string, Buffer>;
}

/** Puts an event of a data set on a chain. It is committed before work continues, so that nothing is made twice. @returns its hash, hexadecimal */
export const appendWith = <K extends EventKind>(
  store: Store,
  { chain, dataset, durable = false }: { readonly chain: string; readonly dataset: number; readonly durable?: boolean },
  kind: K,
  payload: EventPayload<K>,
  { texts, bytes = new Map() }: Content,
): string =>
  store.write(
    () => {
      for (const [ref, text] of texts) store.blobs.put(ref, dataset, text);
      for (const [ref, content] of bytes) store.blobs.putBytes(ref, dataset, content);
      return store.events.append(chain, kind, payload);
    },
    { durable },
  );
