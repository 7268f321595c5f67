import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { shownArmNames } from '../../../core/figures/armNames.ts';
import {
  allLabelsText,
  biasOf,
  contradictedText,
  labelErrorsText,
  noticesOf,
  tooFewText,
} from '../../../core/telling/reviewTables.ts';
import type { GivenReviews } from '../../../shared/api/reviews.ts';
import { labelLimit, retitled } from '../../../shared/decidedBy.ts';
import type { Reviewer, ReviewLine } from '../../../shared/reviews.ts';
import { count } from '../../../shared/sizes.ts';
import { toTrial } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { DataTable } from '../../ui/DataTable.tsx';
import { HiddenText, Isolated, Paragraph } from '../../ui/HiddenText.tsx';
import { minuteText } from '../../ui/moments.ts';
import { Unread } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { EstimateCell } from '../experiments/EstimateCell.tsx';
import { useGivenReviews, useReviewResults } from './reviewQueries.ts';
import { Answered } from './reviewText.tsx';

const measures = [
  ['agrees with the court', 'agreement', 'share'],
  ['same answer when asked again', 'self', 'share'],
  ['is right', 'accuracy', 'share'],
  ['court is right, same cases', 'court_accuracy', 'share'],
  ['both are right, where they agree', 'agreed_accuracy', 'share'],
  ['kappa', 'kappa', 'number'],
  ['AC1', 'ac1', 'number'],
] as const;

function Results({ experiment, decidedBy }: Pick<Properties, 'experiment' | 'decidedBy'>) {
  const read = useReviewResults(experiment);
  if (read.data === undefined) return <Unread of={read} words="Reading the reviews…" />;
  const results = read.data;
  const reviews = results.reviewers.reduce((sum, each) => sum + each.reviews, 0);
  if (reviews === 0) return <p>Nobody has reviewed a case yet.</p>;
  const tooFew = tooFewText(results);
  if (tooFew !== null) return <Paragraph text={tooFew} />;
  const labels = results.label_errors.all;
  const difference = biasOf(results);
  const known = labels.parts.reduce((sum, { cases }) => sum + cases, 0);
  /** The last is of how many cases a value is that is estimated from the reviewed ones. */
  const all = [
    ['between reviewers (Krippendorff’s alpha)', results.between, 'number'],
    ['with the court, blind', results.blind_agreement, 'share'],
    ['with the court, verdict in view', results.open_agreement, 'share'],
    ...(difference === null ? [] : [['verdict in view minus blind', difference, 'points'] as const]),
    [contradictedText(results), results.label_errors.wrong_labels, 'share'],
    ['court agrees with the labels', results.label_errors.accuracy_by_label, 'share'],
    ['court agrees with the reviewers', results.label_errors.accuracy_by_people, 'share'],
    ['with the reviewers minus with the labels', results.label_errors.accuracy_change, 'points'],
    ['share of contradicted labels, estimated', labels.wrong_labels, 'share', known] as const,
    ...labels.arms.map(
      ({ arm, cases, accuracy_corrected: corrected }) =>
        [`${arm} agrees with the reviewers, estimated`, corrected, 'share', cases] as const,
    ),
  ] as const;
  return (
    <>
      <p className="max-w-80ch muted">
        {quantity(reviews, 'review')}. “The court” is the arm whose verdict was reviewed. {labelLimit({ decided_by: decidedBy })}{' '}
        Intervals are over cases, at 95%. Contradicted labels: {labelErrorsText}
      </p>
      {noticesOf(results).map((notice) => (
        <p key={notice} className="max-w-80ch">
          {notice}
        </p>
      ))}
      <DataTable
        label="Reviewers"
        rows={results.reviewers}
        keyOf={({ reviewer }) => reviewer}
        columns={[
          { title: 'reviewer', cell: ({ reviewer }: Reviewer) => <Isolated text={reviewer} /> },
          { title: 'reviews', number: ({ reviews: given }: Reviewer) => given },
          { title: 'unsure, flagged', number: ({ unsure, flags }: Reviewer) => `${unsure}, ${flags}` },
          { title: 'median seconds', number: ({ seconds }: Reviewer) => Math.round(seconds) },
          ...measures.map(([title, name, scale]) => ({
            title: retitled(title, { decided_by: decidedBy }),
            number: (row: Reviewer) => <EstimateCell estimate={row[name]} scale={scale} of={row[name].n} />,
          })),
        ]}
      />
      <DataTable
        label="Agreement"
        rows={all}
        keyOf={([title]) => title}
        columns={[
          { title: 'over all reviewers', cell: ([title]: (typeof all)[number]) => title },
          {
            title: 'value',
            number: ([, estimate, scale, cases]: (typeof all)[number]) => (
              <EstimateCell
                estimate={estimate}
                scale={scale}
                of={cases === undefined ? estimate.n : `${quantity(cases, 'case')}, from ${count(estimate.n)} reviewed`}
              />
            ),
          },
        ]}
      />
      {results.label_errors.wrong_labels.n === 0 ? null : <Paragraph className="max-w-80ch muted" text={allLabelsText(labels)} />}
    </>
  );
}

