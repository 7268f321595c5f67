// Results of reviews, in sentences and tables.

import type { Prediction } from '../../shared/domain.ts';
import type {
  Adjudication,
  AllLabels,
  Comment,
  Review,
  ReviewEstimate,
  ReviewReport,
  SignOff,
  TrialAnswer,
} from '../../shared/reviews.ts';
import { count, quantity } from '../../shared/sizes.ts';
import { excerpt } from '../answers/excerpt.ts';
import type { Scale } from '../figures/measureScale.ts';
import { percent } from '../figures/shares.ts';
import { capitalized } from '../text/visible.ts';
import { columnsOf, differenceText, estimate, type Piece, table } from './cells.ts';

const of = (found: ReviewEstimate, scale: Scale = 'share') =>
  found.value === null ? '-' : `${estimate(found, scale)} of ${count(found.n)}`;

/** That reviewed cases are no random ones, if their contradicted labels are counted. */
export const labelErrorsText =
  'Only of the cases that people gave a label, blind or not: who has seen the verdict tends to follow it. Who reviews doubtful labels first finds more to contradict than there is on average.';

/** What is estimated of all labels, from which reviews, and how many more would narrow the interval. */
export function allLabelsText({ parts, wrong_labels: wrong, to_narrow: more }: AllLabels): string {
  const all = count(parts.reduce((sum, { cases }) => sum + cases, 0));
  if (parts.length === 0) return 'No case of this experiment has both a label and a verdict.';
  const reviewed = parts.map(
    ({ doubted, cases, reviewed: seen, wrong: found }) =>
      `${count(seen)} of ${count(cases)} cases whose label ${doubted ? 'no verdict names' : 'a verdict names'} (${count(found)} contradicted)`,
  );
  const share =
    wrong.value === null
      ? `The share of contradicted labels among all ${all} cases cannot be estimated: ${wrong.why_null}.`
      : `Estimated share of contradicted labels among all ${all} cases: ${estimate(wrong, 'share')}. This holds if the reviewed cases of each kind were drawn at random.`;
  const narrower =
    more === null
      ? ''
      : ` About ${count(more.reviews)} more reviews in random order of cases whose label a verdict names would bring it to ±${100 * more.half_width} points.`;
  return `${share} Reviewed: ${reviewed.join('; ')}.${narrower}`;
}

export const contradictedText = ({ reviewers }: Pick<ReviewReport, 'reviewers'>): string =>
  reviewers.length === 1 ? 'labels that the reviewer contradicts' : 'labels that most reviewers contradict';

/** How many labels people contradict, and how far the court agrees with either. */
function labelPieces({ reviewers, label_errors: { disputed, adjudicated, all, ...found } }: ReviewReport): Piece[] {
  if (found.wrong_labels.n === 0) return [];
  const settled = adjudicated === 0 ? '' : ` The answer of ${count(adjudicated)} of them is an adjudicator’s.`;
  const left = `${settled}${disputed === 0 ? '' : ` ${count(disputed)} more cases have no answer that most reviewers give.`}`;
  return [
    `${capitalized(contradictedText({ reviewers }))}: ${of(found.wrong_labels)} cases. ${labelErrorsText}${left}`,
    `There the court agrees with the labels in ${of(found.accuracy_by_label)} verdicts, with the reviewers in ${of(found.accuracy_by_people)}, difference ${differenceText(found.accuracy_change, 'points')} points.`,
    allLabelsText(all),
    ...(all.wrong_labels.value === null
      ? []
      : [
          columnsOf(all.arms, [
            ['arm', ({ arm }) => arm],
            ['agrees with the labels', ({ accuracy_by_label: share }) => (share === null ? '-' : percent(share))],
            ['with the reviewers, estimated', ({ accuracy_corrected: corrected }) => estimate(corrected, 'share')],
            ['cases', ({ cases }) => count(cases)],
          ]),
        ]),
  ];
}

