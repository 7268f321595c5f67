import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type Dispatch, type SetStateAction, useEffect, useMemo, useState } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { Button } from '../../ui/Button.tsx';
import type { CourtItem } from './courtItems.ts';
import { type Found, find, findOfEvent, mostFound, rowTelling } from './finding.ts';
import styles from './Transcript.module.css';

const nothing: readonly Found[] = [];

export type FindingOpen = readonly [open: boolean, setOpen: Dispatch<SetStateAction<boolean>>];

/** The search in a transcript: opened by Ctrl+F or ⌘F, which would find nothing in a page that holds only what is in view. */
export function useFinding(items: readonly CourtItem[], [open, setOpen]: FindingOpen, onArrive: (item: number) => void) {
  const [sought, setSought] = useState('');
  // Null where the row that the reader came for marks nothing of what is sought.
  const [place, setPlace] = useState<number | null>(0);
  // A reader who comes from a search has a search text already, and continues with the keys of the trial.
  const [arrived, setArrived] = useState(false);
  useEffect(() => (open ? undefined : setArrived(false)), [open]);
  const found = useMemo(() => (open ? find(items, sought) : nothing), [open, items, sought]);
  const byItem = useMemo(() => Map.groupBy(found, ({ item }) => item), [found]);
  const at = place === null || found.length === 0 ? null : Math.min(place, found.length - 1);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 'f') return;
      event.preventDefault();
      setOpen(true);
      setArrived(false);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [setOpen]);

  const arrive = (index: number, among: readonly Found[]) => {
    setPlace(index);
    const target = among[index];
    if (target !== undefined) onArrive(target.item);
  };
  const seek = (words: string) => {
    setSought(words);
    arrive(0, find(items, words));
  };
  return {
    open,
    sought,
    found,
    at,
    /** The row that the reader came for marks nothing of what is sought. */
    isUnmarked: place === null,
    here: at === null ? null : (found[at] ?? null),
    inItem: (item: number): readonly Found[] => byItem.get(item) ?? nothing,
    takesFocus: !arrived,
    show: () => {
      setOpen(true);
      setArrived(false);
    },
    close: () => setOpen(false),
    /** Opens the search for words that were found elsewhere, and goes to the event in which they were, whether or not its row writes them out. */
    arriveAt(words: string, seq: number) {
      setOpen(true);
      setArrived(true);
      setSought(words);
      const all = find(items, words);
      const [row, inEvent] = [rowTelling(items, seq), findOfEvent(all, items, seq)];
      const first = inEvent < 0 ? all.findIndex(({ item }) => item === row) : inEvent;
      setPlace(first < 0 ? null : first);
      onArrive(row);
    },
    seek,
    step(by: 1 | -1) {
      if (found.length === 0) return;
      const from = at ?? (by === 1 ? -1 : 0);
      arrive((from + by + found.length) % found.length, found);
    },
  };
}

/** A private note can repeat what was said word for word. */
function unheardText(found: readonly Found[]): string {
  const unheard = found.filter(({ part }) => 'isPrivate' in part && part.isPrivate === true).length;
  return unheard === 0 || unheard === found.length ? '' : `, ${unheard} of them in private notes`;
}

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
          : `${at + 1} of ${total === mostFound ? `${total} or more` : total}${unheardText(found)}`;
  return (
    <search className={`row gap-8 ${styles.find}`}>
      <SearchField aria-label="Find in the transcript" value={sought} onChange={seek} className={styles.findField ?? ''}>
        <Input
          autoFocus={takesFocus}
          dir="auto"
          placeholder="Find in the transcript"
          className="field-box p-6-10"
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
