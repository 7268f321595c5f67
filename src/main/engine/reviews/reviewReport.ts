// What people judged of an experiment, beside what the court found.
import { reviewAgreement } from '../../../core/review/agreement.ts';
import type { ReviewLine, ReviewReport } from '../../../shared/reviews.ts';
import { isVaried } from '../../../shared/trialLine.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { lineReader, plannedAs } from '../report/trialLines.ts';
import type { Store } from '../store/store.ts';
import { reviewedLabels, reviewsOf } from './ledger.ts';

const oneLabel = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Throws not-found for an unknown experiment, bad-input for one whose cases people cannot review. */
export function reviewReport(store: Store, experiment: string): ReviewReport {
  const frozen = loadFrozen(store, experiment);
  const labels = reviewedLabels(frozen);
  const read = lineReader(store, frozen);
  const seen = new Set<string>();
  const reviews = reviewsOf(store, experiment).flatMap((review): ReviewLine[] => {
    const row = store.trials.get(review.trial);
    if (row === undefined) return [];
    const line = read(plannedAs(row), row);
    const own = `${review.reviewer} ${review.trial}`;
    const repeated = seen.has(own);
    seen.add(own);
    return [
      {
        ...review,
        arm: line.arm,
        case: line.case,
        prediction: oneLabel(line.prediction),
        truth: oneLabel(line.truth),
        current: row.head_hash === review.head,
        repeated,
        varied: isVaried(line),
      },
    ];
  });
  return { experiment, reviews, ...reviewAgreement(reviews, { labels, seed: frozen.definition.seed }) };
}
