import type { FigureTable, TrialsBehind } from '../kit/figure.ts';
import { type DotRows, dotAt } from './dotRows.ts';
import { type Point, pointCells, pointColumns } from './points.ts';

/** What a row of a figure of dots is, beside its marks. */
export interface NamedRow {
  readonly name: string;
  /** All trials of the row; null where none are on the record, as for a baseline. */
  readonly trials: TrialsBehind | null;
}

/** A column of points: a series of dots before it is drawn. */
export interface PointColumn {
  readonly id: string;
  readonly name: string;
  readonly points: readonly (Point | null)[];
  /** How a table shows it; a share where it is not said. */
  readonly as?: 'share' | 'number';
}

/** Rows by points as a table: every drawn number with its interval, its n and how the interval was found. */
export function dotTable(names: readonly string[], columns: readonly PointColumn[], head = 'arm'): FigureTable {
  return {
    columns: [{ name: head, as: 'text' }, ...columns.flatMap(({ name, as }) => pointColumns(name, as))],
    rows: names.map((name, row) => [name, ...columns.flatMap(({ points }) => pointCells(points[row] ?? null))]),
  };
}

/** Trials behind a mark of a row: those of the row, narrowed down by what the series is of. */
export function dotBehind(
  rows: DotRows,
  named: readonly NamedRow[],
  { seriesId, dataIndex }: { seriesId: string | null; dataIndex: number },
  narrowed: (seriesId: string, row: number, point: Point) => TrialsBehind,
): TrialsBehind | null {
  const series = dotAt(rows, seriesId);
  const trials = named[dataIndex]?.trials ?? null;
  const point = series?.points[dataIndex] ?? null;
  return series === null || trials === null || point === null ? null : { ...trials, ...narrowed(series.id, dataIndex, point) };
}
