import type { Prediction, Truth } from './domain.ts';

/** What is shown for the empty set of labels. */
export const noneOfThem = 'none of them';

/** A label as it is; a set of labels as `A + B`; null where nothing was predicted or nothing is known. */
export function predictionText(prediction: Prediction | Truth): string | null {
  if (!Array.isArray(prediction)) return prediction;
  return prediction.length === 0 ? noneOfThem : prediction.join(' + ');
}
