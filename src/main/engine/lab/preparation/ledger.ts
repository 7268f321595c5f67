// The record of what an experiment makes once for several trials.
import { refOf, refOfBytes } from '../../../../core/record/hash.ts';
import { preparationChain } from '../../../../core/record/identity.ts';
import type { PreparationLedger } from '../../../../core/record/sharedAnswer.ts';
import { type EventKind, type EventPayload, eventSchemas } from '../../../../shared/events.ts';
import type { EmbeddingResult } from '../../../../shared/model.ts';
import { parseChain } from '../../store/parseChain.ts';
import type { Store } from '../../store/store.ts';
import type { FrozenExperiment } from '../frozen.ts';
import type { Report } from '../performer.ts';
import { appendWith, type Content } from './vectorSpace.ts';

/** The chain of what is made once for an experiment: answers to shared questions, and vectors of cases. */
export interface StoredPreparation extends PreparationLedger {
  embeddings(): EventPayload<'embedding-make'>[];
  appendVectors(payload: EventPayload<'embedding-make'>, content: Content): void;
}

export function openPreparation(store: Store, { name, dataset }: FrozenExperiment): StoredPreparation {
  const chain = preparationChain(name);
  const answers = new Map<string, { payload: EventPayload<'call-answer'>; hash: string }>();
  const vectors = new Map<string, EventPayload<'embedding-make'>>();
  const place = { chain, dataset: dataset.id };
  for (const event of parseChain(store.events.chain(chain))) {
    if (event.kind === 'call-answer') answers.set(event.payload.key, event);
    else if (event.kind === 'embedding-make') vectors.set(event.payload.key, event.payload);
  }

  return {
    find: <K extends EventKind>(kind: K, key: string) => {
      const found = kind === 'call-answer' ? answers.get(key)?.payload : kind === 'embedding-make' ? vectors.get(key) : undefined;
      // The map was chosen by the kind; the compiler cannot follow that through the parameter.
      return found as EventPayload<K> | undefined;
    },
    text: (ref) => store.blobs.need(ref),
    append(kind, payload, texts) {
      if (kind !== 'call-answer') throw new Error(`${kind} has no place among what an experiment prepares`);
      const answer = eventSchemas['call-answer'].parse(payload);
      answers.set(answer.key, { payload: answer, hash: appendWith(store, place, 'call-answer', answer, { texts }) });
    },
    appendVectors(payload, content) {
      appendWith(store, place, 'embedding-make', payload, content);
      vectors.set(payload.key, payload);
    },
    hashOf(kind, key) {
      const hash = answers.get(key)?.hash;
      if (hash === undefined) throw new Error(`${kind} ${key} is not on the record`);
      return hash;
    },
    embeddings: () => [...vectors.values()],
  };
}

/** What an event about made vectors has in common with others of its kind, and the texts and vectors that it refers to. */
export function embeddingContent(salt: Uint8Array, { result, failure, wallMs }: Report<EmbeddingResult>) {
  const texts = new Map<string, string>();
  const bytes = new Map<string, Buffer>();
  const keep = (text: string) => {
    const ref = refOf(salt, text.toWellFormed());
    texts.set(ref, text.toWellFormed());
    return ref;
  };
  const keepVectors = (vectors: EmbeddingResult['vectors']) => {
    const content = Buffer.from(Float32Array.from(vectors.flat()).buffer);
    const ref = refOfBytes(salt, content);
    bytes.set(ref, content);
    return ref;
  };
  const vectorFields = () => ({
    vectors: result === null ? null : keepVectors(result.vectors),
    dimensions: result?.vectors[0]?.length ?? 0,
    ...(failure === null ? {} : { failure: { ...failure, message: keep(failure.message) } }),
    promptTokens: result?.promptTokens ?? 0,
    modelMs: result?.modelMs ?? 0,
    wallMs: Math.round(wallMs * 1000) / 1000,
  });
  return { texts, bytes, keep, vectorFields };
}
