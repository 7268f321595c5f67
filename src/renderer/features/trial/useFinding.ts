import { type Dispatch, type SetStateAction, useEffect, useMemo, useState } from 'react';
import type { CourtItem } from './courtItems.ts';
import { type Found, find } from './finding.ts';

const nothing: readonly Found[] = [];

/** Whether the search in a transcript is open, and what opens it. */
export type FindingOpen = readonly [open: boolean, setOpen: Dispatch<SetStateAction<boolean>>];

/** The search in a transcript: opened by Ctrl+F or ⌘F, which would find nothing in a page that holds only what is in view. */
export function useFinding(items: readonly CourtItem[], [open, setOpen]: FindingOpen, onArrive: (item: number) => void) {
  const [sought, setSought] = useState('');
  const [place, setPlace] = useState(0);
  // Whoever comes from a search has sought already, and goes on by the keys of the trial.
  const [arrived, setArrived] = useState(false);
  useEffect(() => (open ? undefined : setArrived(false)), [open]);
  const found = useMemo(() => (open ? find(items, sought) : nothing), [open, items, sought]);
  const byItem = useMemo(() => Map.groupBy(found, ({ item }) => item), [found]);
  const at = found.length === 0 ? 0 : Math.min(place, found.length - 1);

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
  return {
    open,
    sought,
    found,
    at,
    here: found[at] ?? null,
    inItem: (item: number): readonly Found[] => byItem.get(item) ?? nothing,
    takesFocus: !arrived,
    show: () => {
      setOpen(true);
      setArrived(false);
    },
    close: () => setOpen(false),
    /** Opens the search for words that were sought elsewhere. @param from the first row that counts */
    arriveAt(words: string, from: number) {
      setOpen(true);
      setArrived(true);
      this.seek(words, from);
    },
    seek(words: string, from = 0) {
      setSought(words);
      const all = find(items, words);
      arrive(
        Math.max(
          0,
          all.findIndex(({ item }) => item >= from),
        ),
        all,
      );
    },
    step: (by: 1 | -1) => (found.length === 0 ? undefined : arrive((at + by + found.length) % found.length, found)),
  };
}
