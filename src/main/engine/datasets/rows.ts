import { limits } from './limits.ts';
import type { DataSource } from './source.ts';
import { quoted } from './spelling.ts';

/** Takes the rows of a data file in the order of the file. Its methods throw bad input. */
export interface RowSink {
  /** The columns so far, at least once before the first row. `closed`: no others follow. New ones come after the known ones. */
  columns(names: readonly string[], line: number, closed: boolean): void;
  /** Whether anything is made of the cells of the known column at `index`. */
  uses(index: number): boolean;
  /** The cells of one row in the order of the columns, '' where one is missing, and the line where the row starts. */
  row(cells: readonly string[], line: number): void;
}

/** Advice where a title can have been taken for the header. */
export const headerBelow = '; if the header is further down, remove the lines above it';

export function checkCell(source: DataSource, cell: string, line: number, field: string): void {
  if (cell.length > limits.cellCharacters) {
    throw source.fault(`this cell has ${cell.length} characters; a cell may have at most ${limits.cellCharacters}`, {
      line,
      field,
    });
  }
}

export function checkStray(source: DataSource, header: readonly string[], cells: readonly string[], line: number): void {
  const stray = cells.findIndex((cell, index) => index >= header.length && cell.trim() !== '');
  if (stray < 0) return;
  throw source.fault(
    `cell ${stray + 1} of this row has a value, but its column has no name; give it one in the header${headerBelow}`,
    { line },
  );
}

export function checkColumnNames(source: DataSource, names: readonly string[], line: number): void {
  if (names.length > limits.columns) {
    throw source.fault(`there are ${names.length} columns; at most ${limits.columns} can be read`, { line });
  }
  const places = new Map<string, number>();
  names.forEach((name, index) => {
    if (name.trim() === '')
      throw source.fault(`column ${index + 1} has no name; give it one in the header${headerBelow}`, { line });
    const earlier = places.get(name);
    if (earlier !== undefined) {
      throw source.fault(`columns ${earlier} and ${index + 1} are both named ${quoted(name)}; rename or remove one of them`, {
        line,
        field: name,
      });
    }
    places.set(name, index + 1);
  });
}

/**
 * The text of a value of a file whose values can be nested: null is '', a list is allowed only in the field that may have one, as
 * JSON. Lists and objects in unused fields are skipped.
 * @param place the column, whether it may be a list, and the line
 */
export function cellText(
  source: DataSource,
  sink: Pick<RowSink, 'uses'>,
  value: unknown,
  { name, index, listField, line }: { name: string; index: number; listField: string | undefined; line: number },
): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && name === listField) return JSON.stringify(value);
  if (!sink.uses(index)) return '';
  const where = { line, field: name };
  if (!Array.isArray(value)) {
    const advice = 'values must be text, numbers, true, false or null; give each part its own field';
    throw source.fault(`the value of ${quoted(name)} is an object; ${advice}`, where);
  }
  throw source.fault(`the value of ${quoted(name)} is a list`, {
    ...where,
    remedy: {
      command:
        'a list is allowed only in the label column ("multiple": "json" in a file); leave other columns out of the facts ("exclude" in a file)',
      screen: 'a list is allowed only in the label column; leave other columns out of the facts',
    },
  });
}
