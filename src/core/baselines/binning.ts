import type { Matrix } from './features.ts';

/** Training rows as bins, laid out for growing many trees. */
export interface BinnedRows {
  /** Bin of each cell: entry (row, column) is `bins[row * width + column]`. The last bin of a column holds missing values. */
  readonly bins: Uint8Array;
  readonly rows: number;
  readonly width: number;
}

/** Ascending limits of each column's bins: bin i is above limit i - 1 up to limit i; the bin of missing values comes last. */
export type BinLimits = readonly Float64Array[];

/** Bins of a column, that of missing values not counted. */
const mostBins = 255;

/** Of ascending numbers with repetitions, those at which the bins end: between all values, or at quantiles where they are many. */
function limitsOf(sorted: Float64Array): Float64Array {
  const distinct = [...new Set(sorted)];
  const at = (place: number) => sorted[place] ?? 0;
  const limits =
    distinct.length <= mostBins
      ? distinct.slice(1).map((value, place) => (distinct[place] ?? 0) / 2 + value / 2)
      : Array.from({ length: mostBins - 1 }, (_, index) => {
          // The inverse of the empirical distribution function; at its steps the mean of both values. Rounded as numpy does.
          const place = sorted.length * (((index + 1) * (100 / mostBins)) / 100);
          return Number.isInteger(place) ? at(place - 1) / 2 + at(place) / 2 : at(Math.floor(place));
        });
  return Float64Array.from(new Set(limits));
}

/** Limits of 255 bins a column at most by the training rows; NaN is a missing value. */
export function learnBins({ values, rows, width }: Matrix): BinLimits {
  return Array.from({ length: width }, (_, column) => {
    const own = Float64Array.from({ length: rows }, (__, row) => values[row * width + column] ?? 0);
    return limitsOf(own.filter((value) => !Number.isNaN(value)).sort());
  });
}

export function binned({ values, rows, width }: Matrix, limits: BinLimits): BinnedRows {
  const bins = new Uint8Array(values.length);
  for (let column = 0; column < width; column++) {
    const own = limits[column] ?? new Float64Array();
    for (let row = 0; row < rows; row++) {
      const value = values[row * width + column] ?? 0;
      let [low, high] = [0, own.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (value <= (own[middle] ?? 0)) high = middle;
        else low = middle + 1;
      }
      bins[row * width + column] = Number.isNaN(value) ? own.length + 1 : low;
    }
  }
  return { bins, rows, width };
}
