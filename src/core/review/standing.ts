// Which of all reviews and adjudications are in force, and on which trials reviewers differ.
import type { Adjudication, Review } from '../../shared/reviews.ts';

/** What no later one takes the place of, in the order in which it was given. */
export function standing<T extends { readonly seq: number; readonly replaces: number | null }>(given: readonly T[]): T[] {
  const replaced = new Set(given.map(({ replaces }) => replaces));
  return given.filter(({ seq }) => !replaced.has(seq));
}

export interface Disagreement {
  readonly trial: string;
  /** Hash with which the trial ended that they judged. */
  readonly head: string;
  /** The first review with a label of each of them. */
  readonly reviews: readonly Review[];
  /** What settles it; undefined while nothing does. */
  readonly adjudication: Omit<Adjudication, 'current'> | undefined;
}

/**
 * The trials on which reviewers differ, in the order of the first reviews. An adjudication settles one as long as all of the
 * reviews that it names are in force.
 * @param reviews those in force
 * @param adjudications those in force
 */
export function disagreements(
  reviews: readonly Review[],
  adjudications: readonly Omit<Adjudication, 'current'>[],
): Disagreement[] {
  const there = new Set(reviews.map(({ seq }) => seq));
  const holding = adjudications.filter(({ settles }) => settles.every((seq) => there.has(seq)));
  return [...Map.groupBy(reviews, ({ head }) => head)].flatMap(([head, ofTrial]) => {
    const labelled = ofTrial.filter(({ label }) => label !== null);
    const first = [...new Map(labelled.toReversed().map((review) => [review.reviewer, review])).values()].toReversed();
    if (new Set(first.map(({ label }) => label)).size < 2) return [];
    return [{ trial: first[0]?.trial ?? '', head, reviews: first, adjudication: holding.findLast((each) => each.head === head) }];
  });
}
