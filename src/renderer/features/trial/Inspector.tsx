import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowLeft, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import { speakerName } from '../../../core/figures/speakers.ts';
import type { TrialView } from '../../../shared/api/trials.ts';
import { useRead } from '../../api/ApiContext.tsx';
import { Button } from '../../ui/Button.tsx';
import { FailureNotice } from '../../ui/Notice.tsx';
import { quantity } from '../../ui/quantity.ts';
import { CallDetails, type FaultyPart } from './CallDetails.tsx';
import styles from './Inspector.module.css';
import { type ListedCall, mishap } from './trialCalls.ts';
import { count, elapsed } from './words.ts';

const rowHeight = 56;

function readAs({ own, askedAgain }: ListedCall): string {
  if (own !== null) return `read as ${own.method ?? 'unknown'}`;
  return askedAgain ? 'asked again' : 'answer taken';
}

/** Every call in the order of its answers; those that serve other trials too are marked. */
function CallList({
  calls,
  faulty,
  onChoose,
}: {
  calls: readonly ListedCall[];
  faulty: ReadonlySet<string>;
  onChoose: (key: string) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: calls.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => calls[index]?.key ?? index,
    overscan: 8,
  });
  if (calls.length === 0) return <p className="p-14 muted">No call has been answered yet.</p>;
  return (
    <div ref={scroller} className={styles.list}>
      <ul className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const call = calls[index];
          if (call === undefined) return null;
          const wrong = mishap(call);
          return (
            <li key={key} ref={virtual.measureElement} data-index={index} style={{ transform: `translateY(${start}px)` }}>
              <AriaButton className={styles.callRow ?? ''} onPress={() => onChoose(call.key)}>
                <span className="flex flex-wrap min-w-0 wrap-anywhere gap-2-12">
                  <strong>{speakerName(call.role)}</strong>
                  <span>{call.key.replaceAll('-', ' ').replaceAll('/', ', ')}</span>
                </span>
                <span className="text-12-5 text-end">
                  {call.own === null
                    ? 'shared, made once'
                    : `${count(call.own.promptTokens)} + ${count(call.own.completionTokens)} tokens · ${elapsed(call.own.wallMs)}`}
                </span>
                <span className={wrong === null ? styles.taken : styles.failed}>{wrong ?? readAs(call)}</span>
                {faulty.has(call.key) ? (
                  <span className={styles.failed}>part of its messages was changed or is missing</span>
                ) : null}
              </AriaButton>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** `list`: all calls of the trial; else the key of one. */
export type Inspected = { readonly kind: 'list' } | { readonly kind: 'call'; readonly key: string };

function OneCall({ trial, callKey, attempt, faulty }: { trial: string; callKey: string; attempt: number; faulty: FaultyPart[] }) {
  const reading = useRead(['trials', 'call', trial, callKey, attempt], (api, given) =>
    api.trials.call({ trial, key: callKey }, given),
  );
  if (reading.data !== undefined) return <CallDetails call={reading.data} faulty={faulty} />;
  if (!reading.isError) return <p className="p-14 muted">Reading the record…</p>;
  return <FailureNotice error={reading.error} onRetry={reading.refetch} />;
}

/** What was sent to a model and what came back, for every call of the trial. */
export function Inspector({
  trial,
  attempt,
  calls,
  faulty,
  inspected,
  onInspect,
  onClose,
}: {
  trial: string;
  attempt: number;
  calls: readonly ListedCall[];
  /** Calls with a text in their messages that is not as it was sent. */
  faulty: TrialView['faulty_calls'];
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
      className={`stack content-start min-w-0 ${styles.panel}`}
      aria-label="Calls of this trial"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        // Nor does it end the play-back.
        event.stopPropagation();
        onClose();
      }}
    >
      <div className={`flex gap-8 ${styles.head}`}>
        {callKey === null ? null : (
          <Button icon={ArrowLeft} size="small" look="quiet" onPress={() => onInspect({ kind: 'list' })}>
            All calls
          </Button>
        )}
        <h2 ref={heading} tabIndex={-1}>
          {callKey === null ? quantity(calls.length, 'call') : <code>{callKey}</code>}
        </h2>
        <Button icon={X} size="small" look="quiet" aria-label="Close the calls" onPress={onClose} />
      </div>
      {callKey === null ? (
        <CallList
          calls={calls}
          faulty={new Set(faulty.map(({ key }) => key))}
          onChoose={(key) => onInspect({ kind: 'call', key })}
        />
      ) : (
        <OneCall
          trial={trial}
          callKey={callKey}
          attempt={attempt}
          faulty={faulty.find(({ key }) => key === callKey)?.texts ?? []}
        />
      )}
    </aside>
  );
}
