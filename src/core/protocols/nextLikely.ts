import type { Belief } from '../../shared/domain.ts';

/** The most likely label other than the prediction; of equally likely ones the first in the order of the labels. */
export function nextLikely(labels: readonly string[], prediction: string, belief: Belief | null): string {
  const others = labels.filter((label) => label !== prediction);
  const [next = prediction] = others.toSorted((a, b) => (belief?.[b] ?? 0) - (belief?.[a] ?? 0));
  return next;
}
