import { useEffect, useRef } from 'react';
import { neighbourOf } from './installed.ts';

/** Gives the focus to an element if its holder has gone. Waits two frames: a closing dialog gives it back within one. */
export function focusIfLost(find: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === null || document.activeElement === document.body) find()?.focus();
    }),
  );
}

/** Leaves the focus with the neighbour of a row that goes, rather than nowhere. */
export function useHeirs(names: readonly string[]) {
  const buttons = useRef(new Map<string, HTMLButtonElement>());
  const fallback = useRef<HTMLParagraphElement>(null);
  const waiting = useRef<{ gone: string; next: string | null } | null>(null);
  useEffect(() => {
    const heir = waiting.current;
    if (heir === null || names.includes(heir.gone)) return;
    waiting.current = null;
    focusIfLost(() => (heir.next === null ? undefined : buttons.current.get(heir.next)) ?? fallback.current);
  }, [names]);
  return {
    /** Takes the focus where no row is left. */
    fallback,
    /** Of the button of a row that takes the focus when the next row goes. */
    refOf: (name: string) => (element: HTMLButtonElement | null) => {
      if (element === null) buttons.current.delete(name);
      else buttons.current.set(name, element);
    },
    /** A row is about to go; `shown` are the rows in their order. */
    goes(name: string, shown: readonly string[]) {
      waiting.current = { gone: name, next: neighbourOf(shown, name) };
    },
  };
}
