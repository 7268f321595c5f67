import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { Button } from 'react-aria-components';
import { speakerName } from '../../../core/figures/speakers.ts';
import styles from './Inspector.module.css';
import { type ListedCall, mishap } from './trialCalls.ts';
import { count, elapsed } from './words.ts';

const rowHeight = 56;

function readAs({ own, askedAgain }: ListedCall): string {
  if (own !== null) return `read as ${own.method ?? 'unknown'}`;
  return askedAgain ? 'asked again' : 'answer taken';
}

/** Every call in the order of its answers; those that serve other trials too are told apart. */
export function CallList({ calls, onChoose }: { calls: readonly ListedCall[]; onChoose: (key: string) => void }) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: calls.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => calls[index]?.key ?? index,
    overscan: 8,
  });
  if (calls.length === 0) return <p className={styles.note}>No call has been answered yet.</p>;
  return (
    <div ref={scroller} className={styles.list}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => {
          const call = calls[index];
          if (call === undefined) return null;
          const wrong = mishap(call);
          return (
            <li key={key} ref={virtual.measureElement} data-index={index} style={{ transform: `translateY(${start}px)` }}>
              <Button className={styles.callRow ?? ''} onPress={() => onChoose(call.key)}>
                <span className={styles.callName}>
                  <code>{call.key}</code>
                  <span>{speakerName(call.role)}</span>
                </span>
                <span className={styles.callNumbers}>
                  {call.own === null
                    ? 'shared, made once'
                    : `${count(call.own.promptTokens)} + ${count(call.own.completionTokens)} tokens · ${elapsed(call.own.wallMs)}`}
                </span>
                <span className={wrong === null ? styles.taken : styles.failed}>{wrong ?? readAs(call)}</span>
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
