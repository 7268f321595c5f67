import type { ComponentProps } from 'react';

/** How the key that belongs to the program's commands is called on this machine. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl';

/** Keys as they are pressed, one after the other. */
export function KeyNames({ keys }: { keys: readonly string[] }) {
  return (
    <span>
      {keys.map((key, index) => (
        <span key={key}>
          {index === 0 ? '' : ' then '}
          <kbd>{key}</kbd>
        </span>
      ))}
    </span>
  );
}

/** A key on the button that does the same; `keyed` says it to whoever listens. */
export const KeyHint = ({ keys }: { keys: string }) => (
  <span aria-hidden="true" className="key">
    <kbd>{keys}</kbd>
  </span>
);

/** A key as assistive technology reads it: `Shift+N` for `N`. */
const ariaKeys = (keys: string): string =>
  /^[A-Z]$/.test(keys) ? `Shift+${keys}` : keys.replace('Ctrl ', 'Control+').replace('⌘ ', 'Meta+');

/** Draws a button that tells its key. @param does what it does, for whoever points at it */
export const keyed = (keys: string, does: string) => (properties: ComponentProps<'button'>) => (
  <button type="button" {...properties} title={`${does} (${keys})`} aria-keyshortcuts={ariaKeys(keys)} />
);
