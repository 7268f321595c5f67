import { z } from 'zod';
import type { EventPayload } from '../../../../shared/events.ts';
import type { Store } from '../../store/store.ts';
import { type VectorSpace as CaseVectorSpace, storedFloats } from '../preparation/vectorSpace.ts';

/** What was asked for the vectors: those of one space can be compared. */
export type VectorSpace = Pick<CaseVectorSpace, 'backend' | 'model' | 'digest'>;

type Named = readonly [kase: string, text: string];

/** The vectors of statements that are on the record, in one space. */
export interface KnownVectors {
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** Statements that the model cannot take, however often it is asked. */
  readonly refused: ReadonlySet<string>;
  /** Some vectors were erased: their statements have none. */
  readonly erased: boolean;
  /** Some of the vectors are the demo model's. */
  readonly standin: boolean;
}

const setupSchema = z.object({
  backend: z.string(),
  model: z.string(),
  digest: z.string().nullable().default(null),
  standin: z.boolean().nullable().default(null),
});

/** A statement by the texts of its case and of itself. */
export const nameOf = ([kase, text]: Named): string => `${kase} ${text}`;

/** Reads the vectors of statements. Throws store-unreadable where some are missing. */
export function knownVectors(
  store: Store,
  embeddings: readonly EventPayload<'statement-embed'>[],
  { backend, model, digest }: VectorSpace,
): KnownVectors {
  const vectors = new Map<string, Float32Array>();
  const refused = new Set<string>();
  let [standin, erased] = [false, false];
  for (const { setup: ref, statements, vectors: stored, dimensions, failure } of embeddings) {
    const setup = setupSchema.parse(JSON.parse(store.blobs.need(ref)));
    if (setup.backend !== backend || setup.model !== model) continue;
    if (stored === null) {
      const [only, ...more] = statements;
      if (failure?.permanent === true && only !== undefined && more.length === 0) refused.add(nameOf(only));
      continue;
    }
    if (setup.digest !== digest) continue;
    if (store.erasures.has(stored)) {
      erased = true;
      continue;
    }
    const values = storedFloats(store, stored);
    standin ||= setup.standin === true;
    statements.forEach((statement, place) => {
      vectors.set(nameOf(statement), values.subarray(place * dimensions, (place + 1) * dimensions));
    });
  }
  return { vectors, refused, erased, standin };
}
