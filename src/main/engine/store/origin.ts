// The note next to a store that was made for reading: of which file.
import { existsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { firstBytes } from './firstBytes.ts';

export interface StoreOrigin {
  /** A bundle is unpacked, and its signatures do not go into the store; another store is copied whole. */
  readonly kind: 'bundle' | 'store';
  /** Name of the file that the user has. */
  readonly file: string;
}

const mostName = 255;

const mostNote = 4 * mostName;

const noteBeside = (store: string) => `${store}.origin`;

export const noteOrigin = (store: string, { kind, file }: StoreOrigin): void =>
  writeFileSync(noteBeside(store), `${kind} ${file}`);

/** Null for a store without such a note. @param store its canonical path */
export function originOf(store: string): StoreOrigin | null {
  if (!existsSync(noteBeside(store))) return null;
  const [kind, ...file] = firstBytes(noteBeside(store), mostNote).toString().replaceAll('\0', '').split(' ');
  return { kind: kind === 'bundle' ? kind : 'store', file: file.join(' ').slice(0, mostName) || basename(store) };
}

export const originWords = ({ kind, file }: StoreOrigin): string =>
  kind === 'bundle' ? `it is unpacked from the bundle ${file}` : `it is a copy of ${file}`;
