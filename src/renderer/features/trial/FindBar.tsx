import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { Input, SearchField } from 'react-aria-components';
import { Button } from '../../ui/Button.tsx';
import { mostFound } from './finding.ts';
import styles from './Transcript.module.css';

/** Searches the whole transcript; the page itself holds only what is in view. */
export function FindBar({
  takesFocus,
  sought,
  onSought,
  place,
  total,
  isUnmarked,
  onCall,
  onStep,
  onClose,
}: {
  takesFocus: boolean;
  sought: string;
  onSought: (sought: string) => void;
  /** Index of the current find of the search; null: there is none. */
  place: number | null;
  total: number;
  /** The row that the reader came for marks nothing of what is sought. */
  isUnmarked: boolean;
  /** Opens the call behind what the reader came for; null where there is none. */
  onCall: (() => void) | null;
  onStep: (by: 1 | -1) => void;
  onClose: () => void;
}) {
  const result =
    sought.trim() === ''
      ? 'Speeches, plans, notes and what was settled'
      : isUnmarked
        ? `Not marked in this row${total === 0 ? '' : `; ${total} elsewhere`}`
        : total === 0 || place === null
          ? 'Nothing found'
          : `${place + 1} of ${total === mostFound ? `${total} or more` : total}`;
  return (
    <search className={`row gap-8 ${styles.find}`}>
      <SearchField aria-label="Find in the transcript" value={sought} onChange={onSought} className={styles.findField ?? ''}>
        <Input
          autoFocus={takesFocus}
          dir="auto"
          placeholder="Find in the transcript"
          className={styles.findInput ?? ''}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1);
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
      <Button icon={ChevronUp} size="small" aria-label="Previous find" isDisabled={total === 0} onPress={() => onStep(-1)} />
      <Button icon={ChevronDown} size="small" aria-label="Next find" isDisabled={total === 0} onPress={() => onStep(1)} />
      <Button icon={X} size="small" look="quiet" aria-label="Close the search" onPress={onClose} />
    </search>
  );
}
