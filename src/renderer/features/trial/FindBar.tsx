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
  onStep,
  onClose,
}: {
  takesFocus: boolean;
  sought: string;
  onSought: (sought: string) => void;
  /** Index of the current find of the search; null: in a row that does not write out what is sought. */
  place: number | null;
  total: number;
  onStep: (by: 1 | -1) => void;
  onClose: () => void;
}) {
  const result =
    sought.trim() === ''
      ? 'Speeches, plans, notes and what was settled'
      : total === 0
        ? 'Nothing found'
        : place === null
          ? `Not written out in this row; ${total} elsewhere`
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
      <Button icon={ChevronUp} size="small" aria-label="Previous find" isDisabled={total === 0} onPress={() => onStep(-1)} />
      <Button icon={ChevronDown} size="small" aria-label="Next find" isDisabled={total === 0} onPress={() => onStep(1)} />
      <Button icon={X} size="small" look="quiet" aria-label="Close the search" onPress={onClose} />
    </search>
  );
}
