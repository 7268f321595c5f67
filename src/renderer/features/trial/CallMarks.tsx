import { RotateCcw, ScanSearch } from 'lucide-react';
import { Button } from 'react-aria-components';
import styles from './Transcript.module.css';
import { type CallEntry, mishap } from './trialCalls.ts';

type MarkedCall = Pick<CallEntry, 'key' | 'failure' | 'rejected'>;

/** Opens the call behind a text, and shows the attempts that failed before it. */
export function CallMarks({
  calls,
  what,
  onInspect,
}: {
  calls: readonly MarkedCall[];
  /** What the call led to, for screen readers: `the opening of the prosecution`. */
  what: string;
  onInspect: (key: string) => void;
}) {
  const failed = calls.filter((call) => mishap(call) !== null);
  const last = calls.at(-1);
  return (
    <span className={styles.marks}>
      {failed.map((call) => (
        <Button key={call.key} className={`${styles.mark} ${styles.failedMark}`} onPress={() => onInspect(call.key)}>
          <RotateCcw size={12} aria-hidden="true" /> {mishap(call)}
          {call === last ? '' : ', asked again'}
        </Button>
      ))}
      {last === undefined || failed.includes(last) ? null : (
        <Button className={styles.mark ?? ''} aria-label={`Call behind ${what}`} onPress={() => onInspect(last.key)}>
          <ScanSearch size={14} aria-hidden="true" /> call
        </Button>
      )}
    </span>
  );
}
