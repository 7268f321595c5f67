import { type RefObject, useEffect, useRef } from 'react';

interface Origin {
  readonly element: Element | null;
  /** The row that had the focus, or has the element in it; it may be drawn again meanwhile. */
  readonly row: number | null;
}

/** Brings the focus back where a play-back began, else to its button. @param toRow focuses a row @returns called at a start */
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
