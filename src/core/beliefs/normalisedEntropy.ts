import { entropy } from './entropy.ts';

/**
 * Entropy as a share of the most that so many classes allow: H(P) / ln n, 0 where there is one class.
 *
 * Source: Pielou's evenness (E. C. Pielou, J. Theoret. Biol. 13, 1966), over all classes, also those without mass.
 * Range: 0 (certain) to 1 (all equally likely).
 */
export function normalisedEntropy(probabilities: readonly number[]): number {
  return probabilities.length < 2 ? 0 : Math.min(1, entropy(probabilities) / Math.log(probabilities.length));
}
