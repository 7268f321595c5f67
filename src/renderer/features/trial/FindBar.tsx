import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { Input, SearchField } from 'react-aria-components';
import { Button } from '../../ui/Button.tsx';
import { mostFound } from './finding.ts';
import styles from './Transcript.module.css';
import type { useFinding } from './useFinding.ts';

/** Searches the whole transcript; the page itself holds only what is in view. */
export function FindBar({
  finding: { takesFocus, sought, seek, at, found, isUnmarked, step },
  onCall,
  onClose,
}: {
  finding: ReturnType<typeof useFinding>;
  /** Opens the call behind what the reader came for; null where there is none. */
  onCall: (() => void) | null;
  onClose: () => void;
}) {
  const total = found.length;
  const result =
    sought.trim() === ''
      ? 'Speeches, plans, notes and what was settled'
      : isUnmarked
        ? `Not marked in this row${total === 0 ? '' : `; ${total} elsewhere`}`
        : total === 0 || at === null
          ? 'Nothing found'
          : `${at + 1} of ${total === mostFound ? `${total} or more` : total}`;
  return (
    <search className={`row gap-8 ${styles.find}`}>
      <SearchField aria-label="Find in the transcript" value={sought} onChange={seek} className={styles.findField ?? ''}>
        <Input
          autoFocus={takesFocus}
          dir="auto"
          placeholder="Find in the transcript"
          className={styles.findInput ?? ''}
          onKeyDown={(event) => {
            if (event.key === 'Enter') step(event.shiftKey ? -1 : 1);
            if (event.key === 'Escape') {
              event.stopPropagation();
              onClose();
            }
          }}
        />
      </SearchField>
      <span className="quiet" role="status">
        {result}
      </span>
      {isUnmarked && onCall !== null ? (
        <Button size="small" onPress={onCall}>
          Open the call that has it
        </Button>
      ) : null}
      <Button icon={ChevronUp} size="small" aria-label="Previous find" isDisabled={total === 0} onPress={() => step(-1)} />
      <Button icon={ChevronDown} size="small" aria-label="Next find" isDisabled={total === 0} onPress={() => step(1)} />
      <Button icon={X} size="small" look="quiet" aria-label="Close the search" onPress={onClose} />
    </search>
  );
}
