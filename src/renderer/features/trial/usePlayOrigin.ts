import { type RefObject, useEffect, useRef } from 'react';

interface Origin {
  readonly element: Element | null;
  /** The row that had the focus, or has the element in it; it may be drawn again meanwhile. */
  readonly row: number | null;
}

/**
 * Remembers where a play-back was started, and brings the focus back there when it ends. A play-back that was opened by its
 * address has no such place: its end leads to the button that plays.
 * @param toRow scrolls to a row and gives it the focus
 * @returns to be called where a play-back starts
 */
export function usePlayOrigin(
  isPlayed: boolean,
  button: RefObject<HTMLElement | null>,
  toRow: (row: number) => void,
): () => void {
  const origin = useRef<Origin>({ element: null, row: null });
  const wasPlayed = useRef(isPlayed);
  useEffect(() => {
    if (wasPlayed.current && !isPlayed) {
      const { element, row } = origin.current;
      if (row !== null) toRow(row);
      else if (element instanceof HTMLElement && element.isConnected && element !== document.body) element.focus();
      else button.current?.focus();
      origin.current = { element: null, row: null };
    }
    wasPlayed.current = isPlayed;
  });
  return () => {
    const element = document.activeElement;
    const row = element?.closest('[data-index]')?.getAttribute('data-index') ?? null;
    origin.current = { element, row: row === null ? null : Number(row) };
  };
}
