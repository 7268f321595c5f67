// Which reviews stand, of all that were given.
import type { Review } from '../../shared/reviews.ts';

/** A review as it was given: it may take the place of an earlier one, or take that back. */
export interface GivenReview extends Omit<Review, 'judgement'> {
  readonly judgement: Review['judgement'] | 'withdrawn';
  readonly replaces: number | null;
}

/** The reviews that stand, in the order in which they were given. */
export function standingReviews(given: Iterable<GivenReview>): Review[] {
  const standing = new Map<number, Review>();
  for (const { replaces, judgement, ...review } of given) {
    if (replaces !== null) standing.delete(replaces);
    if (judgement !== 'withdrawn') standing.set(review.seq, { ...review, judgement });
  }
  return [...standing.values()];
}