/** What came after a sign-off; null where nothing did. */
export function changedText({ changed: { trials, reviews, arms, erased } }: Pick<SignOff, 'changed'>): string | null {
  const parts = [
    ...(arms ? ['the experiment was extended'] : []),
    ...(trials === 0 ? [] : [`${quantity(trials, 'trial')} ended or ${trials === 1 ? 'was' : 'were'} tried again`]),
    ...(reviews === 0 ? [] : [`${quantity(reviews, 'review or comment was', 'reviews or comments were')} added`]),
    ...(erased ? ['texts were erased'] : []),
  ];
  return parts.length === 0 ? null : `since then ${parts.join(', ')}`;
}

/** A text from outside, kept to one line so that it cannot pass for a line of the report. */
const inLine = (text: string) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ');

function signOffPieces(signOffs: readonly SignOff[]): Piece[] {
  if (signOffs.length === 0) return ['Nobody has signed this experiment off.'];
  return signOffs.map((each) => {
    const changed = changedText(each);
    const now = changed === null ? 'nothing has changed since' : changed;
    const reason = each.reason === null ? '[erased]' : `“${inLine(each.reason)}”`;
    return `Signed off by ${inLine(each.reviewer)} (a person’s review, not a signature with a key) at ${each.at} over ${quantity(each.trials, 'ended trial')} (${now}; hash ${each.hash}): ${reason}`;
  });
}

/** How many judged a trial, who agrees, what was adjudicated; null if none. @param said has its `head` @param trial its name */
export function judgedText(
  { head, reviews, adjudications }: Omit<SaidOfTrial, 'comments'>,
  prediction: Prediction,
  trial = 'this trial',
): string | null {
  const now = reviews.filter((each) => each.head === head);
  if (now.length === 0) return null;
  const counted = (is: (review: Review) => boolean, one: string, several: string) => {
    const number = now.filter(is).length;
    return number === 0 ? [] : [quantity(number, one, several)];
  };
  const judged = `${quantity(now.length, 'person', 'people')} judged ${trial}`;
  if (prediction === null) return `${judged}, which has no verdict.`;
  const isLabel = ({ judgement }: Review) => judgement === 'label';
  const others = [...new Set(now.flatMap((review) => (isLabel(review) && review.label !== prediction ? [review.label] : [])))];
  const parts = [
    ...counted((review) => isLabel(review) && review.label === prediction, 'agrees', 'agree'),
    ...counted((review) => isLabel(review) && review.label !== prediction, 'disagrees', 'disagree').map(
      (each) => `${each} (${others.join(', ')})`,
    ),
    ...counted(({ judgement }) => judgement === 'unsure', 'is unsure', 'are unsure'),
    ...counted(({ judgement }) => judgement === 'flag', 'flags it', 'flag it'),
  ];
  const last = adjudications.findLast((each) => each.current && each.head === head);
  const settled =
    last === undefined
      ? ''
      : ` An adjudicator settled it: ${last.label}, which ${last.label === prediction ? 'agrees' : 'disagrees'} with the court.`;
  return `${judged}, in which the court found ${[prediction].flat().join(', ')}: ${parts.join(', ')}.${settled}`;
}

/** What people said of one trial. `head`: hash with which the trial ended. */
export interface SaidOfTrial {
  readonly head: string | null;
  readonly reviews: readonly Review[];
  readonly comments: readonly Comment[];
  readonly adjudications: readonly Adjudication[];
}

/** Where somebody said it of another attempt than the one that ended with `head`. */
export const earlierText = (head: string | null, each: { readonly head: string }) =>
  each.head === head ? '' : ' (of an earlier attempt)';

const answerText = ({ judgement, label }: Review) =>
  judgement === 'label' ? (label ?? '') : judgement === 'flag' ? 'flagged' : 'unsure';

