// Which columns of a data set models read, and which not, in the words of screens, reports and erasures.
import type { DatasetDefinition } from '../../shared/experiment.ts';

export const columnsLeftOut = 'Columns left out';
export const leftOutBy = 'The person who imported the data chose them; no reason is recorded.';

type Columns = Pick<DatasetDefinition, 'kind' | 'columns' | 'sections' | 'exclude'>;

export interface WantedColumn {
  readonly column: string;
  /** The name in the case: a part of the case, or the column's own. */
  readonly name: string;
  /** What it is wanted for, for messages. */
  readonly use: string;
}

export const partColumns = (columns: Columns['columns'], ...names: readonly (keyof Columns['columns'])[]): WantedColumn[] =>
  names.map((name) => ({ column: columns[name] ?? name, name, use: `columns.${name}` }));

/** The columns whose texts make up a case; null for a table, and for a pair that the columns of the file decide. */
export function textColumns({ kind, columns, sections = [] }: Columns): WantedColumn[] | null {
  if (kind === 'text') return partColumns(columns, 'text');
  if (kind === 'open') return partColumns(columns, 'question');
  if (kind === 'sections') return sections.map((column) => ({ column, name: column, use: 'sections' }));
  if ((columns.premise ?? columns.hypothesis) !== undefined) return partColumns(columns, 'premise', 'hypothesis');
  return (columns.question ?? columns.passage) !== undefined ? partColumns(columns, 'question', 'passage') : null;
}

/** The columns that are named in a row about a data set: `Columns left out: name, score`. `rest` follows them. */
export function columnsRead(dataset: Columns): { term: string; columns: readonly string[]; rest: string } {
  const { kind, exclude } = dataset;
  if (kind === 'tabular') return { term: columnsLeftOut, columns: exclude, rest: exclude.length === 0 ? 'none' : '' };
  const term = 'Columns that models read';
  const columns = textColumns(dataset)?.map(({ column }) => column);
  return columns === undefined
    ? { term, columns: [], rest: 'the two texts of each case, and no other' }
    : { term, columns, rest: ', and no other' };
}

/** The columns left out whose values are not on the record: id, label, groups and weights are. */
export const unrecordedColumns = ({
  exclude,
  id,
  label,
  groups,
  weight,
}: Pick<DatasetDefinition, 'exclude' | 'id' | 'label' | 'groups' | 'weight'>): string[] =>
  exclude.filter((column) => ![id, label?.column, weight, ...groups].includes(column));
