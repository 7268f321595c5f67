// A first look at a data file: its columns, values and likely meaning.
import { mayBeId, namesSubject } from '../../../core/cases/columnRoles.ts';
import { writtenProbability } from '../../../core/imported/prediction.ts';
import type { FileReading, Inspection } from '../../../shared/api/dataFiles.ts';
import { EncodingFault } from '../datasets/source.ts';
import { type RowReader, readRows } from '../datasets/table.ts';
import { type ColumnFacts, type ColumnNumbers, guessDefinition, isCode } from './guess.ts';

// Tells columns that say something of a case from those of its rows, as the tool and its answer in a file of several tools' predictions.

/** Cases that are looked at: all rows of them are kept. */
const mostCases = 200;
/** Fewer could agree by chance. */
const fewestCases = 5;
/** A value with more rows is no case. */
const mostRows = 20;

/** The rows of the first cases, and of no others, wherever they are in the file. */
class CaseRows {
  readonly #rows = new Map<string, (readonly string[])[]>();
  #isOfCases = true;

  add(id: string, cells: readonly string[]): void {
    if (!this.#isOfCases) return;
    const rows = this.#rows.get(id);
    if (rows === undefined) {
      if (this.#rows.size < mostCases) this.#rows.set(id, [[...cells]]);
      return;
    }
    rows.push([...cells]);
    if (rows.length <= mostRows) return;
    this.#isOfCases = false;
    this.#rows.clear();
  }

  #cellsOf(column: number): string[][] {
    return [...this.#rows.values()].map((rows) => rows.map((cells) => cells[column] ?? ''));
  }

  /** Whether rows of one case differ in a column. Empty cells do not count. @param column from 0 */
  variesIn(column: number): boolean {
    return this.#cellsOf(column).some((own) => new Set(own.filter((cell) => cell.trim() !== '')).size > 1);
  }

  /** Whether no case has a value of a column twice, and nine of ten have each of two values or more. @param column from 0 */
  hasEachOnce(column: number): boolean {
    const cases = this.#cellsOf(column);
    const values = new Set(cases.flat());
    const complete = cases.filter((own) => own.length === values.size);
    return (
      cases.length >= fewestCases &&
      values.size > 1 &&
      !values.has('') &&
      complete.length >= 0.9 * cases.length &&
      cases.every((own) => own.length === new Set(own).size)
    );
  }
}

const canBeId = (name: string) => mayBeId(name) || namesSubject(name);

const mostValues = 50;
const mostExamples = 3;
const longestExample = 200;
/** Longer texts are no labels; to keep them would fill the memory. */
const longestValue = 200;

interface Tally {
  readonly name: string;
  /** Rows by value. */
  values: Map<string, number> | null;
  readonly examples: string[];
  empty: number;
  longest: number;
  /** Characters of all cells. */
  characters: number;
  /** Every value so far while they differ; null once one came twice or was empty, or where it is not needed. */
  distinct: Set<string> | null;
  /** Of the cells so far; null once one was no number. */
  numbers: ColumnNumbers | null;
}

const noNumbers: ColumnNumbers = { least: Number.POSITIVE_INFINITY, greatest: Number.NEGATIVE_INFINITY, whole: true };

function widened({ least, greatest, whole }: ColumnNumbers, cell: string): ColumnNumbers | null {
  const number = writtenProbability(cell, 100);
  if (number === null) return null;
  return {
    least: Math.min(least, number),
    greatest: Math.max(greatest, number),
    whole: whole && Number.isInteger(number),
  };
}

function columnCounter(): RowReader<ColumnFacts[]> {
  const tallies: Tally[] = [];
  const cases = new CaseRows();
  /** Place of the column with the ids of the cases: the first one where none is named so. */
  let idPlace = 0;
  let isIdNamed = false;
  let seen = 0;

  const count = (tally: Tally, cell: string): void => {
    if (cell.trim() === '') {
      tally.empty += 1;
      tally.distinct = null;
      return;
    }
    tally.longest = Math.max(tally.longest, cell.length);
    tally.characters += cell.length;
    if (tally.numbers !== null) tally.numbers = widened(tally.numbers, cell);
    if (tally.examples.length < mostExamples) tally.examples.push(cell.slice(0, longestExample).toWellFormed());
    if (tally.distinct?.has(cell) === true || (!canBeId(tally.name) && !isCode(cell)) || cell.length > longestValue)
      tally.distinct = null;
    tally.distinct?.add(cell);
    if (cell.length > longestValue) tally.values = null;
    if (tally.values?.size === mostValues && !tally.values.has(cell)) tally.values = null;
    tally.values?.set(cell, (tally.values.get(cell) ?? 0) + 1);
  };

  return {
    columns(names) {
      for (const name of names.slice(tallies.length)) {
        const isFirst = tallies.length === 0;
        tallies.push({
          name,
          values: new Map(),
          examples: [],
          empty: seen,
          longest: 0,
          characters: 0,
          distinct: isFirst || canBeId(name) ? new Set() : null,
          numbers: noNumbers,
        });
      }
      const place = (isNamed: (name: string) => boolean) => tallies.findIndex(({ name }) => isNamed(name));
      const named = place(mayBeId) >= 0 ? place(mayBeId) : place(namesSubject);
      isIdNamed = named >= 0;
      idPlace = Math.max(0, named);
    },
    /** Nested values are skipped; the definition says whether they are wanted. */
    uses: () => false,
    row(cells) {
      seen += 1;
      cases.add(cells[idPlace] ?? '', cells);
      tallies.forEach((tally, index) => {
        count(tally, cells[index] ?? '');
      });
    },
    finish() {
      // A first column that no name makes one of ids is it where each of its values comes once with every value of another column.
      const isId = isIdNamed || tallies.some(({ values }, column) => values !== null && cases.hasEachOnce(column));
      const id = isId ? tallies[idPlace]?.name : undefined;
      return tallies.map(({ name, values, examples, empty, longest, characters, distinct, numbers }, column) => ({
        ...(id !== undefined && values !== null && cases.hasEachOnce(column) ? { eachOncePer: id } : {}),
        ...(id !== undefined && cases.variesIn(column) ? { variesPer: id } : {}),
        ...(numbers !== null && empty < seen ? { numbers } : {}),
        ...(values === null ? {} : { rowsOfValues: [...values.values()] }),
        name,
        values: values === null ? null : [...values.keys()],
        examples,
        empty,
        longest,
        usual: characters / Math.max(1, seen - empty),
        unique: distinct !== null && empty === 0,
      }));
    },
  };
}

async function inspectAs(path: string, { delimiter: asked, encoding = 'utf-8', sheet }: FileReading): Promise<Inspection> {
  const reading = { encoding, delimiter: asked ?? 'guess', sheet, anySheet: true } as const;
  const read = await readRows(path, reading, columnCounter);
  const { result: columns, rows, format, delimiter, workbook } = read;
  return {
    format,
    sheets: [...(workbook?.sheets ?? [])],
    rows,
    columns: columns.map(({ name, values, examples, empty, longest, eachOncePer, variesPer, numbers, rowsOfValues }) => ({
      ...(rowsOfValues === undefined ? {} : { rowsOfValues: [...rowsOfValues] }),
      ...(eachOncePer === undefined ? {} : { eachOncePer }),
      ...(variesPer === undefined ? {} : { variesPer }),
      ...(numbers === undefined ? {} : { numbers }),
      name,
      values: values === null ? null : [...values],
      examples: [...examples],
      empty,
      longest,
    })),
    guess: {
      ...guessDefinition(format, rows, columns),
      ...(format !== 'csv' || delimiter === undefined || delimiter === ',' ? {} : { delimiter }),
      ...(encoding === 'utf-8' ? {} : { encoding }),
      ...(workbook === undefined ? {} : { sheet: workbook.sheet }),
    },
  };
}

/** A file's content with a guess at its columns. Where not said, what is not UTF-8 is Windows-1252. Throws bad input. */
export async function inspectFile(path: string, reading: FileReading = {}): Promise<Inspection> {
  try {
    return await inspectAs(path, reading);
  } catch (error) {
    if (!(error instanceof EncodingFault) || reading.encoding !== undefined) throw error;
    // Where that does not fit either, what is wrong with it as UTF-8 is the plainer word.
    return inspectAs(path, { ...reading, encoding: 'windows-1252' }).catch((other: unknown) => {
      throw other instanceof EncodingFault ? error : other;
    });
  }
}
