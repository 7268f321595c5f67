import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { refOf } from '../../../core/record/hash.ts';
import { type DatasetCase, datasetCaseSchema, type SplitName, splitNameSchema } from '../../../shared/domain.ts';
import { type Blobs, fromKey, toKey } from './blobs.ts';
import type { Connection } from './connection.ts';
import { ErasedText } from './erasedText.ts';
import type { Erasures } from './erasures.ts';

/** The list of a data set's cases, as stored: ref of the case's text, and its split. */
const manifestSchema = z.strictObject({ v: z.literal(1), cases: z.array(z.tuple([z.string(), splitNameSchema])) });

export interface StoredCase {
  readonly id: string;
  /** Place in the source, from 0. */
  readonly position: number;
  readonly split: SplitName;
  readonly ref: string;
}

type CaseRow = Omit<StoredCase, 'ref'> & { readonly ref: Buffer };

interface StoredDataset {
  readonly id: number;
  readonly salt: Buffer;
  readonly manifest: Buffer | null;
}

export interface DatasetRow {
  readonly id: number;
  readonly salt: Buffer;
  /** Null for the texts that belong to no data set. */
  readonly manifest: string | null;
}

/** Facts keep their order. Strings are made well-formed first: JSON would escape a lone surrogate, which no table can hold. */
export const caseText = (kase: DatasetCase) =>
  JSON.stringify(datasetCaseSchema.parse(kase), (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed() : value,
  );

export type Datasets = ReturnType<typeof openDatasets>;

export function openDatasets(db: Connection, blobs: Blobs, erasures: Pick<Erasures, 'has' | 'tookCases'>) {
  const insert = db.prepare<[Buffer]>('INSERT INTO datasets (salt) VALUES (?)');
  const setManifest = db.prepare<[Buffer, number]>('UPDATE datasets SET manifest = ? WHERE id = ?');
  const insertCase = db.prepare<[number, string, number, string, Buffer]>(
    'INSERT INTO cases (dataset, id, position, split, ref) VALUES (?, ?, ?, ?, ?)',
  );
  const selectAll = db.prepare<[], StoredDataset>('SELECT id, salt, manifest FROM datasets ORDER BY id');
  const selectOne = db.prepare<[number], StoredDataset>('SELECT id, salt, manifest FROM datasets WHERE id = ?');
  const selectCases = db.prepare<[number], CaseRow>(
    'SELECT id, position, split, ref FROM cases WHERE dataset = ? ORDER BY position',
  );
  const selectSizes = db.prepare<[number], { split: SplitName; cases: number }>(
    'SELECT split, count(*) AS cases FROM cases WHERE dataset = ? GROUP BY split',
  );
  const selectCase = db.prepare<[number, string], CaseRow>(
    'SELECT id, position, split, ref FROM cases WHERE dataset = ? AND id = ?',
  );
  const selectByRef = db.prepare<[number, Buffer], CaseRow>(
    'SELECT id, position, split, ref FROM cases WHERE dataset = ? AND ref = ?',
  );
  const selectStray = db.prepare<[], { dataset: number; position: number }>(
    'SELECT dataset, position FROM cases WHERE dataset NOT IN (SELECT id FROM datasets) LIMIT 1',
  );
  const asCase = (row: CaseRow): StoredCase => ({ ...row, ref: fromKey(row.ref) });
  function* eachCase(id: number) {
    for (const row of selectCases.iterate(id)) yield asCase(row);
  }

  const asDataset = (row: StoredDataset): DatasetRow => ({
    ...row,
    manifest: row.manifest === null ? null : fromKey(row.manifest),
  });
  const all = (): DatasetRow[] => selectAll.all().map(asDataset);

  const manifestOf = (salt: Buffer, texts: readonly string[], splits: readonly SplitName[]) =>
    JSON.stringify(manifestSchema.parse({ v: 1, cases: texts.map((text, index) => [refOf(salt, text), splits[index]]) }));

  const outline = (ref: string) => datasetCaseSchema.parse(JSON.parse(blobs.need(ref)));
  const read = (ref: string) => {
    if (erasures.has(ref)) throw new ErasedText();
    return outline(ref);
  };

  const get = (id: number): DatasetRow => {
    const row = selectOne.get(id);
    if (row === undefined) throw new Error(`data set ${id} is not in the store`);
    return asDataset(row);
  };

  const listOf = (cases: readonly DatasetCase[], splits: ReadonlyMap<string, SplitName>) => ({
    texts: cases.map(caseText),
    splitList: cases.map(({ id }) => splits.get(id) ?? 'test'),
  });
  const known = ({ texts, splitList }: ReturnType<typeof listOf>) =>
    all().find(
      ({ manifest, salt }) =>
        manifest !== null && manifest === refOf(salt, manifestOf(salt, texts, splitList)) && !erasures.tookCases(manifest),
    );

  const rebuild = (id: number): StoredCase[] => {
    const { manifest } = get(id);
    if (manifest === null) return [];
    const { cases } = manifestSchema.parse(JSON.parse(blobs.need(manifest)));
    return cases.map(([ref, split], position) => ({ id: outline(ref).id, position, split, ref }));
  };

  return {
    /** The data set with this list of cases, if the store has it and no case of it was erased. */
    find: (cases: readonly DatasetCase[], splits: ReadonlyMap<string, SplitName>) => known(listOf(cases, splits)),
    /** Stores cases, in order, unless the same list is there already. */
    save(cases: readonly DatasetCase[], splits: ReadonlyMap<string, SplitName>) {
      const list = listOf(cases, splits);
      const { texts, splitList } = list;
      const row = known(list);
      if (row !== undefined) return row;
      const salt = randomBytes(32);
      const id = Number(insert.run(salt).lastInsertRowid);
      const manifest = manifestOf(salt, texts, splitList);
      const manifestRef = refOf(salt, manifest);
      blobs.put(manifestRef, id, manifest);
      setManifest.run(toKey(manifestRef), id);
      texts.forEach((text, position) => {
        const ref = refOf(salt, text);
        blobs.put(ref, id, text);
        insertCase.run(id, cases[position]?.id.toWellFormed() ?? '', position, splitList[position] ?? 'test', toKey(ref));
      });
      return { id, salt, manifest: manifestRef };
    },
    all,
    get,
    /** Every case of a data set, in source order. */
    cases: (id: number) => [...eachCase(id)],
    /** The same, one at a time. */
    eachCase,
    /** How many cases a data set has in each split. */
    sizes: (id: number): { readonly split: SplitName; readonly cases: number }[] => selectSizes.all(id),
    size: (id: number): number => selectSizes.all(id).reduce((sum, { cases }) => sum + cases, 0),
    caseOfId(id: number, caseId: string) {
      const row = selectCase.get(id, caseId);
      return row === undefined ? undefined : asCase(row);
    },
    caseOfRef(id: number, ref: string) {
      const row = selectByRef.get(id, toKey(ref));
      return row === undefined ? undefined : asCase(row);
    },
    /** The text of a case, parsed. Throws where it is not there, `ErasedText` where it was erased. */
    read,
    /** The same, of an erased case with what stays: its id and label, without facts and groups. */
    outline,
    /** A case that belongs to no data set of the store, if there is one. */
    stray: (): { readonly dataset: number; readonly position: number } | undefined => selectStray.get(),
    /** The list of cases as the manifest has it, remade only from texts. */
    rebuild,
    /** Stores the rows of a data set's cases, which its texts amount to. */
    restoreCases(dataset: number) {
      for (const { id, position, split, ref } of rebuild(dataset)) insertCase.run(dataset, id, position, split, toKey(ref));
    },
  };
}
