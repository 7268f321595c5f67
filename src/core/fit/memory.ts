/**
 * Memory that a model needs in addition to its weights.
 *
 * Keys and values: for every layer, slot and token of context one key and one value of each key-value head,
 *
 *   bytes = 2 x layers x kv_heads x head_length x bytes per number x context x slots
 *
 * where keys and values are of one length; separate here, layer by layer, since the number of heads and the lengths may
 * differ. A number takes 2 bytes (f16, what llama.cpp and Ollama take by default): a quantised cache
 * is not assumed. A layer with a sliding window keeps the window of every slot and one batch, if that is less.
 * Worked example: llama3.1:8b has 32 layers, 8 heads, 128 numbers: 2 x 32 x 8 x 128 x 2 B = 128 KiB a token, 1 GiB at 8192.
 *
 * Overhead: what is neither weights nor cache. Assumed are 457 MiB, which Ollama (0.33, `ml/device.go`) keeps free on a
 * GPU for the driver's own use, and llama.cpp's compute buffer for one batch with flash attention: the hidden state and the
 * scores of the whole vocabulary, 4 B x 512 x (embedding + vocabulary). For Llama 3 8B that is 258.5 MiB, as llama.cpp
 * prints it. If the vocabulary is not reported it is taken as 262,144 entries, the largest in common use. Not counted:
 * image encoders' buffers, draft models, and what other programs will take meanwhile.
 */
import type { ModelShape } from './modelShape.ts';

const bytesPerNumber = 2;
/** Tokens that are computed at a time. */
const batch = 512;
const largestVocabulary = 262_144;
const reservedBytes = 457 * 2 ** 20;

/** Bytes of keys and values of all slots. @param context tokens of each slot */
export function keyValueBytes({ layers }: Pick<ModelShape, 'layers'>, context: number, slots: number): number {
  return layers.reduce((sum, { perToken, window }) => {
    const whole = context * slots;
    const kept = window === null ? whole : Math.min(whole, window * slots + batch);
    return sum + perToken * bytesPerNumber * kept;
  }, 0);
}

/** Bytes in addition to weights, keys and values. */
export function overheadBytes({ embeddingLength, vocabulary }: Pick<ModelShape, 'embeddingLength' | 'vocabulary'>): number {
  return reservedBytes + 4 * batch * (embeddingLength + (vocabulary ?? largestVocabulary));
}
