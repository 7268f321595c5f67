import { byCodeUnits } from '../cases/split.ts';

/** A labelled case that can be a precedent. */
export interface Candidate {
  readonly id: string;
  readonly label: string;
}

export interface Neighbour<C extends Candidate> {
  readonly candidate: C;
  /** Cosine with the case that was searched for, -1 to 1. */
  readonly similarity: number;
}

/** Rounding takes the cosine of like vectors past its bounds. */
const bounded = (cosine: number) => Math.max(-1, Math.min(1, cosine));

const nearer = <C extends Candidate>(a: Neighbour<C>, b: Neighbour<C>): number =>
  b.similarity - a.similarity || byCodeUnits(a.candidate.id, b.candidate.id);

/**
 * The nearest candidates of each label, the nearest first; of equally near ones those whose id comes first by code
 * units. Every candidate is looked at, so that nothing is missed. A label with fewer candidates gives all of them.
 *
 * @param similarityOf by the candidate's place; null leaves it out
 */
export function nearestByLabel<C extends Candidate>(
  candidates: readonly C[],
  similarityOf: (place: number) => number | null,
  labels: readonly string[],
  perLabel: number,
): Neighbour<C>[] {
  const best = new Map<string, Neighbour<C>[]>(labels.map((label) => [label, []]));
  candidates.forEach((candidate, place) => {
    const found = best.get(candidate.label);
    if (found === undefined) return;
    const cosine = similarityOf(place);
    if (cosine === null) return;
    const neighbour = { candidate, similarity: bounded(cosine) };
    const last = found.at(-1);
    if (found.length >= perLabel && last !== undefined && nearer(last, neighbour) <= 0) return;
    found.push(neighbour);
    found.sort(nearer);
    if (found.length > perLabel) found.pop();
  });
  return labels.flatMap((label) => best.get(label) ?? []);
}
