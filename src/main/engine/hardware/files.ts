import { readdirSync, readFileSync } from 'node:fs';

/** A small text file of the kernel, trimmed; null where it cannot be read. */
export function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    // Such files come and go with drivers, and some can be read by the administrator alone.
    return null;
  }
}

/** A whole number in such a file; null where there is none. */
export function numberOf(path: string): number | null {
  const text = textOf(path);
  return text !== null && /^-?\d+$/.test(text) ? Number(text) : null;
}

/** Names in a folder, in order; none where it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
