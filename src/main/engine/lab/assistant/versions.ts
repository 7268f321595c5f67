import { doublesIn } from '../../../../core/assistant/numbersAsText.ts';
import type { TrainedAssistant } from '../../../../core/assistant/trainedAssistant.ts';
import { assistantChain } from '../../../../core/record/identity.ts';
import type { EventPayload } from '../../../../shared/events.ts';
import { parseChain } from '../../store/parseChain.ts';
import type { Store } from '../../store/store.ts';

/** A version of the trained assistant as the record has it. */
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
  const { version, embedder, weights } = payload;
  return { version, hash, embedder, weights: doublesIn(store.blobs.need(weights)) };
}
