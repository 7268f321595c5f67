// Picks entries of a transcript by their kind and key.
import type { TranscriptEntry } from '../../shared/api/trials.ts';

type Kind = TranscriptEntry['kind'];
export type EntryOf<K extends Kind> = Extract<TranscriptEntry, { kind: K }>;

export const ofKind = <K extends Kind>(entries: readonly TranscriptEntry[], kind: K): EntryOf<K>[] =>
  entries.filter((entry): entry is EntryOf<K> => entry.kind === kind);

export const lastOf = <K extends Kind>(entries: readonly TranscriptEntry[], kind: K): EntryOf<K> | null =>
  ofKind(entries, kind).at(-1) ?? null;

export const entryAt = <K extends Kind>(entries: readonly TranscriptEntry[], kind: K, key: string): EntryOf<K> | null =>
  ofKind(entries, kind).findLast((entry) => entry.key === key) ?? null;
