import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { ReviewedVerdict, ReviewPage, ReviewQuery, ReviewTask } from '../../../shared/api/reviews.ts';
import { replicateText } from '../../../shared/trialLine.ts';
import { toTrial } from '../../app/routes.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { WritingButton } from '../../app/Writing.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { HiddenText, Isolated, Outside } from '../../ui/HiddenText.tsx';
import { dayText } from '../../ui/moments.ts';
import { FailureNotice } from '../../ui/Notice.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Facts } from '../datasets/Facts.tsx';
import styles from './Review.module.css';
import { type Answer, useGiveReview, useReviewPage } from './reviewQueries.ts';
import { useSeenTrials, withTrial } from './reviewSession.ts';
import { Answered, nothingLeft, Verdict } from './reviewText.tsx';

/** Labels that have their own key. */
const mostKeys = 9;

/** Why the case that was asked for is not the one that is shown. */
const unfitText = 'That case cannot be reviewed: its trial has no verdict of this arm, or texts of it were erased.';

type Judge = (judgement: Answer['judgement'], label: string | null) => void;

function Choices({ labels, isBusy, judge }: { labels: readonly string[]; isBusy: boolean; judge: Judge }) {
  return (
    <fieldset className="flex flex-wrap gap-8 unframed">
      <legend className="visually-hidden">Your answer</legend>
      {labels.map((label, index) => (
        <WritingButton key={label} isDisabled={isBusy} onPress={() => judge('label', label)}>
          <Isolated text={label} />
          {index < mostKeys ? <kbd className="muted">{index + 1}</kbd> : null}
        </WritingButton>
      ))}
      <WritingButton look="quiet" isDisabled={isBusy} onPress={() => judge('unsure', null)}>
        Unsure <kbd className="muted">u</kbd>
      </WritingButton>
      <WritingButton look="quiet" isDisabled={isBusy} onPress={() => judge('flag', null)}>
        Flag <kbd className="muted">f</kbd>
      </WritingButton>
    </fieldset>
  );
}

interface OfCase {
  readonly case: string;
  readonly replicate: number;
}

/** `Case 12`, with its replicate where there are several. */
function CaseText({ case: id, replicate, replicates }: OfCase & Pick<ReviewPage, 'replicates'>) {
  const numbered = replicateText({ replicate }, replicates);
  return (
    <>
      Case <Isolated text={id} />
      {numbered === null ? '' : ` · ${numbered}`}
    </>
  );
}

/** The way to a trial that was judged, and whose verdict is known by that. */
const CaseLink = ({ trial, ...of }: OfCase & { trial: string } & Pick<ReviewPage, 'replicates'>) => (
  <Link href={toTrial(trial)}>
    <CaseText {...of} />
  </Link>
);

function OwnAnswer({
  review,
  page: { task, replicates, asked_verdict: verdict },
  imported,
}: {
  review: ReviewPage['newest'][number];
  page: ReviewPage;
  imported: boolean;
}) {
  const { label, reason, blind, at } = review;
  return (
    <section aria-label="Your answer on the trial" className={`card stack gap-6 ${styles.own}`}>
      <h2>
        Your answer on <CaseLink {...review} replicates={replicates} />: <Answered judgement={review.judgement} label={label} />
      </h2>
      {verdict === null ? null : (
        <p className={styles.verdict}>
          <Verdict verdict={verdict} label={label} imported={imported} />
        </p>
      )}
      <p className="quiet">
        Given <time dateTime={at}>{dayText(at)}</time>, {blind ? 'before you knew the verdict' : 'with the verdict known'}.
      </p>
      {reason === null ? null : <Outside as="p" text={reason} />}
      <p className="quiet">
        To answer again, take it back under “Your newest reviews”. The trial report has what others answered.
        {task !== null ? ' The next case follows.' : ''}
      </p>
    </section>
  );
}

