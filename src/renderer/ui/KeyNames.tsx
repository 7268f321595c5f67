import type { ComponentProps } from 'react';
import { Listed } from './HiddenText.tsx';

/** How the key that belongs to the program's commands is called on this machine. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

export function KeyNames({ keys }: { keys: readonly string[] }) {
  return (
    <span>
      <Listed of={keys} between=" then ">
        {(key) => <kbd>{key}</kbd>}
      </Listed>
    </span>
  );
}

/** The key shown on a button; `keyed` names it for screen readers. */
export const KeyHint = ({ keys }: { keys: string }) => (
  <span aria-hidden="true" className="key">
    <kbd>{keys}</kbd>
  </span>
);

/** A key as assistive technology reads it: `Shift+N` for `N`. */
const ariaKeys = (keys: string): string =>
  /^[A-Z]$/.test(keys) ? `Shift+${keys}` : keys.replace('Ctrl ', 'Control+').replace('⌘ ', 'Meta+');

/** Draws a button with its key in the tooltip and for screen readers. @param does what the button does, for the tooltip */
export const keyed = (keys: string, does: string) => (properties: ComponentProps<'button'>) => (
  <button type="button" {...properties} title={`${does} (${keys})`} aria-keyshortcuts={ariaKeys(keys)} />
);
