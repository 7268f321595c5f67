// A random forest of classification trees.
import { type RandomSource, randomSource } from '../cases/shuffle.ts';
import type { Matrix } from './features.ts';

interface TreeData {
  /** Values of each column in ascending order, each once. */
  readonly values: readonly Float64Array[];
  /** Place of each row's value in `values`: entry (column, row) is `places[column * rows + row]`. */
  readonly places: Uint32Array;
  readonly rows: number;
  readonly width: number;
  readonly classes: Int32Array;
  readonly count: number;
}

/** Rows with a value up to the threshold go left; a leaf has the share of each class among its training rows instead. */
interface TreeNode {
  readonly shares: Float64Array | null;
  readonly column: number;
  readonly threshold: number;
  /** Places of nodes; the root is the first. */
  readonly left: number;
  readonly right: number;
}

export function layOut({ values, rows, width }: Matrix, classes: Int32Array, count: number): TreeData {
  if (Math.max(rows, 1) * count > 2 ** 32) throw new RangeError('too many rows and classes for one tree');
  const sorted: Float64Array[] = [];
  const places = new Uint32Array(rows * width);
  for (let column = 0; column < width; column++) {
    const own = Float64Array.from({ length: rows }, (_, row) => values[row * width + column] ?? 0);
    const distinct = new Float64Array(new Set(own.toSorted()));
    const placeOf = new Map(Array.from(distinct, (value, place) => [value, place]));
    own.forEach((value, row) => {
      places[column * rows + row] = placeOf.get(value) ?? 0;
    });
    sorted.push(distinct);
  }
  return { values: sorted, places, rows, width, classes, count };
}

interface Split {
  readonly column: number;
  /** Last place that goes left. */
  readonly place: number;
  readonly threshold: number;
  /** Sum over both sides of (squared class counts / rows): the greater, the purer. */
  readonly purity: number;
}

const squares = (counts: Float64Array) => counts.reduce((sum, count) => sum + count * count, 0);

/** The purest cut of some rows by one column; undefined where all have the same value. */
function bestCut(data: TreeData, rows: Uint32Array, column: number, keys: Uint32Array, totals: Float64Array): Split | undefined {
  const { places, classes, count } = data;
  const offset = column * data.rows;
  const own = keys.subarray(0, rows.length);
  const first = places[offset + (rows[0] ?? 0)] ?? 0;
  let isConstant = true;
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] ?? 0;
    const place = places[offset + row] ?? 0;
    if (place !== first) isConstant = false;
    own[index] = place * count + (classes[row] ?? 0);
  }
  // Most 0/1 columns are constant deep in a tree: this is where the time goes.
  if (isConstant) return undefined;
  own.sort();
  const left = new Float64Array(count);
  const right = totals.slice();
  let [leftSquares, rightSquares] = [0, squares(totals)];
  let best: { place: number; next: number; purity: number } | undefined;
  for (let index = 0; index < own.length - 1; index++) {
    const key = own[index] ?? 0;
    const kind = key % count;
    const place = (key - kind) / count;
    // (c + 1)² - c² and (c - 1)² - c²
    leftSquares += 2 * (left[kind] ?? 0) + 1;
    rightSquares -= 2 * (right[kind] ?? 0) - 1;
    left[kind] = (left[kind] ?? 0) + 1;
    right[kind] = (right[kind] ?? 0) - 1;
    const next = Math.floor((own[index + 1] ?? 0) / count);
    if (next === place) continue;
    const purity = leftSquares / (index + 1) + rightSquares / (own.length - index - 1);
    if (best === undefined || purity > best.purity) best = { place, next, purity };
  }
  if (best === undefined) return undefined;
  const values = data.values[column];
  const [low, high] = [values?.[best.place] ?? 0, values?.[best.next] ?? 0];
  const middle = low / 2 + high / 2;
  // Between two neighbouring numbers there is none: the middle is rounded to one of them.
  return { column, place: best.place, threshold: middle < high ? middle : low, purity: best.purity };
}

/** The purest cut by `tried` random columns, and further ones while all are constant, as in scikit-learn; the first of equals. */
function bestSplit(
  data: TreeData,
  rows: Uint32Array,
  tried: number,
  random: RandomSource,
  scratch: { readonly columns: Uint32Array; readonly keys: Uint32Array },
  totals: Float64Array,
): Split | undefined {
  const { columns, keys } = scratch;
  let best: Split | undefined;
  for (let drawn = 0; drawn < columns.length && (drawn < tried || best === undefined); drawn++) {
    const other = drawn + random.below(columns.length - drawn);
    const column = columns[other] ?? 0;
    columns[other] = columns[drawn] ?? 0;
    columns[drawn] = column;
    const cut = bestCut(data, rows, column, keys, totals);
    if (cut !== undefined && (best === undefined || cut.purity > best.purity)) best = cut;
  }
  return best;
}

