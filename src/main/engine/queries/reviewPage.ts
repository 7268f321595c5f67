import { shownFacts } from '../../../core/cases/columnNames.ts';
import { nextReview } from '../../../core/review/queue.ts';
import { disagreements } from '../../../core/review/standing.ts';
import type {
  DisagreementPage,
  DisagreementQuery,
  GivenReviews,
  ReviewedVerdict,
  ReviewPage,
  ReviewQuery,
  ReviewTask,
  SignOffPage,
} from '../../../shared/api/reviews.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { erasureOfTrial, erasuresOf } from '../lab/erasedData.ts';
import { caseAsRead, columnTermsOf, type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { lineReader, plannedAs } from '../report/trialLines.ts';
import { readReviews, reviewedLabels, signedHeads, stateOf } from '../reviews/ledger.ts';
import { reviewLines } from '../reviews/reviewReport.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import type { Query } from './query.ts';

/** Reviews that can be taken back. */
const mostNewest = 10;
/** Reviews, and comments, that are listed one by one. */
const mostGiven = 500;

/** Returns the trials about which nothing more can be said, since their texts were erased. */
const lostTexts = (store: Store, experiment: string): ((trial: string) => boolean) =>
  erasuresOf(store, experiment).length === 0
    ? () => false
    : (trial) => erasureOfTrial(store, parseChain(store.events.chain(trial))) !== null;

export const reviewedVerdict = ({ prediction, confidence, belief_source }: TrialLine): ReviewedVerdict => ({
  prediction: typeof prediction === 'string' ? prediction : null,
  confidence,
  belief_source,
});

/** The case as the court saw it: nothing of the truth, of groups, or of what was said. */
function taskOf(store: Store, frozen: FrozenExperiment, trial: string, again: boolean, blind: boolean): ReviewTask {
  const row = store.trials.get(trial);
  const stored = row === undefined ? undefined : store.datasets.caseOfId(frozen.dataset.id, row.case_id);
  if (row === undefined || stored === undefined) throw new Error(`trial ${trial} is of a case that is not in the store`);
  const { kind, question, facts } = caseAsRead(frozen, row.arm, store.datasets.outline(stored.ref));
  return {
    trial,
    case: row.case_id,
    kind,
    question,
    facts: shownFacts(facts, columnTermsOf(store, frozen)),
    replicate: row.replicate,
    verdict: blind ? null : reviewedVerdict(lineReader(store, frozen)(plannedAs(row), row)),
    again,
  };
}

/** The trial that a reviewer judges next, how far the reviewer has come, and the newest reviews. */
export const reviewPage: Query<ReviewQuery, ReviewPage> = {
  run(store, { experiment, reviewer, arm, order, blind, asked }) {
    const frozen = loadFrozen(store, experiment);
    const labels = reviewedLabels(frozen);
    const read = lineReader(store, frozen);
    const ledger = readReviews(store, experiment);
    const own = ledger.reviews.filter((review) => review.reviewer === reviewer);
    const given = new Set(own.map(({ head }) => head));
    const ended = store.trials.ofExperiment(experiment).filter((row) => row.arm === arm && row.outcome === 'decided');
    // One trial of each case: further replicates would put the same facts before the reviewer, who gets these only on demand. One judged so counts for its case.
    const rows = [...Map.groupBy(ended, (row) => row.case_id).values()].flatMap(
      (all) => all.find((row) => given.has(row.head_hash ?? '')) ?? all.find((row) => row.replicate === 0) ?? [],
    );
    const trials = rows.map((row) => {
      const { confidence, belief, truth } = read(plannedAs(row), row);
      const inTruth = typeof truth === 'string' ? (belief?.[truth] ?? null) : null;
      return { trial: row.trial, confidence, inTruth };
    });
    // One that was tried again since is another verdict.
    const heads = new Set(rows.map(({ head_hash }) => head_hash));
    const judged = own.filter(({ head }) => heads.has(head)).map(({ trial }) => trial);
    const isLost = lostTexts(store, experiment);
    const askedRow = asked === null ? undefined : store.trials.get(asked);
    const isFit =
      askedRow?.experiment === experiment && askedRow.arm === arm && askedRow.outcome === 'decided' && !isLost(askedRow.trial);
    const isJudged = own.some(({ head }) => head === askedRow?.head_hash);
    const missed = asked === null ? null : !isFit ? 'unfit' : isJudged ? 'reviewed' : null;
    const nextOf = (there: typeof trials) => nextReview(there, judged, order, frozen.definition.seed);
    let [left, next] = [trials, asked === null || missed !== null ? nextOf(trials) : { trial: asked, again: false }];
    while (next !== null && isLost(next.trial)) {
      const { trial: lost } = next;
      left = left.filter(({ trial }) => trial !== lost);
      next = nextOf(left);
    }
    // Who took an answer back, or wrote a comment on the debate, knows the verdict.
    const hides = next !== null && blind && (next.again || !ledger.knows(reviewer, next.trial));
    return {
      labels: [...labels],
      replicates: frozen.definition.replicates,
      task: next === null ? null : taskOf(store, frozen, next.trial, next.again, hides),
      missed,
      asked_verdict:
        missed === 'reviewed' && askedRow !== undefined ? reviewedVerdict(read(plannedAs(askedRow), askedRow)) : null,
      trials: trials.length,
      judged: new Set(judged).size,
      newest: own
        .filter((review, place) => place >= own.length - mostNewest || (missed === 'reviewed' && review.trial === asked))
        .toReversed()
        .map((review) => {
          const row = store.trials.get(review.trial);
          return { ...review, case: row?.case_id ?? '', replicate: row?.replicate ?? 0 };
        }),
    };
  },
};

export const givenReviews: Query<Pick<ReviewQuery, 'experiment'>, GivenReviews> = {
  run(store, { experiment }) {
    const frozen = loadFrozen(store, experiment);
    const { reviews, comments } = readReviews(store, experiment);
    const lines = reviewLines(store, frozen, reviews).toReversed();
    return {
      reviews: lines.slice(0, mostGiven),
      total: lines.length,
      comments: comments
        .toReversed()
        .slice(0, mostGiven)
        .flatMap((comment) => {
          const row = store.trials.get(comment.trial);
          return row === undefined ? [] : [{ ...comment, arm: row.arm, case: row.case_id, replicate: row.replicate }];
        }),
      replicates: frozen.definition.replicates,
    };
  },
};

/** What reviewers differ on. The verdict is not among it: an adjudicator decides between people. */
export const disagreementPage: Query<DisagreementQuery, DisagreementPage> = {
  run(store, { experiment, reviewer }) {
    const frozen = loadFrozen(store, experiment);
    const { reviews, adjudications } = readReviews(store, experiment);
    const now = new Map(store.trials.heads(experiment).map(({ head_hash, trial, case_id }) => [head_hash, { trial, case_id }]));
    const isLost = lostTexts(store, experiment);
    const open = disagreements(reviews, adjudications).filter(
      (each) => now.has(each.head) && each.adjudication === undefined && !isLost(each.trial),
    );
    const others = open.filter((each) => each.reviews.every((review) => review.reviewer !== reviewer));
    const next = others[0];
    const settled = adjudications.filter((each) => each.reviewer === reviewer);
    const taskFor = ({ trial, reviews: answers }: (typeof open)[number]): DisagreementPage['task'] => {
      const { verdict: _verdict, again: _again, ...task } = taskOf(store, frozen, trial, false, true);
      return {
        ...task,
        // A reviewer who knew the verdict may reveal it in the reason.
        answers: answers.map(({ seq, reviewer: who, label, reason, blind }) => {
          return { seq, reviewer: who, label, reason: blind ? reason : null };
        }),
      };
    };
    return {
      labels: [...reviewedLabels(frozen)],
      task: next === undefined ? null : taskFor(next),
      open: open.length,
      own: open.length - others.length,
      newest: settled
        .slice(-mostNewest)
        .toReversed()
        .map((each) => ({ ...each, case: store.trials.get(each.trial)?.case_id ?? '' })),
    };
  },
};

export const signOffPage: Query<Pick<DisagreementQuery, 'experiment'>, SignOffPage> = {
  run: (store, { experiment }) => ({
    sign_offs: readReviews(store, loadFrozen(store, experiment).name).signOffs,
    trials: signedHeads(store, experiment).trials.size,
    state: stateOf(store, experiment),
  }),
};
