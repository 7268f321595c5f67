// What a file of predictions says of its cases' groups, which are the same in all rows of a case.
import type { DatasetCase } from '../../../shared/domain.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import { missingAsEmpty } from '../datasets/cases.ts';
import { listed, quoted } from '../datasets/spelling.ts';
import type { FileFault, PredictionRow } from './predictionRows.ts';

/** A cell that says something, and where it stands. */
interface Told {
  readonly value: string;
  readonly line: number;
}

/**
 * Case -> what each group column says of it; a column without a word of a case is not in its map. Throws bad input, with both
 * lines, where two rows of a case say different things.
 */
export function groupsOf(rows: readonly PredictionRow[], columns: readonly string[], fault: FileFault) {
  const cases = new Map<string, Map<string, Told>>();
  for (const { case: caseId, groups, line } of rows) {
    const told = cases.get(caseId) ?? new Map<string, Told>();
    cases.set(caseId, told);
    for (const [place, column] of columns.entries()) {
      const value = missingAsEmpty(groups[place] ?? '');
      if (value === '') continue;
      const before = told.get(column);
      if (before === undefined) told.set(column, { value, line });
      else if (before.value !== value) {
        throw fault(
          `the group of case ${quoted(caseId)} is ${quoted(value)} here and ${quoted(before.value)} in line ${before.line}; a case has one`,
          { line, field: column },
        );
      }
    }
  }
  return cases;
}

/** Throws bad input where a row states a group that is not the data set's, or a column that is none of its groups. */
export function refuseOtherGroups(
  rows: readonly PredictionRow[],
  { caseOf, definition: { name, dataset } }: { definition: Experiment; caseOf(id: string): DatasetCase | undefined },
  columns: readonly string[],
  fault: FileFault,
): void {
  const stray = columns.find((column) => !dataset.groups.includes(column));
  if (stray !== undefined) {
    const has = dataset.groups.length === 0 ? 'none' : listed(dataset.groups);
    throw fault(
      `${quoted(stray)} is no group column of the data set of experiment ${quoted(name)} (it has ${has}); groups are recorded with the data set and cannot be added later: leave this column out, or import into a new experiment with --truth`,
      { field: stray },
    );
  }
  for (const [caseId, told] of groupsOf(rows, columns, fault)) {
    const recorded = caseOf(caseId)?.groups ?? {};
    for (const [column, { value, line }] of told) {
      if (recorded[column] === value) continue;
      throw fault(
        `the group of case ${quoted(caseId)} is ${quoted(value)} here and ${quoted(recorded[column] ?? '')} in the data set`,
        { line, field: column },
      );
    }
  }
}
