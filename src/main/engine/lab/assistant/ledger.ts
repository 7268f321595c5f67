// The record of trained assistants: their versions, and the vectors of the statements that they learn from.
import { z } from 'zod';
import { doublesIn } from '../../../../core/assistant/numbersAsText.ts';
import type { TrainedAssistant } from '../../../../core/assistant/trainedAssistant.ts';
import { assistantChain } from '../../../../core/record/identity.ts';
import type { EventPayload } from '../../../../shared/events.ts';
import { parseChain } from '../../store/parseChain.ts';
import type { Store } from '../../store/store.ts';
import { appendWith, type VectorSpace as CaseVectorSpace, type Content, storedFloats } from '../preparation/vectorSpace.ts';

/** The chain of a data set's trained assistants: vectors of statements, and versions. */
export function openAssistantLedger(store: Store, dataset: number) {
  const { manifest } = store.datasets.get(dataset);
  if (manifest === null) throw new Error('texts that belong to no data set have no assistant');
  const chain = assistantChain(manifest);
  const place = { chain, dataset };
  return {
    /** Events with vectors, or without where there were none, in order. */
    embeddings: () =>
      parseChain(store.events.ofKinds(chain, ['statement-embed'])).flatMap((event) =>
        event.kind === 'statement-embed' ? [event.payload] : [],
      ),
    appendEmbedding: (payload: EventPayload<'statement-embed'>, content: Content) =>
      void appendWith(store, place, 'statement-embed', payload, content),
    /** @returns hash of the event, hexadecimal */
    appendVersion: (payload: EventPayload<'assistant-train'>, texts: Content['texts']) =>
      appendWith(store, { ...place, durable: true }, 'assistant-train', payload, { texts }),
  };
}

export interface AssistantVersion {
  readonly payload: EventPayload<'assistant-train'>;
  readonly hash: string;
}

export function assistantVersions(store: Store, dataset: number): AssistantVersion[] {
  const { manifest } = store.datasets.get(dataset);
  if (manifest === null) return [];
  return parseChain(store.events.ofKinds(assistantChain(manifest), ['assistant-train'])).flatMap((event) =>
    event.kind === 'assistant-train' ? [{ payload: event.payload, hash: event.hash }] : [],
  );
}

export function loadAssistant(store: Store, { payload, hash }: AssistantVersion): TrainedAssistant {
  const { version, embedder, weights, holdout } = payload;
  const threshold = holdout.threshold ?? null;
  return { version, hash, embedder, weights: doublesIn(store.blobs.need(weights)), threshold };
}

/** What was asked for the vectors: those of one space can be compared. */
export type VectorSpace = Pick<CaseVectorSpace, 'backend' | 'model' | 'digest'>;

type Named = readonly [kase: string, text: string];

const setupSchema = z.object({
  backend: z.string(),
  model: z.string(),
  digest: z.string().nullable().default(null),
  standin: z.boolean().nullable().default(null),
});

export const nameOf = ([kase, text]: Named): string => `${kase} ${text}`;

/** Reads the vectors of statements. Throws store-unreadable where some are missing. */
export function knownVectors(
  store: Store,
  embeddings: readonly EventPayload<'statement-embed'>[],
  { backend, model, digest }: VectorSpace,
) {
  const vectors = new Map<string, Float32Array>();
  /** Statements that the model cannot take, however often it is asked. */
  const refused = new Set<string>();
  /** Whether some of the vectors are the demo model's, and whether some were erased. */
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
