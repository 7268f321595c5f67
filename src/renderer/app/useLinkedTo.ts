import { type RefObject, useEffect, useRef } from 'react';

/** Brings a part of a screen into view, with the focus on what the reference is at, where the link to the screen has its state. */
export function useLinkedTo<E extends HTMLElement>(state: string): RefObject<E | null> {
  const target = useRef<E>(null);
  useEffect(() => {
    if (history.state !== state) return;
    // The screen first gives the focus to its heading.
    const frame = requestAnimationFrame(() => {
      target.current?.closest('section')?.scrollIntoView();
      target.current?.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [state]);
  return target;
}
