import { areManyNumbers, groupNames, labelNames, mayBeId, namesSubject, repeatedIds } from '../../../core/cases/columnRoles.ts';
import { type CaseDefinition, caseDefinitionSchema } from '../../../shared/api/dataFiles.ts';
import type { DataFormat } from '../../../shared/experiment.ts';

/** What a look at a column's cells has shown. */
export interface ColumnFacts {
  readonly name: string;
  /** Distinct values in order of appearance; null where there are many, or long ones. */
  readonly values: readonly string[] | null;
  readonly examples: readonly string[];
  readonly empty: number;
  /** Characters of the longest cell. */
  readonly longest: number;
  /** Characters of a cell that is not empty, on average. */
  readonly usual: number;
  /** No cell is empty and no two are equal. Set for columns that `mayBeId` or `namesSubject`, and of the first one if every cell `isCode`. */
  readonly unique: boolean;
  /** As of the columns of an inspection. */
  readonly eachOncePer?: string;
  readonly variesPer?: string;
  readonly numbers?: ColumnNumbers;
  readonly rowsOfValues?: readonly number[];
}

export interface ColumnNumbers {
  readonly least: number;
  readonly greatest: number;
  readonly whole: boolean;
}

/** `plot-01`, `A123`: a name that ends in a number. Not what is measured or says who somebody is: `2mg`, `ann7@example.org`. */
export const isCode = (text: string) => /^\p{L}[\p{L}_-]{0,20}\d{1,12}$/u.test(text);

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
export function guessDefinition(format: DataFormat, rows: number, columns: readonly ColumnFacts[]): CaseDefinition {
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
