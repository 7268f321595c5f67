import { doublesIn } from '../../../../core/assistant/numbersAsText.ts';
import type { TrainedAssistant } from '../../../../core/assistant/trainedAssistant.ts';
import { assistantChain } from '../../../../core/record/identity.ts';
import type { EventPayload } from '../../../../shared/events.ts';
import { parseChain } from '../../store/parseChain.ts';
import type { Store } from '../../store/store.ts';

/** The chain of a data set's trained assistants: vectors of statements, and versions. */
export function openAssistantLedger(store: Store, dataset: number) {
  const { manifest } = store.datasets.get(dataset);
  if (manifest === null) throw new Error('texts that belong to no data set have no assistant');
  const chain = assistantChain(manifest);
  const add = <K extends 'statement-embed' | 'assistant-train'>(
    kind: K,
    payload: EventPayload<K>,
    texts: ReadonlyMap<string, string>,
    bytes: ReadonlyMap<string, Buffer>,
  ): string =>
    store.write(
      () => {
        for (const [ref, text] of texts) store.blobs.put(ref, dataset, text);
        for (const [ref, content] of bytes) store.blobs.putBytes(ref, dataset, content);
        return store.events.append(chain, kind, payload);
      },
      { durable: kind === 'assistant-train' },
    );
  return {
    /** Events with vectors, or without where there were none, in order. */
    embeddings: () =>
      parseChain(store.events.ofKinds(chain, ['statement-embed'])).flatMap((event) =>
        event.kind === 'statement-embed' ? [event.payload] : [],
      ),
    /** Every event is committed before work continues, so that nothing is made twice. */
    appendEmbedding(
      payload: EventPayload<'statement-embed'>,
      texts: ReadonlyMap<string, string>,
      bytes: ReadonlyMap<string, Buffer>,
    ) {
      add('statement-embed', payload, texts, bytes);
    },
    /** @returns hash of the event, hexadecimal */
    appendVersion: (payload: EventPayload<'assistant-train'>, texts: ReadonlyMap<string, string>) =>
      add('assistant-train', payload, texts, new Map()),
  };
}

export interface AssistantVersion {
  readonly payload: EventPayload<'assistant-train'>;
  /** Of its event, hexadecimal. */
  readonly hash: string;
}

/** Every version of a data set's assistant, the first one first. */
export function assistantVersions(store: Store, dataset: number): AssistantVersion[] {
  const { manifest } = store.datasets.get(dataset);
  if (manifest === null) return [];
  return parseChain(store.events.ofKinds(assistantChain(manifest), ['assistant-train'])).flatMap((event) =>
    event.kind === 'assistant-train' ? [{ payload: event.payload, hash: event.hash }] : [],
  );
}

/** The version as trials use it. */
export function loadAssistant(store: Store, { payload, hash }: AssistantVersion): TrainedAssistant {
  const { version, embedder, weights, holdout } = payload;
  const threshold = holdout.threshold ?? null;
  return { version, hash, embedder, weights: doublesIn(store.blobs.need(weights)), threshold };
}
