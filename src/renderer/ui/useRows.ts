import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';

export type Rows = ReturnType<typeof useRows>;

/** A list read in pages, rendered in view. Arrows, Home and End move between `data-index` elements. @param rowHeight pixels */
export function useRows({ total, rowHeight, pageSize }: { total: number; rowHeight: number; pageSize: number }) {
  const frame = useRef<HTMLDivElement>(null);
  const wanted = useRef<number | null>(null);
  const rows = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  });
  const items = rows.getVirtualItems();
  const firstPage = Math.floor((items[0]?.index ?? 0) / pageSize);
  const lastPage = Math.floor((items.at(-1)?.index ?? 0) / pageSize);

  const focusWanted = () => {
    const row = frame.current?.querySelector<HTMLElement>(`[data-index="${wanted.current}"]`);
    if (row === null || row === undefined) return;
    wanted.current = null;
    row.focus();
  };
  // A row that the keys ask for may have to be scrolled in before it can be focused.
  useEffect(() => {
    if (wanted.current !== null) focusWanted();
  });

  return {
    frame,
    total,
    items,
    height: rows.getTotalSize(),
    firstPage,
    /** Numbers of the pages that rows in view belong to. */
    pages: Array.from({ length: lastPage - firstPage + 1 }, (_none, index) => firstPage + index),
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      const at = Number(event.target instanceof HTMLElement ? event.target.dataset.index : Number.NaN);
      const steps: Readonly<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: total - 1 };
      const next = steps[event.key];
      if (Number.isNaN(at) || next === undefined) return;
      event.preventDefault();
      wanted.current = Math.min(total - 1, Math.max(0, next));
      rows.scrollToIndex(wanted.current);
      focusWanted();
    },
  };
}
