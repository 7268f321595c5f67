import { useQuery } from '@tanstack/react-query';
import { ArrowLeft, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useApi } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { CallDetails } from './CallDetails.tsx';
import { CallList } from './CallList.tsx';
import styles from './Inspector.module.css';
import type { ListedCall } from './trialCalls.ts';

/** `list`: all calls of the trial; else the key of one. */
export type Inspected = { readonly kind: 'list' } | { readonly kind: 'call'; readonly key: string };

function OneCall({ trial, callKey, attempt }: { trial: string; callKey: string; attempt: number }) {
  const api = useApi();
  const reading = useQuery({
    queryKey: ['trials', 'call', trial, callKey, attempt],
    queryFn: ({ signal }) => api.trials.call({ trial, key: callKey }, { signal }),
  });
  if (reading.data !== undefined) return <CallDetails call={reading.data} />;
  if (!reading.isError) return <p className={styles.note}>Reading the record…</p>;
  return <FailureNotice error={reading.error} onRetry={reading.refetch} />;
}

/** What was sent to a model and what came back, for every call of the trial. */
export function Inspector({
  trial,
  attempt,
  calls,
  inspected,
  onInspect,
  onClose,
}: {
  trial: string;
  attempt: number;
  calls: readonly ListedCall[];
  inspected: Inspected;
  onInspect: (inspected: Inspected) => void;
  onClose: () => void;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const callKey = inspected.kind === 'call' ? inspected.key : null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another call is another place to begin reading
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    heading.current?.closest('aside')?.scrollTo({ top: 0 });
  }, [callKey]);
  return (
    <aside
      className={styles.panel}
      aria-label="Calls of this trial"
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) onClose();
      }}
    >
      <div className={styles.head}>
        {callKey === null ? null : (
          <Button size="small" look="quiet" onPress={() => onInspect({ kind: 'list' })}>
            <ArrowLeft size={15} aria-hidden="true" /> All calls
          </Button>
        )}
        <h2 ref={heading} tabIndex={-1}>
          {callKey === null ? quantity(calls.length, 'call') : <code>{callKey}</code>}
        </h2>
        <Button size="small" look="quiet" aria-label="Close the calls" onPress={onClose}>
          <X size={16} aria-hidden="true" />
        </Button>
      </div>
      {callKey === null ? (
        <CallList calls={calls} onChoose={(key) => onInspect({ kind: 'call', key })} />
      ) : (
        <OneCall trial={trial} callKey={callKey} attempt={attempt} />
      )}
    </aside>
  );
}
