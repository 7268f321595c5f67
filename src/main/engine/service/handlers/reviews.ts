// Requests about what people judge of trials.
import { reviewedVerdict } from '../../queries/reviewPage.ts';
import { adjudicate, giveComment, giveReview, signRecord } from '../../reviews/giving.ts';
import { answeredBy, os } from '../os.ts';

const shownTo = ({ experiment, reviewer }: { readonly experiment: string; readonly reviewer: string }, trial: string) =>
  JSON.stringify([experiment, reviewer, trial]);

export const reviews = {
  next: os.reviews.next.handler(async ({ context: { queries, shownVerdicts }, input, signal }) => {
    const page = await queries.run('reviewPage', input, signal);
    if (page.task !== null && page.task.verdict !== null) shownVerdicts.add(shownTo(input, page.task.trial));
    return page;
  }),
  results: os.reviews.results.handler(answeredBy('reviewResults')),
  given: os.reviews.given.handler(answeredBy('givenReviews')),
  comments: os.reviews.comments.handler(answeredBy('comments')),
  comment: os.reviews.comment.handler(async ({ context: { store }, input }) => ({
    seq: await store.write((open) => giveComment(open, input)),
  })),
  disagreements: os.reviews.disagreements.handler(answeredBy('disagreementPage')),
  adjudicate: os.reviews.adjudicate.handler(async ({ context: { store }, input: { experiment, ...found } }) => ({
    seq: await store.write((open) => adjudicate(open, experiment, found)),
  })),
  signOffs: os.reviews.signOffs.handler(answeredBy('signOffPage')),
  sign: os.reviews.sign.handler(async ({ context: { store }, input: { experiment, ...signed } }) => ({
    seq: await store.write((open) => signRecord(open, experiment, signed)),
  })),
  give: os.reviews.give.handler(async ({ context: { store, queries, shownVerdicts }, input: { experiment, ...review } }) => {
    const blind = review.blind && !shownVerdicts.has(shownTo({ experiment, reviewer: review.reviewer }, review.trial));
    const seq = await store.write((open) => giveReview(open, experiment, { ...review, blind }));
    return { seq, verdict: reviewedVerdict(await queries.run('trialLine', { trial: review.trial })) };
  }),
};
