import { useSyncExternalStore } from 'react';

const query = window.matchMedia('(min-width: 1000px)');

/** Whether the window has room for the case beside the transcript. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (changed) => {
      query.addEventListener('change', changed);
      return () => query.removeEventListener('change', changed);
    },
    () => query.matches,
  );
}