/** What people answered for one trial, and an adjudicator: who, what, whether before the court’s verdict was shown, and why. */
export function answersOfTrial({ head, reviews, adjudications }: Omit<SaidOfTrial, 'comments'>): TrialAnswer[] {
  return [
    ...reviews.map((review) => ({
      who: review.reviewer,
      answer: `${answerText(review)}${earlierText(head, review)}`,
      blind: review.blind,
      reason: review.reason ?? '',
    })),
    ...adjudications.map((each) => ({
      who: `${each.reviewer}, adjudicator`,
      answer: `${each.label}${earlierText(head, each) || (each.current ? '' : ' (of answers that have changed since)')}`,
      blind: false,
      reason: each.reason ?? '[erased]',
    })),
  ];
}

export function answerPieces(said: Omit<SaidOfTrial, 'comments'>): Piece[] {
  const answers = answersOfTrial(said).map(({ who, answer, blind, reason }) => [who, answer, blind ? 'yes' : 'no', reason]);
  return answers.length === 0 ? [] : [table(['who', 'answer', 'before the court’s verdict was shown', 'reason'], answers)];
}

/** Answers of each kind below which agreement with and without the verdict in view is not compared. */
const leastOfEach = 10;

/** How much more often people agreed with the court where they saw its verdict; null where too few answers say it. */
export const biasOf = ({
  open_less_blind: difference,
  open_agreement: { n: open },
  blind_agreement: { n: blind },
}: Pick<ReviewReport, 'open_less_blind' | 'open_agreement' | 'blind_agreement'>) =>
  difference.value === null || Math.min(open, blind) < leastOfEach ? null : difference;

/** What to heed in the figures: whether people follow the verdict, on what they differ, and what counts for nothing. */
export function noticesOf(
  report: Pick<ReviewReport, 'open_less_blind' | 'open_agreement' | 'blind_agreement' | 'disagreements' | 'settled' | 'outdated'>,
): string[] {
  const { disagreements, settled, outdated } = report;
  const [open, blind] = [report.open_agreement.n, report.blind_agreement.n];
  const { value, low, high } = report.open_less_blind;
  const isLess = high !== null && high < 0;
  const written = (share: number | null) => String(Math.round(100 * (isLess ? -(share ?? 0) : (share ?? 0))));
  const [from, to] = isLess ? [high, low] : [low, high];
  const range = from === null || to === null ? '' : `, ${written(from)} to ${written(to)}`;
  const points = `${written(value)} points${range} (${count(open)} answers with it in view, ${count(blind)} without)`;
  const bias =
    biasOf(report) === null
      ? `Agreement with and without the verdict in view cannot be compared yet: that takes ${leastOfEach} answers of each kind, and there are ${count(open)} with it in view and ${count(blind)} without.`
      : isLess || (low !== null && low > 0)
        ? `People agreed with the court ${isLess ? 'less' : 'more'} often where they saw its verdict, by ${points}. Reviewers choose which cases they judge blind, so this need not be due to the verdict.`
        : `No clear difference in agreement with the court between answers with and without its verdict in view: ${points}.`;
  return [
    bias,
    ...(disagreements === 0
      ? []
      : [`Reviewers differ on ${quantity(disagreements, 'trial')}; an adjudicator settled ${count(settled)} of them.`]),
    ...(outdated === 0
      ? []
      : [`${quantity(outdated, 'review')} of trials that were tried again later: they count in no agreement.`]),
  ];
}

/** That the reviews are too few for any measure of agreement; null where they are of several cases. */
export function tooFewText({ cases, reviewers }: Pick<ReviewReport, 'cases' | 'reviewers'>): string | null {
  if (cases > 1) return null;
  const given = reviewers.reduce((sum, { reviews }) => sum + reviews, 0);
  const names = reviewers.map(({ reviewer }) => inLine(reviewer)).join(', ');
  return `${quantity(given, 'review')} of one case, by ${names}: too few to say how far people agree with the court.`;
}

const mostListed = 50;

