// What reviews come to, in sentences and tables.

import type { AllLabels, ReviewEstimate, ReviewReport } from '../../shared/reviews.ts';
import { count, proportion } from '../../shared/sizes.ts';
import { differenceText, estimate, type Piece, table } from './cells.ts';

const of = (found: ReviewEstimate) => (found.value === null ? '-' : `${estimate(found)} of ${count(found.n)}`);

/** That reviewed cases are no random ones, wherever their wrong labels are counted. */
export const labelErrorsText =
  'Only of the cases that people gave a label, blind or not: who has seen the verdict tends to follow it. Who reviews doubtful labels first finds more wrong ones than there are on average.';

/** What is estimated of all labels, from which reviews, and how many more would tell it better. */
export function allLabelsText({ parts, wrong_labels: wrong, to_narrow: more }: AllLabels): string {
  const reviewed = parts.map(
    ({ doubted, cases, reviewed: seen, wrong: found }) =>
      `${count(seen)} of ${count(cases)} cases whose label ${doubted ? 'no verdict names' : 'a verdict names'} (${count(found)} wrong)`,
  );
  const share =
    wrong.value === null
      ? `how many labels are wrong cannot be said: ${wrong.why_null}.`
      : `${estimate(wrong)} of the labels are wrong, if chance decided within each part which cases were reviewed.`;
  const narrower =
    more === null
      ? ''
      : ` About ${count(more.reviews)} more reviews in random order of cases whose label a verdict names would bring it to ±${100 * more.half_width} points.`;
  return `${share} Reviewed: ${reviewed.join('; ')}.${narrower}`;
}

/** How many labels people find wrong, and what accuracy becomes. */
function labelPieces({ disputed, all, ...found }: ReviewReport['label_errors']): Piece[] {
  if (found.wrong_labels.n === 0) return [];
  const left = disputed === 0 ? '' : ` ${count(disputed)} more cases have no answer that most reviewers give.`;
  return [
    `Labels that most reviewers contradict: ${of(found.wrong_labels)} cases. ${labelErrorsText}${left}`,
    `The court's accuracy there: ${of(found.accuracy_by_label)} verdicts by the labels, ${of(found.accuracy_by_people)} by the reviewers, difference ${differenceText(found.accuracy_change)}.`,
    `Of all ${count(all.parts.reduce((sum, { cases }) => sum + cases, 0))} cases: ${allLabelsText(all)}`,
    ...(all.wrong_labels.value === null
      ? []
      : [
          table(
            ['arm', 'accuracy by the labels', 'with the labels corrected', 'cases'],
            all.arms.map((each) => [
              each.arm,
              proportion(each.accuracy_by_label),
              estimate(each.accuracy_corrected),
              count(each.cases),
            ]),
          ),
        ]),
  ];
}

/** How far people agree with the court and with each other, and who is right. */
export function reviewPieces(report: ReviewReport): Piece[] {
  if (report.reviews.length === 0) return [`Nobody has reviewed a trial of ${report.experiment} yet.`];
  const { reviewers, between, blind_agreement: blind, open_agreement: open, open_less_blind: difference } = report;
  const outdated = report.reviews.filter(({ current }) => !current).length;
  return [
    `${count(report.reviews.length)} reviews of ${report.experiment}. Intervals are over cases, at 95%.`,
    '',
    table(
      [
        'reviewer',
        'reviews',
        'unsure',
        'flagged',
        'median seconds',
        'agrees with the court',
        'kappa',
        'AC1',
        'same answer when asked again',
      ],
      reviewers.map((each) => [
        each.reviewer,
        count(each.reviews),
        count(each.unsure),
        count(each.flags),
        String(Math.round(each.seconds)),
        of(each.agreement),
        of(each.kappa),
        of(each.ac1),
        of(each.self),
      ]),
    ),
    '',
    table(
      ['accuracy', 'reviewer', 'court, same cases', 'both, where they agree'],
      reviewers.map((each) => [each.reviewer, of(each.accuracy), of(each.court_accuracy), of(each.agreed_accuracy)]),
    ),
    '',
    `Agreement between reviewers (Krippendorff's alpha): ${of(between)} ratings.`,
    `Agreement with the court: blind ${of(blind)}, with the verdict in view ${of(open)}, difference ${differenceText(difference)}.`,
    ...labelPieces(report.label_errors),
    ...(outdated === 0
      ? []
      : [`${count(outdated)} reviews are of trials that were tried again later; they count in no agreement.`]),
  ];
}
