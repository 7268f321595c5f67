// The note next to a store that was made for reading: of which file.
import { existsSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { type Adoption, adoptionSchema } from '../../../shared/outputs.ts';
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
  /** When the newest checkpoint of a bundle says that it was made. */
  signed_at: z.string().max(40).nullable().default(null),
  /** Where the record of a bundle was copied from, as the bundle says it. */
  adopted: adoptionSchema.nullable().default(null),
});
export type StoreOrigin = z.infer<typeof originSchema>;

/** Signers, earlier copies and joined stores in a note. */
export const mostNoted = 100;

const mostNote = 2 ** 20;

const noteBeside = (store: string) => `${store}.origin`;

export function noteOrigin(store: string, origin: StoreOrigin): void {
  const note = { ...origin, file: origin.file.slice(0, 255) };
  const whole = Buffer.from(JSON.stringify(note));
  writeFileSync(noteBeside(store), whole.length > mostNote ? JSON.stringify({ ...note, adopted: null }) : whole);
}

/** Null for a store without such a note. @param store its canonical path */
export function originOf(store: string): StoreOrigin | null {
  if (!existsSync(noteBeside(store))) return null;
  const note = firstBytes(noteBeside(store), mostNote).toString().replaceAll('\0', '');
  const unknown = { kind: 'store', file: basename(store), path: null, signers: [], adopted: null, signed_at: null } as const;
  return attempt(() => originSchema.parse(JSON.parse(note)), { ...unknown, signers: [] });
}

export const originWords = ({ kind, file }: StoreOrigin): string =>
  kind === 'bundle' ? `it is unpacked from the bundle ${file}` : `it is a copy of ${file}`;

interface Noting {
  readonly path: string;
  readonly runLog: { adoption(): Adoption | null };
}

/** Where a record was copied from, by the note in its store or in the bundle that it is unpacked from; null where neither says it. */
export const adoptionOf = ({ path, runLog }: Noting): Adoption | null => runLog.adoption() ?? originOf(path)?.adopted ?? null;

export function copyNotes(adopted: Adoption | null): Omit<Adoption, 'others'>[] {
  if (adopted === null) return [];
  const { others = [], ...first } = adopted;
  return [first, ...others];
}

/** The note of so many copies; null for none. */
export function oneNote(notes: readonly Omit<Adoption, 'others'>[]): Adoption | null {
  const [first, ...others] = notes.slice(0, mostNoted);
  return first === undefined ? null : { ...first, ...(others.length > 0 ? { others } : {}) };
}

/** What is noted of where an experiment was copied from; null for one that was made here. */
export const adoptionOfExperiment = (store: Noting, experiment: string): Adoption | null =>
  oneNote(
    copyNotes(adoptionOf(store)).flatMap(({ experiments, ...note }) => {
      if (experiments === undefined) return note;
      return experiments.includes(experiment) ? { ...note, experiments: [experiment] } : [];
    }),
  );