function Newest({
  page: { newest, replicates },
  isBusy,
  takeBack,
}: {
  page: ReviewPage;
  isBusy: boolean;
  takeBack: (review: ReviewPage['newest'][number]) => void;
}) {
  if (newest.length === 0) return null;
  return (
    <section aria-label="Your newest reviews" className="stack gap-6">
      <h3>Your newest reviews</h3>
      <ul className="stack gap-4">
        {newest.map((review) => (
          <li key={review.seq} className={`row justify-between ${styles.newest}`}>
            <span className="min-w-0 wrap-anywhere">
              <CaseLink {...review} replicates={replicates} />: <Answered {...review} />
              {review.reason === null ? null : (
                <span className="quiet">
                  {' '}
                  – <HiddenText text={review.reason} />
                </span>
              )}
            </span>
            <WritingButton size="small" look="quiet" isDisabled={isBusy} onPress={() => takeBack(review)}>
              Take back
            </WritingButton>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Given extends OfCase {
  readonly trial: string;
  readonly label: string | null;
  readonly verdict: ReviewedVerdict;
}

const focus = (element: HTMLElement | null) => element?.focus();

/** The case before the reviewer, the answers, and what was answered last. With `takesFocus` keys go to the case at once. */
export function ReviewDesk({
  query,
  takesFocus,
  shownElsewhere,
  arms,
  imported,
}: {
  query: ReviewQuery;
  takesFocus: boolean;
  /** Trials that this tab has shown next to the desk. */
  shownElsewhere: readonly string[];
  arms: number;
  imported: boolean;
}) {
  const { data: page, error, refetch, isFetching } = useReviewPage(query);
  const give = useGiveReview(query);
  const [reasons, setReasons] = useState<ReadonlyMap<string, string>>(new Map());
  const [given, setGiven] = useState<Given | null>(null);
  // Trials whose verdict this reviewer has seen: hiding it later makes no answer blind.
  const [seen, setSeen] = useSeenTrials(query.experiment, query.reviewer);
  const began = useRef(performance.now());
  const isUndoWanted = useRef(false);
  const task: ReviewTask | null = page?.task ?? null;
  const shown = task?.trial;
  const isInView = task !== null && task.verdict !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock starts again with each case
  useEffect(() => {
    began.current = performance.now();
  }, [shown]);
  useEffect(() => {
    if (isInView && shown !== undefined) setSeen(withTrial(shown));
  }, [isInView, shown, setSeen]);
  const wasSeen = task !== null && !task.again && !isInView && [...seen, ...shownElsewhere].includes(task.trial);
  const isBlind = !isInView && !wasSeen;
  const isBusy = give.isPending || isFetching || error !== null;
  const reason = reasons.get(shown ?? '') ?? '';
  const setReason = (trial: string, text: string) => setReasons((before) => new Map(before).set(trial, text));

  const judge: Judge = (judgement, label) => {
    if (task === null || isBusy) return;
    const seconds = Math.round((performance.now() - began.current) / 100) / 10;
    const { trial } = task;
    give.mutate(
      { trial, judgement, label, reason: reason.trim() || null, blind: isBlind, seconds, replaces: null },
      {
        onSuccess: ({ verdict }) => {
          setGiven({ trial, case: task.case, replicate: task.replicate, label, verdict });
          setReason(trial, '');
        },
      },
    );
  };
  const newest = page?.newest ?? [];
  const takeBack = (review: ReviewPage['newest'][number] | undefined) => {
    if (review === undefined || isBusy) return;
    const nothing = { label: null, reason: null, blind: false, seconds: 0 } as const;
    give.mutate(
      { trial: review.trial, judgement: 'withdrawn', ...nothing, replaces: review.seq },
      {
        onSuccess: () => {
          setGiven(null);
          // What was typed for it then is there to be changed.
          if (review.reason !== null && !reasons.get(review.trial)) setReason(review.trial, review.reason);
        },
      },
    );
  };
  // The newest review may still be on its way when its reviewer wants it back; one that was refused leaves nothing to take back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits for the page alone
  useEffect(() => {
    if (isBusy && error === null) return;
    const isWanted = isUndoWanted.current;
    isUndoWanted.current = false;
    if (isWanted && !give.isError) takeBack(newest[0]);
  }, [isBusy, error]);
  const undo = () => {
    if (give.isPending) isUndoWanted.current = true;
    else takeBack(newest[0]);
  };
  useShortcuts([
    ...(page?.labels ?? []).slice(0, mostKeys).map((label, index) => ({
      keys: [String(index + 1)],
      does: `Answer ${label}`,
      run: () => judge('label', label),
    })),
    { keys: ['u'], does: 'Answer: unsure', run: () => judge('unsure', null) },
    { keys: ['f'], does: 'Flag the case', run: () => judge('flag', null) },
    { keys: ['z'], does: 'Take back the newest review', run: undo },
  ]);

  const failure = <FailureNotice error={error} onRetry={refetch} />;
  if (page === undefined) return error === null ? <p className="quiet">Reading the cases…</p> : failure;
  const [title, remedy] = nothingLeft(page, query.order, arms);
  const answered = page.missed === 'reviewed' && given === null ? newest.find(({ trial }) => trial === query.asked) : undefined;
  return (
    <div className={styles.desk}>
      <section aria-label="The case" className="stack gap-14 min-w-0">
        <p className="quiet" role="status">
          Reviewed: {page.judged} of {page.trials} cases with a verdict so far
          {page.missed !== 'unfit' || given !== null ? null : `. ${unfitText}`}
          {given === null ? null : (
            <>
              . <CaseLink {...given} replicates={page.replicates} />: <Verdict {...given} imported={imported} />
            </>
          )}
        </p>
        {failure}
        {answered === undefined ? null : <OwnAnswer review={answered} page={page} imported={imported} />}
        {task === null ? (
          <>
            <FailureNotice error={give.error} />
            <Empty title={title}>{remedy}</Empty>
          </>
        ) : (
          <>
            <h2 ref={takesFocus ? focus : null} tabIndex={-1}>
              <CaseText {...task} replicates={page.replicates} />
              {task.again ? <span className="quiet"> · once more, to see whether you answer the same</span> : null}
            </h2>
            {query.blind && !isBlind ? (
              <p className="quiet">You have seen the verdict on this case, so your answer does not count as blind.</p>
            ) : null}
            {task.question === null ? null : <Outside as="p" className={styles.question} text={task.question} />}
            <Facts kind={task.kind} facts={task.facts} />
            {task.verdict === null ? null : (
              <p className={styles.verdict}>
                <Verdict verdict={task.verdict} label={null} imported={imported} />
              </p>
            )}
            <div className={`stack gap-10 ${styles.answer}`} data-floats>
              <TextField
                label={
                  isBlind ? 'Reason (optional)' : `Reason (needed if you disagree with the ${imported ? 'prediction' : 'court'})`
                }
                value={reason}
                rows={3}
                maxLength={4000}
                onChange={(text) => setReason(task.trial, text)}
              />
              <FailureNotice error={give.error} />
              <Choices labels={page.labels} isBusy={isBusy} judge={judge} />
            </div>
          </>
        )}
      </section>
      <Newest page={page} isBusy={isBusy} takeBack={takeBack} />
    </div>
  );
}
