// What a file of predictions says of its cases themselves, in all rows of a case alike: their groups and their weight.
import type { DatasetCase } from '../../../shared/domain.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import type { PredictionColumns } from '../../../shared/imported.ts';
import { missingAsEmpty } from '../datasets/cases.ts';
import { noWeight, weightIn } from '../datasets/cells.ts';
import { listed, quoted } from '../datasets/spelling.ts';
import type { FileFault, PredictionRow, PredictionRows } from './predictionRows.ts';

/** A cell with a value, and its line. */
interface FilledCell {
  readonly value: string;
  readonly line: number;
}

/** What a case has under a column: its group, or its weight. */
type Part = Pick<PredictionColumns, 'groups' | 'weight'>;

const whatOf = (column: string, { weight }: Part) => (column === weight ? 'weight' : 'group');

const remedyOf = (column: string, { weight }: Part) =>
  column === weight
    ? 'Correct the file, or choose no column of weights'
    : 'If the column names the system that predicted, choose it as the system, or choose it as the prediction if it is what was predicted; if neither, take it out of the groups';

/** Each column with its cell in a row; a weight as its number is spelled. */
function cellsIn({ groups, weight, line }: PredictionRow, columns: Part, fault: FileFault): (readonly [string, string])[] {
  const own = columns.groups.map((column, place) => [column, missingAsEmpty(groups[place] ?? '')] as const);
  if (columns.weight === null) return own;
  const number = weightIn(weight ?? '');
  if (number === null) throw fault(noWeight(weight ?? ''), { line, field: columns.weight });
  return [...own, [columns.weight, String(number)]];
}

/**
 * Case -> what each column says of it. A column that says nothing of a case is not in its map, and a case of which no column
 * says anything has no map. Throws bad input, with both lines, where two rows of a case say different things, and for a weight
 * that is none.
 */
export function partsOf(rows: PredictionRows, columns: Part, fault: FileFault): Map<string, Map<string, FilledCell>> {
  const cases = new Map<string, Map<string, FilledCell>>();
  for (const row of rows) {
    const { case: caseId, line } = row;
    for (const [column, value] of cellsIn(row, columns, fault)) {
      if (value === '') continue;
      const filled = cases.get(caseId) ?? new Map<string, FilledCell>();
      cases.set(caseId, filled);
      const before = filled.get(column);
      if (before === undefined) filled.set(column, { value, line });
      else if (before.value !== value) {
        throw fault(
          `in column ${quoted(column)}, case ${quoted(caseId)} has ${quoted(value)} here and ${quoted(before.value)} in line ${before.line}; a case has one ${whatOf(column, columns)}. ${remedyOf(column, columns)}`,
          { line, field: column },
        );
      }
    }
  }
  return cases;
}

/** Throws bad input where a row states a group or a weight that is not the data set's, or a column that it does not have. */
export function refuseOtherParts(
  rows: PredictionRows,
  { caseOf, definition: { name, dataset } }: { definition: Experiment; caseOf(id: string): DatasetCase | undefined },
  columns: Part,
  fault: FileFault,
): void {
  const of = `of the data set of experiment ${quoted(name)}`;
  const advice =
    'it is recorded with the data set and cannot be added later: leave this column out, or import into a new experiment with --truth';
  const stray = columns.groups.find((column) => !dataset.groups.includes(column));
  if (stray !== undefined) {
    const has = dataset.groups.length === 0 ? 'none' : listed(dataset.groups);
    throw fault(`${quoted(stray)} is no group column ${of} (it has ${has}); ${advice}`, { field: stray });
  }
  if (columns.weight !== null && dataset.weight === undefined) {
    throw fault(`the cases ${of} have no weight; ${advice}`, { field: columns.weight });
  }
  for (const [caseId, filled] of partsOf(rows, columns, fault)) {
    const kase = caseOf(caseId);
    for (const [column, { value, line }] of filled) {
      const recorded = column === columns.weight ? String(kase?.weight ?? '') : (kase?.groups[column] ?? '');
      if (recorded === value) continue;
      throw fault(
        `the ${whatOf(column, columns)} of case ${quoted(caseId)} is ${quoted(value)} here and ${quoted(recorded)} in the data set`,
        { line, field: column },
      );
    }
  }
}
