import { ShieldCheck } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { RecordCheck, RecordFrame } from '../../../shared/api/record.ts';
import { useApi } from '../../api/ApiContext.tsx';
import { failureOf } from '../../api/failure.ts';
import { toTrial } from '../../app/routes.ts';
import { Button } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { HiddenText } from '../../ui/HiddenText.tsx';
import { FailureNotice, Notice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { Section } from '../../ui/Section.tsx';
import { progressWords } from './recordProgress.ts';
import styles from './Settings.module.css';

type Progress = Extract<RecordFrame, { kind: 'progress' }>;

type CheckState =
  | { readonly state: 'idle' }
  | { readonly state: 'checking'; readonly progress: Progress | null; readonly since: number }
  | { readonly state: 'done'; readonly check: RecordCheck; readonly at: Date }
  | { readonly state: 'failed'; readonly error: unknown };

/** One check of the whole record at a time; it ends with the screen. */
function useRecordCheck() {
  const api = useApi();
  const [state, setState] = useState<CheckState>({ state: 'idle' });
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const start = async () => {
    controller.current?.abort();
    const mine = new AbortController();
    controller.current = mine;
    const since = Date.now();
    setState({ state: 'checking', progress: null, since });
    try {
      for await (const frame of await api.record.check({}, { signal: mine.signal })) {
        if (mine.signal.aborted) return;
        if (frame.kind === 'progress') setState({ state: 'checking', progress: frame, since });
        else setState({ state: 'done', check: frame.check, at: new Date() });
      }
    } catch (error) {
      if (!mine.signal.aborted) setState({ state: 'failed', error });
    }
  };
  const cancel = () => {
    controller.current?.abort();
    setState({ state: 'idle' });
  };
  return { state, start: () => void start(), cancel };
}

/** Checks everything that is on the record: that no word was changed, taken away or put in since it was written. */
export function RecordSection() {
  const { state, start, cancel } = useRecordCheck();
  const checking = state.state === 'checking';
  return (
    <Section
      title="The record"
      lead="Every event and text of all experiments against its hash, and all results against the events. No model is asked."
      actions={
        checking ? (
          <Button size="small" onPress={cancel}>
            Call it off
          </Button>
        ) : (
          <Button size="small" onPress={start}>
            <ShieldCheck size={13} aria-hidden="true" />
            {state.state === 'done' ? 'Check it again' : 'Check the record'}
          </Button>
        )
      }
    >
      <div role="status">
        <State state={state} />
      </div>
    </Section>
  );
}

function State({ state }: { state: CheckState }) {
  switch (state.state) {
    case 'idle':
      return null;
    case 'checking': {
      const { progress, since } = state;
      return (
        <div className="stack gap-6 wrap-anywhere">
          <p>{progressWords(progress, Date.now() - since)}</p>
          <progress
            className={styles.progress}
            aria-label="Check of the record"
            {...(progress === null ? {} : { value: progress.done, max: Math.max(1, progress.of) })}
          />
        </div>
      );
    }
    case 'failed':
      return failureOf(state.error).code === 'not-found' ? (
        <p>Nothing is on the record yet, so there is nothing to check.</p>
      ) : (
        <FailureNotice error={state.error} />
      );
    case 'done':
      return <Result check={state.check} at={state.at} />;
  }
}

function Result({ check, at }: { check: RecordCheck; at: Date }) {
  const { result, trials, events, texts, root, first_bad: bad } = check;
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
          Nothing after it was looked at. Go back to a copy of the store from before.
        </span>
      </Notice>
    );
  }
  return (
    <div className="stack gap-6 wrap-anywhere">
      <p className="text-good font-600">Intact: {counts}</p>
      <p className="muted">Checked at {at.toLocaleTimeString('en-GB')}.</p>
      {root === null ? null : (
        <p className={styles.command}>
          Root <code>{root}</code> <CopyButton text={root}>Copy</CopyButton>
        </p>
      )}
      <p className="muted">Note the root elsewhere: who keeps it can tell later that nothing was taken away either.</p>
    </div>
  );
}
