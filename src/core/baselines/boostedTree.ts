// One tree of a gradient boosting.
import type { BinLimits, BinnedRows } from './binning.ts';

export const mostLeaves = 31;
export const fewestInLeaf = 20;
/** Sum of second derivatives that either side of a cut needs. */
const leastHessian = 1e-3;
/** Keeps a sum of second derivatives from being 0. */
const tiny = 1e-15;

/** A node is a leaf where its column is -1; else rows up to the bin go left, missing values as `missingLeft` says. The first is the root. */
interface BoostedNode {
  readonly column: number;
  readonly bin: number;
  readonly missingLeft: boolean;
  readonly left: number;
  readonly right: number;
  /** What a leaf adds to the score. */
  readonly value: number;
}

/** Binned training rows with the place of each bin in a histogram over all columns. */
interface BoostingData extends BinnedRows {
  /** Whether a training row lacks a value in a column, 0 or 1. */
  readonly gaps: Uint8Array;
  /** Place of each column's first bin; then that after the last column. */
  readonly offsets: Uint32Array;
  /** Place of each column's most frequent bin, which is left out of `places`: most cells of 0/1 columns are in it. */
  readonly frequent: Uint32Array;
  /** Places of the other bins of row r: `places[starts[r]]` to `places[starts[r + 1] - 1]`. */
  readonly places: Uint32Array;
  readonly starts: Uint32Array;
}

export function layOutBins(training: BinnedRows, limits: BinLimits): BoostingData {
  const { bins, rows, width } = training;
  const offsets = new Uint32Array(width + 1);
  limits.forEach((own, column) => {
    offsets[column + 1] = (offsets[column] ?? 0) + own.length + 2;
  });
  const place = (row: number, column: number) => (offsets[column] ?? 0) + (bins[row * width + column] ?? 0);
  const counts = new Uint32Array(offsets[width] ?? 0);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < width; column++) counts[place(row, column)] = (counts[place(row, column)] ?? 0) + 1;
  }
  const frequent = Uint32Array.from({ length: width }, (_, column) => {
    const own = counts.subarray(offsets[column], offsets[column + 1]);
    return (offsets[column] ?? 0) + own.indexOf(own.reduce((most, count) => Math.max(most, count), 0));
  });
  const inFrequent = frequent.reduce((sum, own) => sum + (counts[own] ?? 0), 0);
  const places = new Uint32Array(rows * width - inFrequent);
  const starts = new Uint32Array(rows + 1);
  let next = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < width; column++) {
      const own = place(row, column);
      if (own !== frequent[column]) places[next++] = own;
    }
    starts[row + 1] = next;
  }
  const gaps = Uint8Array.from({ length: width }, (_, column) => Math.min(1, counts[(offsets[column + 1] ?? 0) - 1] ?? 0));
  return { ...training, gaps, offsets, frequent, places, starts };
}

interface Sums {
  /** Of the first and second derivatives of the loss. */
  readonly gradient: number;
  readonly hessian: number;
  readonly rows: number;
}

interface Split {
  readonly gain: number;
  readonly column: number;
  readonly bin: number;
  readonly missingLeft: boolean;
  readonly left: Sums;
  readonly right: Sums;
}

interface OpenNode {
  readonly node: number;
  readonly rows: Uint32Array;
  readonly histogram: Float64Array;
  readonly split: Split;
}

/** Gradient, hessian and number of the rows in each bin of all columns, three numbers a bin. */
function histogramOf(
  { offsets, frequent, places, starts, width }: BoostingData,
  rows: Uint32Array,
  gradients: Float32Array,
  hessians: Float32Array,
  sums: Sums,
): Float64Array {
  const histogram = new Float64Array(3 * (offsets[width] ?? 0));
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0;
    const gradient = gradients[row] ?? 0;
    const hessian = hessians[row] ?? 0;
    const end = starts[row + 1] ?? 0;
    for (let entry = starts[row] ?? 0; entry < end; entry++) {
      const at = 3 * (places[entry] ?? 0);
      histogram[at] = (histogram[at] ?? 0) + gradient;
      histogram[at + 1] = (histogram[at + 1] ?? 0) + hessian;
      histogram[at + 2] = (histogram[at + 2] ?? 0) + 1;
    }
  }
  for (let column = 0; column < width; column++) {
    const rest = 3 * (frequent[column] ?? 0);
    let [gradient, hessian, count] = [sums.gradient, sums.hessian, sums.rows];
    for (let at = 3 * (offsets[column] ?? 0); at < 3 * (offsets[column + 1] ?? 0); at += 3) {
      gradient -= histogram[at] ?? 0;
      hessian -= histogram[at + 1] ?? 0;
      count -= histogram[at + 2] ?? 0;
    }
    histogram[rest] = gradient;
    histogram[rest + 1] = hessian;
    histogram[rest + 2] = count;
  }
  return histogram;
}

/**
 * Loss of a leaf that takes its Newton step, as far as it depends on the leaf. The tiny number, the order of the operations and
 * the single precision of the derivatives are scikit-learn's: equally good cuts are the same there and here.
 */
const lossOf = ({ gradient, hessian }: Sums) => (-gradient / (hessian + tiny)) * gradient;

