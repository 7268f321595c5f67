import { equalWeights, requireWeights, type Weights } from './weights.ts';

/**
 * Mean of values, each counted as often as its weight says: sum of w x / sum of w; null where no value counts.
 *
 * Throws RangeError on weights that are no whole numbers from 0 or not as many as the values, and on a value
 * that is not finite. Example: [1, 4] with weights [2, 1] gives (1 + 1 + 4) / 3 = 2.
 */
export function weightedMean(values: ArrayLike<number>, weights: Weights = equalWeights(values.length)): number | null {
  requireWeights(weights, values.length);
  let total = 0;
  let sum = 0;
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? Number.NaN;
    const weight = weights[index] ?? 0;
    if (!Number.isFinite(value)) throw new RangeError(`value ${index} is ${value}: not a finite number`);
    total += weight;
    sum += weight * value;
  }
  return total === 0 ? null : sum / total;
}
