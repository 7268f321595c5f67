// Requests about what people judge of trials.
import type { ReviewedVerdict } from '../../../../shared/api/reviews.ts';
import { giveReview } from '../../reviews/ledger.ts';
import { answeredBy, os } from '../os.ts';

export const reviews = {
  next: os.reviews.next.handler(answeredBy('reviewPage')),
  results: os.reviews.results.handler(answeredBy('reviewResults')),
  give: os.reviews.give.handler(async ({ context: { store, queries }, input: { experiment, ...review } }) => {
    const seq = await store.write((open) => giveReview(open, experiment, review));
    const { prediction, confidence } = await queries.run('trialLine', { trial: review.trial });
    const verdict: ReviewedVerdict = { prediction: typeof prediction === 'string' ? prediction : null, confidence };
    return { seq, verdict };
  }),
};