/** The cut that lowers the loss most, missing values on their better side; undefined without one. Of equal cuts the first. */
function bestSplit({ offsets, width }: BoostingData, histogram: Float64Array, all: Sums): Split | undefined {
  const own = lossOf(all);
  let best: Split | undefined;
  for (let column = 0; column < width; column++) {
    const first = offsets[column] ?? 0;
    const missing = (offsets[column + 1] ?? 0) - 1;
    for (let scan = 0; scan < ((histogram[3 * missing + 2] ?? 0) > 0 ? 2 : 1); scan++) {
      // From the first bin on, missing values are on the other side, the right one; from the last bin on, on the left.
      const missingLeft = scan === 1;
      let [gradient, hessian, rows] = [0, 0, 0];
      for (let step = 0; step < missing - first; step++) {
        const bin = missingLeft ? missing - first - 1 - step : step;
        const at = 3 * (first + bin);
        gradient += histogram[at] ?? 0;
        hessian += histogram[at + 1] ?? 0;
        rows += histogram[at + 2] ?? 0;
        const rest = all.hessian - hessian;
        if (rows < fewestInLeaf || hessian < leastHessian) continue;
        if (all.rows - rows < fewestInLeaf || rest < leastHessian) break;
        const scanned = { gradient, hessian, rows };
        const others = { gradient: all.gradient - gradient, hessian: rest, rows: all.rows - rows };
        const [left, right] = missingLeft ? [others, scanned] : [scanned, others];
        const gain = own - lossOf(left) - lossOf(right);
        if (gain > (best?.gain ?? 0)) best = { gain, column, bin: missingLeft ? bin - 1 : bin, missingLeft, left, right };
      }
    }
  }
  return best;
}

const isLeft = (own: number, bin: number, missing: number, missingLeft: boolean) => (own === missing ? missingLeft : own <= bin);

/**
 * Grows a regression tree on the derivatives of a loss: leaf by leaf, the one with the greatest gain first, to 31 leaves of
 * 20 rows each at least. A leaf's value is the Newton step -gradient / hessian times `rate`.
 *
 * Source: T. Chen and C. Guestrin, XGBoost: A Scalable Tree Boosting System, KDD 2016, sections 2.2 and 3.4 (gain, missing
 * values); G. Ke and others, LightGBM, NeurIPS 2017 (histograms, growth by leaves).
 * @param gradients first derivative of the loss by each row's score; `hessians` the second, above 0
 */
export function growBoostedTree(
  data: BoostingData,
  gradients: Float32Array,
  hessians: Float32Array,
  rate: number,
): BoostedNode[] {
  const tree: BoostedNode[] = [];
  const open: OpenNode[] = [];
  const add = ({ gradient, hessian }: Sums) => {
    const value = (-gradient / (hessian + tiny)) * rate;
    return tree.push({ column: -1, bin: 0, missingLeft: false, left: -1, right: -1, value }) - 1;
  };
  const consider = (node: number, rows: Uint32Array, sums: Sums, histogram: Float64Array) => {
    const split = rows.length < 2 * fewestInLeaf ? undefined : bestSplit(data, histogram, sums);
    if (split !== undefined) open.push({ node, rows, histogram, split });
  };
  const all = Uint32Array.from({ length: data.rows }, (_, row) => row);
  const sum = (values: Float32Array) => values.reduce((total, value) => total + value, 0);
  const sums = { gradient: sum(gradients), hessian: sum(hessians), rows: data.rows };
  consider(add(sums), all, sums, histogramOf(data, all, gradients, hessians, sums));
  for (let leaves = 1; leaves < mostLeaves && open.length > 0; leaves++) {
    const most = open.reduce((best, each, place) => (each.split.gain > (open[best]?.split.gain ?? 0) ? place : best), 0);
    const [next] = open.splice(most, 1);
    if (next === undefined) break;
    const { node, rows, histogram, split } = next;
    const { column, bin } = split;
    // Where no training row lacks a value, a missing one of another case goes with most.
    const missingLeft = data.gaps[column] === 1 ? split.missingLeft : split.left.rows > split.right.rows;
    const missing = (data.offsets[column + 1] ?? 0) - (data.offsets[column] ?? 0) - 1;
    const goesLeft = (row: number) => isLeft(data.bins[row * data.width + column] ?? 0, bin, missing, missingLeft);
    const sides = [rows.filter(goesLeft), rows.filter((row) => !goesLeft(row))] as const;
    const [left, right] = [add(split.left), add(split.right)];
    tree[node] = { column, bin, missingLeft, left, right, value: 0 };
    // The histogram of the smaller side is counted; what is left of the node's own is that of the other.
    const isLeftSmaller = sides[0].length < sides[1].length;
    const [smaller, sumsOfSmaller] = isLeftSmaller ? [sides[0], split.left] : [sides[1], split.right];
    const counted = histogramOf(data, smaller, gradients, hessians, sumsOfSmaller);
    for (let index = 0; index < histogram.length; index++) histogram[index] = (histogram[index] ?? 0) - (counted[index] ?? 0);
    consider(left, sides[0], split.left, isLeftSmaller ? counted : histogram);
    consider(right, sides[1], split.right, isLeftSmaller ? histogram : counted);
  }
  return tree;
}

/** Adds to `scores[row * stride + place]` what a tree says of each row. */
export function addBoosts(
  tree: readonly BoostedNode[],
  { bins, rows, width }: BinnedRows,
  limits: BinLimits,
  scores: Float64Array,
  stride: number,
  place: number,
): void {
  for (let row = 0; row < rows; row++) {
    let node = tree[0];
    while (node !== undefined && node.column >= 0) {
      const missing = (limits[node.column]?.length ?? 0) + 1;
      const goesLeft = isLeft(bins[row * width + node.column] ?? 0, node.bin, missing, node.missingLeft);
      node = tree[goesLeft ? node.left : node.right];
    }
    scores[row * stride + place] = (scores[row * stride + place] ?? 0) + (node?.value ?? 0);
  }
}
