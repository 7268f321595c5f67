// Linear opinion pools: one belief of several.
import type { Belief } from '../../shared/domain.ts';

/** Linear opinion pool: the mean of each label's probabilities, equally weighted. Null where any belief is missing. */
export function meanBelief(labels: readonly string[], beliefs: readonly (Belief | null)[]): Belief | null {
  const known = beliefs.filter((belief) => belief !== null);
  if (known.length === 0 || known.length < beliefs.length) return null;
  const mean = (label: string) => known.reduce((sum, belief) => sum + (belief[label] ?? 0), 0) / known.length;
  return Object.fromEntries(labels.map((label) => [label, Math.min(1, mean(label))]));
}

/**
 * The weighted linear opinion pool: P(label) = sum w P_i(label) / sum w.
 *
 * Source: M. Stone, The Opinion Pool (1961); step 3 of figure 7.1 of "SocraSynth and EVINCE", with the scores of both
 * arguments as weights. Null where there is no belief or one is missing: a mixture of some would pass for that of all.
 *
 * @param weights of the beliefs, in their order, none negative. Throws RangeError where their sum is 0 or one is missing.
 */
export function mixtureBelief(
  labels: readonly string[],
  beliefs: readonly (Belief | null)[],
  weights: readonly number[],
): Belief | null {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (beliefs.length !== weights.length || !(whole > 0) || weights.some((weight) => weight < 0)) {
    throw new RangeError(`weights ${weights.join(', ')} do not mix ${beliefs.length} beliefs`);
  }
  const known = beliefs.filter((belief) => belief !== null);
  if (known.length < beliefs.length) return null;
  const share = (label: string) =>
    known.reduce((sum, belief, index) => sum + (weights[index] ?? 0) * (belief[label] ?? 0), 0) / whole;
  return Object.fromEntries(labels.map((label) => [label, Math.min(1, share(label))]));
}
