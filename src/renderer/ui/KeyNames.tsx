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