type GivenComment = GivenReviews['comments'][number];

interface Properties {
  experiment: string;
  /** Of its arms. */
  names: readonly string[];
  /** Who decided what the labels are; undefined where they count as the truth. */
  decidedBy: string | undefined;
  /** Reports that what people say of a trial was shown to the reader. */
  onShown: (trial: string) => void;
}

/** Each review and comment with its trial. What is listed here has been shown to the reader. */
function EachReview({ experiment, names, onShown }: Properties) {
  const read = useGivenReviews(experiment);
  const given = read.data;
  useEffect(() => {
    for (const { trial } of [...(given?.reviews ?? []), ...(given?.comments ?? [])]) onShown(trial);
  }, [given, onShown]);
  if (given === undefined) return <Unread of={read} words="Reading the reviews…" />;
  const { reviews, total, comments, replicates } = given;
  const shown = shownArmNames(names);
  type Of = Pick<ReviewLine, 'trial' | 'case' | 'arm' | 'replicate'>;
  const ofTrial = [
    {
      title: 'case',
      cell: (row: Of) => (
        <Link href={toTrial(row.trial)}>
          <Isolated text={row.case} />
        </Link>
      ),
    },
    { title: 'arm', cell: ({ arm }: Of) => <Isolated text={shown.get(arm) ?? arm} /> },
    ...(replicates < 2 ? [] : [{ title: 'replicate', number: ({ replicate }: Of) => replicate + 1 }]),
  ];
  return (
    <>
      {total === reviews.length ? null : (
        <p className="quiet">
          The newest {reviews.length} of {quantity(total, 'review')}; an export has all of them.
        </p>
      )}
      <DataTable
        label="Each review"
        rows={reviews}
        keyOf={({ seq }) => seq}
        columns={[
          ...ofTrial,
          { title: 'reviewer', cell: ({ reviewer }: ReviewLine) => <Isolated text={reviewer} /> },
          {
            title: 'answer',
            cell: ({ current, ...row }: ReviewLine) => (
              <>
                <Answered {...row} />
                {current ? '' : ' (of an earlier attempt)'}
              </>
            ),
          },
          { title: 'court', cell: ({ prediction }: ReviewLine) => <Isolated text={prediction ?? 'no label'} /> },
          { title: 'blind', cell: ({ blind }: ReviewLine) => (blind ? 'yes' : 'no') },
          { title: 'given', cell: ({ at }: ReviewLine) => <time dateTime={at}>{minuteText(at)}</time> },
          { title: 'reason', cell: ({ reason }: ReviewLine) => <HiddenText text={reason ?? ''} />, dir: 'auto' as const },
        ]}
      />
      {comments.length === 0 ? null : (
        <DataTable
          label="Each comment"
          rows={comments}
          keyOf={({ seq }) => seq}
          columns={[
            ...ofTrial,
            { title: 'by', cell: ({ reviewer }: GivenComment) => <Isolated text={reviewer} /> },
            { title: 'given', cell: ({ at }: GivenComment) => <time dateTime={at}>{minuteText(at)}</time> },
            { title: 'on the words', cell: ({ quote }: GivenComment) => <HiddenText text={quote ?? ''} />, dir: 'auto' as const },
            { title: 'comment', cell: ({ comment }: GivenComment) => <HiddenText text={comment ?? ''} />, dir: 'auto' as const },
          ]}
        />
      )}
    </>
  );
}

/** The result of all reviews: read only on request, as few reviews let a reader guess verdicts. */
export function AgreementSection(properties: Properties) {
  const [isEachShown, setIsEachShown] = useState(false);
  const [isShown, setIsShown] = useState(false);
  return (
    <Section
      title="Results of the reviews"
      lead={
        isShown
          ? undefined
          : 'With few reviews, the figures can hint at the verdicts of cases that you have not judged yet. If a comparison was decided beforehand, to show them before its planned end is counted as a look at results.'
      }
      actions={isShown ? undefined : <Button onPress={() => setIsShown(true)}>Show the results</Button>}
    >
      {isShown ? <Results {...properties} /> : null}
      {isEachShown ? (
        <EachReview {...properties} />
      ) : isShown ? (
        <div className="row gap-8">
          <Button onPress={() => setIsEachShown(true)}>Show each review and comment</Button>
          <span className="quiet">It shows verdicts: the cases that it lists no longer count as blind for you.</span>
        </div>
      ) : null}
    </Section>
  );
}
