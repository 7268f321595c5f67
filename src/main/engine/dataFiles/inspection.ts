// A first look at a data file: its columns, values and likely meaning.
import { areManyNumbers, groupNames, labelNames, mayBeId, namesSubject, repeatedIds } from '../../../core/cases/columnRoles.ts';
import { writtenProbability } from '../../../core/imported/prediction.ts';
import { type CaseDefinition, caseDefinitionSchema, type FileReading, type Inspection } from '../../../shared/api/dataFiles.ts';
import type { DataFormat } from '../../../shared/experiment.ts';
import { EncodingFault } from '../datasets/source.ts';
import { type RowReader, readRows } from '../datasets/table.ts';

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

/** What a look at a column's cells has shown. */
interface ColumnFacts extends Column {
  /** Characters of a cell that is not empty, on average. */
  readonly usual: number;
  /** No cell is empty and no two are equal. Set for columns that `mayBeId` or `namesSubject`, and of the first one if every cell `isCode`. */
  readonly unique: boolean;
}

type Column = Inspection['columns'][number];
type ColumnNumbers = NonNullable<Column['numbers']>;

/** `plot-01`, `A123`: a name that ends in a number. Not what is measured or says who somebody is: `2mg`, `ann7@example.org`. */
const isCode = (text: string) => /^\p{L}[\p{L}_-]{0,20}\d{1,12}$/u.test(text);

/** Longer texts are no names of a person or thing, as the subject of a letter. */
const longestSubject = 24;

/** The column that identifies a row: by its name, else the first one where its cells are codes, else one of what rows are about. */
function idColumn(columns: readonly ColumnFacts[]): ColumnFacts | undefined {
  const [first] = columns;
  const codes = first?.unique === true && first.examples.length > 1;
  return (
    columns.find(({ name, unique }) => unique && mayBeId(name)) ??
    (codes ? first : columns.find(({ name, unique, longest }) => unique && namesSubject(name) && longest <= longestSubject))
  );
}

const textNames = /^(text|facts|narrative|description|story|body|content|case_text|document)$/i;
const sectionNames = ['background', 'claim', 'statement'];

const mostLabels = 20;
const mostGroups = 12;
/** Cells that are this long on average are sentences, not values. */
const sentences = 80;

const named = (columns: readonly ColumnFacts[], name: string) => columns.some((column) => column.name === name);

/** Names that mark rows for some purpose other than the answer: `fixed30`, `in_sample`, `is_train`, `fold2`, `flag`. */
const markerNames =
  /(^|[_\s-])(fixed|fold|split|sample|subset|subsample|selected|train|test|dev|validation|holdout|flag|marker|mask|dummy|weight)(ed)?\d*([_\s-]|$)/i;

/** Words of which each comes back: grades or kinds, and not measurements in a short file. */
const areKinds = (values: readonly string[], rows: number) =>
  values.length <= mostLabels &&
  2 * values.length <= rows &&
  !values.some((value) => value.trim() !== '' && Number.isFinite(Number(value)));

/** The column most like the answer: by name, else the last with two values or a few words; markers and groups come last. */
function labelColumn(columns: readonly ColumnFacts[], rows: number): ColumnFacts | undefined {
  const valued = columns.filter(({ values, usual }) => values !== null && values.length >= 2 && usual < sentences);
  const possible = valued.filter(({ name, values }) => labelNames.test(name) || (values?.length ?? 0) <= mostLabels);
  const unmarked = possible.filter(({ name }) => !markerNames.test(name));
  const ofTwo = ({ values }: ColumnFacts) => values?.length === 2;
  const fits = (column: ColumnFacts) => ofTwo(column) || (column === columns.at(-1) && areKinds(column.values ?? [], rows));
  return (
    unmarked.find(({ name }) => labelNames.test(name)) ??
    unmarked.findLast((column) => fits(column) && !groupNames.test(column.name)) ??
    possible.findLast(ofTwo)
  );
}

/** Pairs of texts as data sets call them: as the program does, and as files of SNLI, MultiNLI and QNLI do. */
const pairNames = [
  ['premise', 'hypothesis'],
  ['sentence1', 'sentence2'],
  ['sentence_1', 'sentence_2'],
  ['text1', 'text2'],
  ['question', 'passage'],
  ['question', 'sentence'],
] as const;

/** A pair whose columns are there, in upper or lower case; columns with other names than the program's are named. */
function pairOf(columns: readonly ColumnFacts[]): Partial<CaseDefinition> | undefined {
  for (const [first, second] of pairNames) {
    const find = (wanted: string) => columns.find(({ name }) => name.trim().toLowerCase() === wanted)?.name;
    const [one, other] = [find(first), find(second)];
    if (one === undefined || other === undefined) continue;
    const [firstRole, secondRole] =
      first === 'question' ? (['question', 'passage'] as const) : (['premise', 'hypothesis'] as const);
    const asCalled = one === firstRole && other === secondRole;
    return { kind: 'pair', columns: asCalled ? {} : { [firstRole]: one, [secondRole]: other } };
  }
  return undefined;
}

/** Columns next to a long text from which on it is one fact of several, such as the note on a person. */
const fewestFacts = 6;

function shapeOf(columns: readonly ColumnFacts[], hasLabel: boolean): Partial<CaseDefinition> {
  const pair = pairOf(columns);
  if (pair !== undefined) return pair;
  if (sectionNames.every((name) => named(columns, name))) return { kind: 'sections', sections: [...sectionNames] };
  if (!hasLabel && named(columns, 'question')) return { kind: 'open' };
  const long = columns.filter(({ usual }) => usual >= sentences);
  const text = columns.find(({ name, usual }) => textNames.test(name) && usual >= sentences / 2) ?? long[0];
  const isNamed = text !== undefined && textNames.test(text.name);
  if (text === undefined || (!isNamed && columns.length - long.length >= fewestFacts)) return { kind: 'tabular' };
  if (long.length > 1 && !isNamed) return { kind: 'sections', sections: long.map(({ name }) => name) };
  return { kind: 'text', columns: text.name === 'text' ? {} : { text: text.name } };
}

/** Of labelled cases most are training cases: baselines and examples are made from them, and verdicts counted on the others. */
const usualShares = { train: 0.8, test: 0.2 };
const fewestToDeal = 10;

/** A first guess of what the columns of a file mean. The question is left for the user to put. */
function guessDefinition(format: DataFormat, rows: number, columns: readonly ColumnFacts[]): CaseDefinition {
  const id = idColumn(columns);
  const others = columns.filter((column) => column !== id);
  const label = labelColumn(others, rows);
  const rest = others.filter((column) => column !== label);
  const shape = shapeOf(rest, label !== undefined);
  const tabular = shape.kind === 'tabular';
  // Values that hardly come back are no groups, and neither are ages.
  const areGroups = (column: ColumnFacts, values: readonly string[]) =>
    values.length <= mostGroups && !areManyNumbers(column) && (values.length === 2 || 2 * values.length <= rows);
  const groups = rest.filter(
    (column) => groupNames.test(column.name) && column.values !== null && areGroups(column, column.values),
  );
  return caseDefinitionSchema.parse({
    format,
    ...shape,
    ...(id === undefined ? {} : { id: id.name }),
    ...(label === undefined || shape.kind === 'open' ? {} : { label: { column: label.name } }),
    groups: groups.map(({ name }) => name),
    exclude: tabular
      ? rest.filter(({ name, unique }) => mayBeId(name) && (unique || repeatedIds.test(name))).map(({ name }) => name)
      : [],
    ...(label === undefined || shape.kind === 'open' || rows < fewestToDeal ? {} : { split: usualShares }),
  });
}
