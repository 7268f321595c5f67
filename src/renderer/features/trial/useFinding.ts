import { type Dispatch, type SetStateAction, useEffect, useMemo, useState } from 'react';
import type { CourtItem } from './courtItems.ts';
import { type Found, find, findOfEvent, rowTelling } from './finding.ts';

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