const whenText = ({ at }: { readonly at: string }) => at.slice(0, 16).replace('T', ' ');

function reviewList({ reviews }: ReviewReport): Piece[] {
  const rows = reviews
    .slice(-mostListed)
    .toReversed()
    .map((each) => [
      ...[each.case, each.arm, count(each.replicate + 1), each.reviewer, whenText(each)],
      `${answerText(each)}${each.current ? '' : ' (of an earlier attempt)'}`,
      ...[each.blind ? 'yes' : 'no', each.reason ?? ''],
    ]);
  const head = ['case', 'arm', 'replicate', 'reviewer', 'when (UTC)', 'answer', 'before the court’s verdict was shown', 'reason'];
  return [
    '',
    ...(reviews.length > mostListed ? [`The newest ${mostListed} reviews; exports of reviews have all.`] : []),
    table(head, rows),
    '',
  ];
}

function commentList(comments: readonly Comment[]): Piece[] {
  if (comments.length === 0) return [];
  const all = `${quantity(comments.length, 'comment')} on speeches and rulings`;
  return [
    comments.length > mostListed
      ? `${all}, of which these are the newest ${mostListed}; exports of reviews have all:`
      : `${all}:`,
    columnsOf(comments.slice(-mostListed).toReversed(), [
      ['by', ({ reviewer }) => reviewer],
      ['when (UTC)', whenText],
      ['trial', ({ trial }) => trial],
      ['on the words', ({ quote }) => (quote === null ? '[erased]' : excerpt(quote, 80))],
      ['comment', ({ comment }) => comment ?? '[erased]'],
    ]),
    '',
  ];
}

/** How far people agree with the court and with each other, and who signed. */
export function reviewPieces(report: ReviewReport): Piece[] {
  const { comments, sign_offs: signOffs } = report;
  const remarks = commentList(comments);
  if (report.reviews.length === 0)
    return [`Nobody has reviewed a trial of ${report.experiment} yet.`, ...remarks, ...signOffPieces(signOffs)];
  const { reviewers, between, blind_agreement: blind, open_agreement: open } = report;
  const difference = biasOf(report);
  const tooFew = tooFewText(report);
  if (tooFew !== null) return [`${report.experiment}: ${tooFew}`, ...reviewList(report), ...remarks, ...signOffPieces(signOffs)];
  return [
    `${count(report.reviews.length)} reviews of ${report.experiment}. Intervals are over cases, at 95%.`,
    '',
    columnsOf(reviewers, [
      ['reviewer', ({ reviewer }) => reviewer],
      ['reviews', ({ reviews }) => count(reviews)],
      ['unsure', ({ unsure }) => count(unsure)],
      ['flagged', ({ flags }) => count(flags)],
      ['median seconds', ({ seconds }) => String(Math.round(seconds))],
      ['agrees with the court', ({ agreement }) => of(agreement)],
      ['kappa', ({ kappa }) => of(kappa, 'number')],
      ['AC1', ({ ac1 }) => of(ac1, 'number')],
      ['same answer when asked again', ({ self }) => of(self)],
    ]),
    '',
    columnsOf(reviewers, [
      ['named the label of the data set', ({ reviewer }) => reviewer],
      ['reviewer', ({ accuracy }) => of(accuracy)],
      ['court, same cases', ({ court_accuracy: accuracy }) => of(accuracy)],
      ['both, where they agree', ({ agreed_accuracy: accuracy }) => of(accuracy)],
    ]),
    '',
    `Agreement between reviewers (Krippendorff's alpha, of ratings): ${of(between, 'number')}.`,
    `Agreement with the court: blind ${of(blind)}, with the verdict in view ${of(open)}${difference === null ? '' : `, difference ${differenceText(difference, 'points')} points`}.`,
    ...labelPieces(report),
    ...noticesOf(report),
    ...reviewList(report),
    ...remarks,
    ...signOffPieces(signOffs),
  ];
}
