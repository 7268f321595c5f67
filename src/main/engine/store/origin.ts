// The note next to a store that was made for reading: of which file.
import { existsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { attempt } from '../attempt.ts';
import { firstBytes } from './firstBytes.ts';

const originSchema = z.object({
  /** A bundle is unpacked, and its signatures do not go into the store; another store is copied whole. */
  kind: z.enum(['bundle', 'store']),
  /** Name of the file that the user has. */
  file: z.string().min(1).max(255),
  /** Where it is; null where the program knows only a copy of it. */
  path: z.string().nullable(),
  /** Fingerprints of the keys that signed a bundle. */
  signers: z.array(z.string()).max(100),
});
export type StoreOrigin = z.infer<typeof originSchema>;

const mostNote = 2 ** 15;

const noteBeside = (store: string) => `${store}.origin`;

export const noteOrigin = (store: string, origin: StoreOrigin): void =>
  writeFileSync(noteBeside(store), JSON.stringify({ ...origin, file: origin.file.slice(0, 255) }));

/** Null for a store without such a note. @param store its canonical path */
export function originOf(store: string): StoreOrigin | null {
  if (!existsSync(noteBeside(store))) return null;
  const note = firstBytes(noteBeside(store), mostNote).toString().replaceAll('\0', '');
  const unknown = { kind: 'store', file: basename(store), path: null, signers: [] } as const;
  return attempt(() => originSchema.parse(JSON.parse(note)), { ...unknown, signers: [] });
}

export const originWords = ({ kind, file }: StoreOrigin): string =>
  kind === 'bundle' ? `it is unpacked from the bundle ${file}` : `it is a copy of ${file}`;
