import { useEffect, useState } from 'react';
import type { DisagreementPage } from '../../../shared/api/reviews.ts';
import { WritingButton } from '../../app/Writing.tsx';
import { Button } from '../../ui/Button.tsx';
import { Isolated, Outside } from '../../ui/HiddenText.tsx';
import { FailureNotice, Unread } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { Facts } from '../datasets/Facts.tsx';
import styles from './Review.module.css';
import { useAdjudicate, useDisagreements } from './reviewQueries.ts';

interface Properties {
  experiment: string;
  reviewer: string;
}

/** Reports that a trial with other people's answers was shown to the reader. */
interface OnShown {
  onShown: (trial: string) => void;
}

type Task = NonNullable<DisagreementPage['task']>;

function Case({ experiment, reviewer, task, labels, onShown }: Properties & OnShown & { task: Task; labels: readonly string[] }) {
  useEffect(() => onShown(task.trial), [onShown, task.trial]);
  const [reason, setReason] = useState('');
  const settle = useAdjudicate();
  const decide = (label: string) => {
    const { trial, answers } = task;
    const settles = answers.map(({ seq }) => seq);
    settle.mutate({ experiment, reviewer, trial, label, reason, settles, replaces: null });
  };
  return (
    <div className="stack gap-14">
      <h3>
        Case <Isolated text={task.case} />
      </h3>
      {task.question === null ? null : <Outside as="p" className={styles.question} text={task.question} />}
      <Facts kind={task.kind} facts={task.facts} />
      <ul className="stack gap-4" aria-label="What the reviewers answered">
        {task.answers.map(({ seq, reviewer: who, label, reason: why }) => (
          <li key={seq} className="wrap-anywhere">
            <Isolated text={who} />:{' '}
            <b>
              <Isolated text={label ?? ''} />
            </b>
            {why === null ? null : (
              <>
                {' '}
                · <Isolated text={why} />
              </>
            )}
          </li>
        ))}
      </ul>
      <TextField label="Reason of the decision" value={reason} maxLength={4000} onChange={setReason} />
      <FailureNotice error={settle.error} />
      <fieldset className="flex flex-wrap gap-8 unframed">
        <legend className="visually-hidden">The label that you decide on</legend>
        {labels.map((label) => (
          <WritingButton key={label} isDisabled={settle.isPending || reason.trim() === ''} onPress={() => decide(label)}>
            <Isolated text={label} />
          </WritingButton>
        ))}
      </fieldset>
    </div>
  );
}

function Settled({ experiment, reviewer, newest }: Properties & Pick<DisagreementPage, 'newest'>) {
  const settle = useAdjudicate();
  if (newest.length === 0) return null;
  return (
    <div className="stack gap-6">
      <h3>What you settled last</h3>
      <FailureNotice error={settle.error} />
      <ul className="stack gap-4">
        {newest.map(({ seq, trial, case: id, label, current }) => (
          <li key={seq} className={`row justify-between ${styles.newest}`}>
            <span className="min-w-0 wrap-anywhere">
              Case <Isolated text={id} />: <Isolated text={label} />
              {current ? null : <span className="quiet"> · an answer has changed since, so it does not count</span>}
            </span>
            <WritingButton
              size="small"
              look="quiet"
              isDisabled={settle.isPending}
              onPress={() =>
                settle.mutate({ experiment, reviewer, trial, label: null, reason: null, settles: [], replaces: seq })
              }
            >
              Take back
            </WritingButton>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Queue({ experiment, reviewer, onShown }: Properties & OnShown) {
  const page = useDisagreements({ experiment, reviewer });
  if (page.data === undefined) return <Unread of={page} words="Reading the answers…" />;
  const { open, own, task, labels, newest } = page.data;
  return (
    <>
      <p role="status">
        {open === 0 ? 'Reviewers differ on no case that is still open.' : `${quantity(open, 'case')} to settle.`}
        {own === 0 ? '' : ` You are one of those who differ on ${own}: somebody else has to settle ${own === 1 ? 'it' : 'them'}.`}
      </p>
      {task === null ? null : <Case key={task.trial} {...{ experiment, reviewer, task, labels, onShown }} />}
      <Settled {...{ experiment, reviewer, newest }} />
    </>
  );
}

/** The queue of an adjudicator: read only on request, as it has other people's answers. */
export function AdjudicationSection(properties: Properties & OnShown) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Section
      title="Cases that reviewers differ on"
      lead="A third person settles them, with a reason. It shows other people’s answers, so judge your own cases first."
      actions={
        isShown ? undefined : (
          <Button isDisabled={properties.reviewer === ''} onPress={() => setIsShown(true)}>
            Settle cases
          </Button>
        )
      }
    >
      {isShown ? <Queue {...properties} /> : null}
    </Section>
  );
}
