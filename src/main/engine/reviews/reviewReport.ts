// What people judged of an experiment, next to what the court found.
import { reviewAgreement } from '../../../core/review/agreement.ts';
import type { LabelledCase } from '../../../core/review/allLabels.ts';
import { disagreements } from '../../../core/review/standing.ts';
import { changedText } from '../../../core/telling/reviewTables.ts';
import type { Review, ReviewLine, ReviewReport, ReviewRow } from '../../../shared/reviews.ts';
import { isVaried } from '../../../shared/trialLine.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { lineReader, plannedAs, trialLines } from '../report/trialLines.ts';
import type { Store } from '../store/store.ts';
import { readReviews } from './ledger.ts';

const oneLabel = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The cases with a label and a finished trial of an arm that is no other one changed. */
function labelledCases(store: Store, frozen: FrozenExperiment): LabelledCase[] {
  const cases = new Map<string, { case: string; truth: string; court: { arm: string; prediction: string | null }[] }>();
  for (const line of trialLines(store, frozen)) {
    const [truth, prediction] = [oneLabel(line.truth), oneLabel(line.prediction)];
    if (truth === null || line.status !== 'done' || isVaried(line)) continue;
    const known = cases.get(line.case) ?? { case: line.case, truth, court: [] };
    known.court.push({ arm: line.arm, prediction });
    cases.set(line.case, known);
  }
  return [...cases.values()];
}

export function reviewLines(store: Store, frozen: FrozenExperiment, reviews: readonly Review[]): ReviewLine[] {
  const read = lineReader(store, frozen);
  const seen = new Set<string>();
  return reviews.flatMap((review): ReviewLine[] => {
    const row = store.trials.get(review.trial);
    if (row === undefined) return [];
    const line = read(plannedAs(row), row);
    const own = `${review.reviewer} ${review.head}`;
    const repeated = seen.has(own);
    seen.add(own);
    return [
      {
        ...review,
        arm: line.arm,
        case: line.case,
        replicate: line.replicate,
        prediction: oneLabel(line.prediction),
        truth: oneLabel(line.truth),
        current: row.head_hash === review.head,
        repeated,
        varied: isVaried(line),
      },
    ];
  });
}

/** Throws not-found for an unknown experiment. One whose cases people cannot review can have comments and sign-offs. */
export function reviewReport(store: Store, experiment: string): ReviewReport {
  const frozen = loadFrozen(store, experiment);
  const { labels = [] } = frozen.definition.dataset;
  const { comments, adjudications, signOffs, ...ledger } = readReviews(store, experiment);
  const reviews = reviewLines(store, frozen, ledger.reviews);
  const holding = adjudications.filter(({ current }) => current);
  const settled = new Map(holding.map(({ trial, label }) => [trial, label]));
  const differing = disagreements(
    reviews.filter(({ current }) => current),
    holding,
  );
  return {
    ...{ experiment, reviews, comments, adjudications, sign_offs: signOffs },
    ...{ disagreements: differing.length, settled: settled.size },
    ...reviewAgreement(reviews, {
      ...{ labels, settled, cases: labelledCases(store, frozen), seed: frozen.definition.seed },
    }),
  };
}

export function reviewRows(store: Store, experiment: string): ReviewRow[] {
  const { reviews, comments, adjudications, sign_offs: signOffs } = reviewReport(store, experiment);
  const of = (trial: string) => {
    const row = store.trials.get(trial);
    return { trial, arm: row?.arm ?? null, case: row?.case_id ?? null, replicate: row?.replicate ?? null };
  };
  const none = {
    ...{
      trial: null,
      arm: null,
      case: null,
      replicate: null,
      judgement: null,
      label: null,
      blind: null,
      seconds: null,
      repeated: null,
    },
    ...{ prediction: null, truth: null, utterance: null, start: null, end: null, quote: null, settles: null },
    ...{ trials: null, hash: null },
  };
  const rows: ReviewRow[] = [
    ...reviews.map(({ head: _head, varied: _varied, reason: text, ...said }) => ({
      ...none,
      kind: 'review' as const,
      ...said,
      text,
    })),
    ...comments.map(({ trial, head, comment: text, ...said }) => {
      const current = store.trials.get(trial)?.head_hash === head;
      return { ...none, kind: 'comment' as const, ...said, ...of(trial), current, text };
    }),
    ...adjudications.map(({ trial, head: _head, reason: text, ...said }) => {
      return { ...none, kind: 'adjudication' as const, ...said, ...of(trial), text };
    }),
    ...signOffs.map(({ changed, reason: text, ...said }) => {
      return { ...none, kind: 'sign-off' as const, ...said, current: changedText({ changed }) === null, text };
    }),
  ];
  return rows.toSorted((one, other) => one.seq - other.seq);
}
