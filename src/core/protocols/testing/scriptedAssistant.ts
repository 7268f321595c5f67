import type { TrainedAssistant } from '../../assistant/trainedAssistant.ts';

/** An assistant that finds long texts a little more reliable than short ones. */
export const scriptedAssistant: TrainedAssistant = {
  version: 1,
  hash: 'a'.repeat(64),
  embedder: { backend: 'default', model: 'model-of-embedder', digest: null },
  weights: Float64Array.from([2, -2, 0.1]),
  threshold: 0.6,
};

/** A vector that the length of a text decides. */
export const scriptedVector = (text: string): Float32Array => Float32Array.from([(text.length % 97) / 97, 0.5]);