/**
 * Grows a classification tree by the Gini criterion until every leaf holds one class or cannot be cut.
 *
 * Source: L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone, Classification and Regression Trees (1984), with the
 * random choice of columns at every node of L. Breiman, Random Forests, Machine Learning 45 (2001), 5-32.
 * @param sample rows to grow from; a row may occur several times
 * @param tried columns to look at for each cut
 */
export function growTree(data: TreeData, sample: Uint32Array, tried: number, random: RandomSource): readonly TreeNode[] {
  const tree: TreeNode[] = [];
  const scratch = {
    columns: Uint32Array.from({ length: data.width }, (_, column) => column),
    keys: new Uint32Array(sample.length),
  };
  const open: { node: number; rows: Uint32Array }[] = [];
  const leaf: TreeNode = { shares: new Float64Array(), column: -1, threshold: 0, left: -1, right: -1 };
  const add = (rows: Uint32Array) => {
    const node = tree.push(leaf) - 1;
    open.push({ node, rows });
    return node;
  };
  add(sample);
  for (let item = open.pop(); item !== undefined; item = open.pop()) {
    const { node, rows } = item;
    const totals = new Float64Array(data.count);
    for (const row of rows) totals[data.classes[row] ?? 0] = (totals[data.classes[row] ?? 0] ?? 0) + 1;
    const isPure = totals.some((total) => total === rows.length);
    const split = isPure ? undefined : bestSplit(data, rows, tried, random, scratch, totals);
    if (split === undefined) {
      tree[node] = { ...leaf, shares: totals.map((total) => total / rows.length) };
      continue;
    }
    const goesLeft = (row: number) => (data.places[split.column * data.rows + row] ?? 0) <= split.place;
    const right = add(rows.filter((row) => !goesLeft(row)));
    const left = add(rows.filter(goesLeft));
    tree[node] = { shares: null, column: split.column, threshold: split.threshold, left, right };
  }
  return tree;
}

/** Adds to `into` (classes of each row, one row after the other) what a tree says of each row. */
export function addVotes(tree: readonly TreeNode[], { values, rows, width }: Matrix, into: Float64Array): void {
  for (let row = 0; row < rows; row++) {
    let node = tree[0];
    while (node?.shares === null)
      node = tree[(values[row * width + node.column] ?? 0) <= node.threshold ? node.left : node.right];
    const shares = node?.shares ?? new Float64Array();
    shares.forEach((share, kind) => {
      const index = row * shares.length + kind;
      into[index] = (into[index] ?? 0) + share;
    });
  }
}

/** Columns looked at for each cut by default: the square root of all, rounded down. */
export const columnsTried = (width: number): number => Math.max(1, Math.floor(Math.sqrt(width)));

/**
 * Random forest: trees grown on bootstrap samples of the training rows, each cut chosen among a few random columns.
 * Returns P(class) of each row of `cases`, `count` numbers a row, each 0-1: the mean over the trees of the class shares in the
 * row's leaf, as scikit-learn's `RandomForestClassifier` has it. Each tree has its own random source under the seed.
 *
 * Source: L. Breiman, Random Forests, Machine Learning 45 (2001), 5-32; the mean of shares in place of one vote a tree is
 * scikit-learn's. The trees differ from scikit-learn's by their random numbers, so that the two agree in quality and not
 * case by case.
 * @param classes class of each training row, 0 to `count` - 1
 * @param tried columns looked at for each cut, 1 to the number of columns
 * @param onTree gets the number of trees grown; may throw to give up
 */
export function forestProbabilities(
  training: Matrix,
  classes: Int32Array,
  count: number,
  cases: Matrix,
  { trees, tried, seed, onTree }: { trees: number; tried: number; seed: number; onTree?: (grown: number) => void },
): Float64Array {
  if (training.rows === 0) throw new RangeError('there is no training row');
  const data = layOut(training, classes, count);
  const sum = new Float64Array(cases.rows * count);
  for (let tree = 0; tree < trees; tree++) {
    const random = randomSource(seed, `baseline/random-forest/${tree}`);
    const sample = Uint32Array.from({ length: training.rows }, () => random.below(training.rows));
    addVotes(growTree(data, sample, tried, random), cases, sum);
    onTree?.(tree + 1);
  }
  return sum.map((total) => Math.min(1, total / trees));
}
