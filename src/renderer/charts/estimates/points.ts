import type { Cell, FigureTable } from '../kit/figure.ts';
import type { Point } from '../kit/points.ts';

export * from '../kit/points.ts';

/** The columns of a point in a table. */
export const pointColumns = (name: string, as: 'share' | 'number' = 'share'): FigureTable['columns'] => [
  { name, as },
  { name: `${name}, low`, as },
  { name: `${name}, high`, as },
  { name: `${name}, n`, as: 'count' },
  { name: `${name}, interval`, as: 'text' },
];

/** The cells of a point under `pointColumns`. */
export const pointCells = (point: Point | null): Cell[] =>
  point === null ? [null, null, null, null, null] : [point.value, point.low, point.high, point.n, point.method];
