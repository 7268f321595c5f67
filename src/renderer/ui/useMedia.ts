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

/** `soon`: what is not in view is read first. */
let printing: 'no' | 'soon' | 'now' = 'no';
const followers = new Set<() => void>();

function turn(to: typeof printing): void {
  printing = to;
  // The page is laid out for paper as soon as the event is over.
  flushSync(() => {
    for (const changed of followers) changed();
  });
}

window.addEventListener('beforeprint', () => turn('now'));
window.addEventListener('afterprint', () => turn('no'));

function followPrinting(changed: () => void): () => void {
  followers.add(changed);
  return () => followers.delete(changed);
}

/** Whether the page is being printed: paper has all of it, unfolded. */
export const usePrinting = (): boolean => useSyncExternalStore(followPrinting, () => printing === 'now');

/** Whether what is far from the window is wanted too, as it is printed or about to be. */
export const useWholeScreen = (): boolean => useSyncExternalStore(followPrinting, () => printing !== 'no');

/** How long printing waits for what is still read, in ms. */
const mostWait = 20_000;

export async function printScreen(): Promise<void> {
  if (printing !== 'no') return;
  turn('soon');
  const until = performance.now() + mostWait;
  do await new Promise((done) => setTimeout(done, 100));
  while (document.querySelector('main [aria-busy="true"]') !== null && performance.now() < until);
  window.print();
  turn('no');
}
