import { ShieldCheck } from 'lucide-react';
import { Link } from 'wouter';
import type { RecordCheck, RecordFrame } from '../../../shared/api/record.ts';
import { logRanges } from '../../../shared/checkpoints.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { type Task, useTask } from '../../api/useTask.ts';
import { toTrial } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { progressAsText } from './recordProgress.ts';
import styles from './Settings.module.css';

/** Checks everything that is on the record: that no word was changed, taken away or put in since it was written. */
export function RecordSection() {
  const api = useApi();
  const { task, start, cancel } = useTask((signal) => api.record.check({}, { signal }));
  return (
    <Section
      title="The record"
      lead="Checks that nothing in the record was changed: each event and text against its hash, and all results against the events. No model is asked."
      actions={
        task.state === 'running' ? (
          <Button size="small" onPress={cancel}>
            Cancel the check
          </Button>
        ) : (
          <Button size="small" onPress={start}>
            <ShieldCheck size={13} aria-hidden="true" />
            {task.state === 'done' ? 'Check it again' : 'Check the record'}
          </Button>
        )
      }
    >
      <div role="status">
        <State task={task} />
      </div>
    </Section>
  );
}

function State({ task }: { task: Task<RecordFrame> }) {
  switch (task.state) {
    case 'idle':
      return null;
    case 'running': {
      const { progress, since } = task;
      return (
        <div className="stack gap-6 wrap-anywhere">
          <p>{progressAsText(progress, Date.now() - since)}</p>
          <progress
            className={styles.progress}
            aria-label="Check of the record"
            {...(progress === null ? {} : { value: progress.done, max: Math.max(1, progress.of) })}
          />
        </div>
      );
    }
    case 'failed':
      return failureOf(task.error).code === 'not-found' ? (
        <p>Nothing is on the record yet, so there is nothing to check.</p>
      ) : (
        <FailureNotice error={task.error} />
      );
    case 'done':
      return <Result check={task.result.check} at={task.at} />;
  }
}

function Result({ check, at }: { check: RecordCheck; at: Date }) {
  const { result, trials, events, texts, root, log, first_bad: bad } = check;
  const counts = `${quantity(trials, 'trial')}, ${quantity(events, 'event')}, ${quantity(texts, 'text')}`;
  if (result === 'tampered') {
    return (
      <Notice tone="bad">
        <span>
          <strong>The record was changed after it was written.</strong>{' '}
          {bad === null ? null : (
            <>
              The first bad place{bad.seq === null ? '' : `, event ${bad.seq}`} ({bad.kind}): <HiddenText text={bad.problem} />.{' '}
              {bad.trial !== null && /^[0-9a-f]{16}$/.test(bad.trial) ? (
                <Link href={toTrial(bad.trial)}>Open the trial</Link>
              ) : null}
            </>
          )}{' '}
          Nothing after it was checked. Go back to an earlier copy of the store.
        </span>
      </Notice>
    );
  }
  return (
    <div className="stack gap-6 wrap-anywhere">
      <p className="text-good font-600">Intact: {counts}</p>
      <p className="muted">Checked at {at.toLocaleTimeString('en-GB')}.</p>
      {log === null || log.size === 0 ? null : (
        <p>
          Log of {quantity(log.size, 'entry', 'entries')}: {logRanges(log).join(', ')}.
        </p>
      )}
      {root === null ? null : (
        <p className={`row gap-8 ${styles.command}`}>
          Root <code>{root}</code> <CopyButton text={root}>Copy</CopyButton>
        </p>
      )}
      <p className="muted">Keep the root somewhere else: with it you can later prove that nothing was removed either.</p>
    </div>
  );
}
