import { failureWords } from '../../../core/telling/blocks.ts';
import { outcomeWords } from '../../ui/outcomeWords.ts';
import { CallMarks } from './CallMarks.tsx';
import type { CourtItem } from './courtItems.ts';
import styles from './Transcript.module.css';

/** How a trial ended that has no verdict: a failure is an outcome of its own. */
export function EndRow({
  item: { close, calls },
  onInspect,
}: {
  item: Extract<CourtItem, { kind: 'end' }>;
  onInspect: (key: string) => void;
}) {
  return (
    <div className={styles.row}>
      <div className={`${styles.said} ${styles.ended}`}>
        <div className={styles.heading}>
          <h3 className={styles.who}>
            {close.outcome === 'decided' ? 'End of the trial' : `No verdict: ${outcomeWords(close.outcome)}`}
          </h3>
          <CallMarks calls={calls} what="the end of the trial" onInspect={onInspect} />
        </div>
        {close.outcome === 'decided' ? (
          <p>Some calls led to nothing that was said.</p>
        ) : (
          <p>
            {failureWords[close.outcome]} The trial ended here. It counts as a failure of this kind, not as wrong and not as
            right; the experiment offers another attempt.
          </p>
        )}
      </div>
    </div>
  );
}
