// What people judged of an experiment, beside what the court found.
import { reviewAgreement } from '../../../core/review/agreement.ts';
import type { LabelledCase } from '../../../core/review/allLabels.ts';
import type { ReviewLine, ReviewReport } from '../../../shared/reviews.ts';
import { isVaried } from '../../../shared/trialLine.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { lineReader, plannedAs, trialLines } from '../report/trialLines.ts';
import type { Store } from '../store/store.ts';
import { reviewedLabels, reviewsOf } from './ledger.ts';

const oneLabel = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The cases with a label and a verdict of an arm that is no other one changed. */
function labelledCases(store: Store, frozen: FrozenExperiment): LabelledCase[] {
  const cases = new Map<string, { case: string; truth: string; court: { arm: string; prediction: string }[] }>();
  for (const line of trialLines(store, frozen)) {
    const [truth, prediction] = [oneLabel(line.truth), oneLabel(line.prediction)];
    if (truth === null || prediction === null || isVaried(line)) continue;
    const known = cases.get(line.case) ?? { case: line.case, truth, court: [] };
    known.court.push({ arm: line.arm, prediction });
    cases.set(line.case, known);
  }
  return [...cases.values()];
}

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
  return {
    experiment,
    reviews,
    ...reviewAgreement(reviews, { labels, cases: labelledCases(store, frozen), seed: frozen.definition.seed }),
  };
}
