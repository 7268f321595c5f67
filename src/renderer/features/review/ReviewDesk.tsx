import { useEffect, useRef, useState } from 'react';
import type { ReviewedVerdict, ReviewPage, ReviewQuery, ReviewTask } from '../../../shared/api/reviews.ts';
import { useShortcuts } from '../../app/Shortcuts.tsx';
import { Button } from '../../ui/Button.tsx';
import { Empty } from '../../ui/Empty.tsx';
import { Isolated, Outside } from '../../ui/HiddenText.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Facts } from '../datasets/Facts.tsx';
import styles from './Review.module.css';
import { type Answer, useGiveReview, useReviewPage } from './reviewQueries.ts';
import { answerText, verdictText } from './reviewText.ts';

/** Labels that have a key of their own. */
const mostKeys = 9;

type Judge = (judgement: Answer['judgement'], label: string | null) => void;

function Choices({ labels, isBusy, judge }: { labels: readonly string[]; isBusy: boolean; judge: Judge }) {
  return (
    <fieldset className={`flex flex-wrap gap-8 ${styles.choices}`}>
      <legend className="visually-hidden">Your answer</legend>
      {labels.map((label, index) => (
        <Button key={label} isDisabled={isBusy} onPress={() => judge('label', label)}>
          <Isolated text={label} />
          {index < mostKeys ? <kbd>{index + 1}</kbd> : null}
        </Button>
      ))}
      <Button look="quiet" isDisabled={isBusy} onPress={() => judge('unsure', null)}>
        Unsure <kbd>u</kbd>
      </Button>
      <Button look="quiet" isDisabled={isBusy} onPress={() => judge('flag', null)}>
        Flag <kbd>f</kbd>
      </Button>
    </fieldset>
  );
}

function Newest({
  newest,
  isBusy,
  takeBack,
}: {
  newest: ReviewPage['newest'];
  isBusy: boolean;
  takeBack: (seq: number) => void;
}) {
  if (newest.length === 0) return null;
  return (
    <section aria-label="Your newest reviews" className="stack gap-6">
      <h3>Your newest reviews</h3>
      <ul className="stack gap-4">
        {newest.map((review) => (
          <li key={review.seq} className={`row justify-between ${styles.newest}`}>
            <span className="min-w-0 wrap-anywhere">
              Case <Isolated text={review.case} />: {answerText(review)}
            </span>
            <Button size="small" look="quiet" isDisabled={isBusy} onPress={() => takeBack(review.seq)}>
              Take back
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Given {
  readonly case: string;
  readonly label: string | null;
  readonly verdict: ReviewedVerdict;
}

/** The case before the reviewer, the answers, and what was answered last. */
export function ReviewDesk({ query }: { query: ReviewQuery }) {
  const { data: page, error, refetch, isFetching } = useReviewPage(query);
  const give = useGiveReview(query);
  const [reason, setReason] = useState('');
  const [given, setGiven] = useState<Given | null>(null);
  const began = useRef(performance.now());
  const task: ReviewTask | null = page?.task ?? null;
  const shown = task?.trial;
  const judged = page?.judged;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the clock begins anew with each case
  useEffect(() => {
    began.current = performance.now();
    setReason('');
  }, [shown, judged]);
  const isBusy = give.isPending || isFetching;

  const judge: Judge = (judgement, label) => {
    if (task === null || isBusy) return;
    const seconds = Math.round((performance.now() - began.current) / 100) / 10;
    const answer: Answer = { trial: task.trial, judgement, label, reason: reason.trim() || null, seconds, replaces: null };
    give.mutate(answer, { onSuccess: ({ verdict }) => setGiven({ case: task.case, label, verdict }) });
  };
  const takeBack = (seq: number) => {
    const review = page?.newest.find((each) => each.seq === seq);
    if (review === undefined || isBusy) return;
    const nothing = { label: null, reason: null, seconds: 0 } as const;
    give.mutate({ trial: review.trial, judgement: 'withdrawn', ...nothing, replaces: seq }, { onSuccess: () => setGiven(null) });
  };
  const newest = page?.newest[0];
  // The newest review may still be on its way when its reviewer wants it back.
  const [isUndoWanted, setIsUndoWanted] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it waits for the page alone
  useEffect(() => {
    if (!isUndoWanted || isBusy) return;
    setIsUndoWanted(false);
    if (newest !== undefined) takeBack(newest.seq);
  }, [isUndoWanted, isBusy]);
  useShortcuts([
    ...(page?.labels ?? []).slice(0, mostKeys).map((label, index) => ({
      keys: [String(index + 1)],
      does: `Answer ${label}`,
      run: () => judge('label', label),
    })),
    { keys: ['u'], does: 'Answer: unsure', run: () => judge('unsure', null) },
    { keys: ['f'], does: 'Flag the case', run: () => judge('flag', null) },
    { keys: ['z'], does: 'Take back the newest review', run: () => setIsUndoWanted(true) },
  ]);

  if (page === undefined)
    return error === null ? <p className="quiet">Reading the cases…</p> : <FailureNotice error={error} onRetry={refetch} />;
  return (
    <div className={styles.desk}>
      <section aria-label="The case" className="stack gap-14 min-w-0">
        <p className="quiet" role="status">
          {page.judged} of {page.trials} cases reviewed
          {given === null ? '' : `. Case ${given.case}: ${verdictText(given.verdict, given.label)}`}
        </p>
        {task === null ? (
          <Empty title={page.trials === 0 ? 'No case to review yet' : 'You have reviewed all cases'}>
            {page.trials === 0
              ? 'Cases come here when their trials have ended with a verdict.'
              : 'Choose another arm or order, or read the results below.'}
          </Empty>
        ) : (
          <>
            <h2>
              Case <Isolated text={task.case} />
              {task.again ? <span className="quiet"> · once more, to see whether you answer the same</span> : null}
            </h2>
            {task.question === null ? null : <Outside as="p" className={styles.question} text={task.question} />}
            <Facts kind={task.kind} facts={task.facts} />
            {task.verdict === null ? null : <p className={styles.verdict}>{verdictText(task.verdict, null)}</p>}
            <div className={`stack gap-10 ${styles.answer}`} data-floats>
              <TextField
                label={query.blind ? 'Reason (optional)' : 'Reason (needed if you disagree with the court)'}
                value={reason}
                maxLength={4000}
                onChange={setReason}
              />
              <FailureNotice error={give.error} />
              <Choices labels={page.labels} isBusy={isBusy} judge={judge} />
            </div>
          </>
        )}
      </section>
      <Newest newest={page.newest} isBusy={isBusy} takeBack={takeBack} />
    </div>
  );
}
