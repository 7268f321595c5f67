import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes to an open file that appears at `path` once it is whole, or not at all. Throws what the system says. */
export function publish(file: number, partial: string, path: string, pieces: Iterable<string | Uint8Array>): void {
  try {
    try {
      for (const piece of pieces) writeFileSync(file, piece);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** Writes a text file that appears whole or not at all, and that only its owner can read. Makes its folder. Throws what the system says. */
export function writeWholeFile(path: string, text: string): void {
  const partial = `${path}.${randomBytes(6).toString('hex')}.partial`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  publish(openSync(partial, 'wx', 0o600), partial, path, [text]);
}
