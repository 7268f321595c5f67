// Commands to paste into a shell.
import { visibleText } from './visible.ts';

const plain = /^[\w@%+=:,./-]+$/;

/** One argument, in quotes where a shell would read it as something else. */
function argument(text: string): string {
  const shown = visibleText(text);
  return plain.test(shown) ? shown : `'${shown.replaceAll("'", "'\\''")}'`;
}

/**
 * A command of this program. Names in it can be from another person's record: a shell gets each as one argument, and a
 * character that would not be seen is named in its place, so that such a command finds nothing.
 */
export const commandText = (...words: readonly string[]): string => ['assize', ...words].map(argument).join(' ');
