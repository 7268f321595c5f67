import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';

export function useMedia(query: MediaQueryList): boolean {
  return useSyncExternalStore(
    (changed) => {
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => query.matches,
  );
}

let isPrinting = false;

function followPrinting(changed: () => void): () => void {
  const [before, after] = [true, false].map((printing) => () => {
    isPrinting = printing;
    // The page is laid out for paper as soon as the event is over.
    flushSync(changed);
  }) as [() => void, () => void];
  window.addEventListener('beforeprint', before);
  window.addEventListener('afterprint', after);
  return () => {
    window.removeEventListener('beforeprint', before);
    window.removeEventListener('afterprint', after);
  };
}

/** Whether the page is being printed: paper has all of it, unfolded. */
export const usePrinting = (): boolean => useSyncExternalStore(followPrinting, () => isPrinting);
