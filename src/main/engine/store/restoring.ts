// Fills a new store with the record of another place, byte for byte, and derives what it is read by.
import { experimentChain } from '../../../core/record/identity.ts';
import { type Blobs, toKey } from './blobs.ts';
import type { Connection } from './connection.ts';
import type { Datasets } from './datasets.ts';
import type { ErasedRow } from './erasures.ts';
import type { StoredEvent } from './events.ts';
import type { Experiments } from './experiments.ts';
import { addLeaves } from './migrations/0004-log.ts';

/** The truth of a record: what its projections are derived from. */
export interface RecordParts {
  /** Data set 0 is in every store. The list of cases of the others is the manifest that an experiment names. */
  readonly datasets: readonly { readonly id: number; readonly salt: Buffer }[];
  texts(): Iterable<{ readonly ref: string; readonly dataset: number; readonly bytes: Buffer; readonly isText: boolean }>;
  erased(): Iterable<ErasedRow & { readonly erasure: number }>;
  /** Chain by chain, each in order. */
  events(): Iterable<StoredEvent>;
}

/** Adds the parts of a record to an empty store; the rows of trials come from `rebuildTrials`. Throws for parts that do not fit together. */
export function restoreRecord(
  db: Connection,
  { blobs, datasets, experiments }: { blobs: Blobs; datasets: Datasets; experiments: Experiments },
  parts: RecordParts,
): void {
  const addDataset = db.prepare<[number, Buffer]>('INSERT INTO datasets (id, salt) VALUES (?, ?) ON CONFLICT (id) DO NOTHING');
  const addEvent = db.prepare<[string, number, string, string, Buffer, Buffer]>(
    'INSERT INTO events (trial, seq, kind, payload, prev_hash, hash) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const setManifest = db.prepare<[Buffer, Buffer]>(
    // An erased list of cases no longer says whose it is: there is only one data set apart from that of common texts.
    'UPDATE datasets SET manifest = ? WHERE id = coalesce((SELECT dataset FROM blobs WHERE ref = ?), (SELECT max(id) FROM datasets))',
  );
  for (const { id, salt } of parts.datasets) addDataset.run(id, salt);
  for (const { ref, dataset, bytes, isText } of parts.texts())
    if (isText) blobs.put(ref, dataset, bytes.toString('utf8'));
    else blobs.putBytes(ref, dataset, bytes);
  const addErased = db.prepare<[Buffer, number, string | null]>('INSERT INTO erased (ref, erasure, stays) VALUES (?, ?, ?)');
  for (const { ref, erasure, stays } of parts.erased()) addErased.run(toKey(ref), erasure, stays);
  const found = new Set<string>();
  for (const { trial, seq, kind, payload, prevHash, hash } of parts.events()) {
    addEvent.run(trial, seq, kind, payload.toString('utf8'), prevHash, hash);
    if (trial.startsWith(experimentChain(''))) found.add(trial.slice(experimentChain('').length));
  }
  db.exec(addLeaves);
  for (const name of found) {
    const manifest = toKey(experiments.history(name).at(-1)?.payload.dataset.manifest ?? '');
    setManifest.run(manifest, manifest);
  }
  for (const { id } of datasets.all()) datasets.restoreCases(id);
  for (const name of found) experiments.restore(name);
}
