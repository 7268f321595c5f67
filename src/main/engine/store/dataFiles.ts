import { z } from 'zod';
import { type CaseDefinition, caseDefinitionSchema, type DataFile } from '../../../shared/api/dataFiles.ts';
import { dataFormatSchema } from '../../../shared/experiment.ts';
import type { Connection } from './connection.ts';
import { laterTable } from './laterTable.ts';

/** A data set that the user has added. */
export interface DataFileRow extends Pick<DataFile, 'id' | 'name' | 'format' | 'definition' | 'cases' | 'labels' | 'positive'> {
  /** Wall time, ISO 8601. */
  readonly addedAt: string;
  readonly file: string;
  /** SHA-256 of the file, hexadecimal. */
  readonly fileHash: string;
  readonly bytes: number;
  /** When it was taken off the list of data sets; null while it is on it. */
  readonly removedAt: string | null;
}

interface StoredRow extends Omit<DataFileRow, 'format' | 'definition' | 'labels'> {
  readonly format: string;
  readonly definition: string;
  readonly labels: string;
}

const columns = `id, name, added_at AS addedAt, file, file_hash AS fileHash, bytes, format, definition, cases, labels,
  positive, removed_at AS removedAt`;

const parsed = (row: StoredRow): DataFileRow => ({
  ...row,
  format: dataFormatSchema.parse(row.format),
  definition: caseDefinitionSchema.parse(JSON.parse(row.definition)),
  labels: z.array(z.string()).parse(JSON.parse(row.labels)),
});

/** The data sets that were added. They are no part of the record: experiments hold their own cases. */
export function openDataFiles(db: Connection) {
  const present = laterTable(db, 'docket');
  const get = (id: string): DataFileRow | undefined => {
    if (!present()) return undefined;
    const row = db.prepare<[string], StoredRow>(`SELECT ${columns} FROM docket WHERE id = ?`).get(id);
    return row === undefined ? undefined : parsed(row);
  };
  return {
    add(row: Omit<DataFileRow, 'removedAt'>) {
      const { id, name, addedAt, file, fileHash, bytes, format, definition, cases, labels, positive } = row;
      db.prepare(
        `INSERT INTO docket (id, name, added_at, file, file_hash, bytes, format, definition, cases, labels, positive)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ).run(
        id,
        name.toWellFormed(),
        addedAt,
        file,
        fileHash,
        bytes,
        format,
        JSON.stringify(definition),
        cases,
        JSON.stringify(labels),
        positive?.toWellFormed() ?? null,
      );
    },
    get,
    /** Those in the list of data sets, in the order in which they were added. */
    list: () =>
      present()
        ? db
            .prepare<[], StoredRow>(`SELECT ${columns} FROM docket WHERE removed_at IS NULL ORDER BY added_at, rowid`)
            .all()
            .map(parsed)
        : [],
    /** @returns whether there is such a data set */
    rename: (id: string, name: string) =>
      db.prepare('UPDATE docket SET name = ? WHERE id = ?').run(name.toWellFormed(), id).changes === 1,
    /** @returns whether there is such a data set */
    define: (id: string, definition: CaseDefinition) =>
      db.prepare('UPDATE docket SET definition = ? WHERE id = ?').run(JSON.stringify(definition), id).changes === 1,
    forget: (id: string): void => void db.prepare('DELETE FROM docket WHERE id = ?').run(id),
    /** Forgets for good what was taken off the list of data sets before a time. @returns names of the files that are left in use */
    forgetRemoved(before: string) {
      db.prepare('DELETE FROM docket WHERE removed_at < ?').run(before);
      return new Set(db.prepare<[], string>('SELECT DISTINCT file FROM docket').pluck().all());
    },
    /** Takes a data set off the list of data sets at a time, or puts it back (null). @returns whether there is such a data set */
    setRemoved: (id: string, at: string | null) =>
      db.prepare('UPDATE docket SET removed_at = ? WHERE id = ?').run(at, id).changes === 1,
  };
}
