import type { Belief } from '../../shared/domain.ts';

/** Linear opinion pool: the mean of each label's probabilities, equally weighted. Null where any belief is missing. */
export function meanBelief(labels: readonly string[], beliefs: readonly (Belief | null)[]): Belief | null {
  const known = beliefs.filter((belief) => belief !== null);
  if (known.length === 0 || known.length < beliefs.length) return null;
  const mean = (label: string) => known.reduce((sum, belief) => sum + (belief[label] ?? 0), 0) / known.length;
  return Object.fromEntries(labels.map((label) => [label, Math.min(1, mean(label))]));
}
