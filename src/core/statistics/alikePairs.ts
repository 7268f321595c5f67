import { requireWeights, type Weights } from './weights.ts';

/** Pairs of numbers, no two of them equal, and how often each occurs. */
export interface AlikePairs {
  readonly x: ArrayLike<number>;
  readonly y: ArrayLike<number>;
  /** Weights of these pairs from those of the items: the same array at each call. Throws RangeError as `requireWeights`. */
  readonly under: (weights: Weights) => Weights;
}

/** Items for each different pair from which on it pays to count equal ones together. */
const leastAlike = 4;

/**
 * Counts items with equal pairs together: a statistic of ranks then goes through the few different pairs, where people or
 * models state the same few confidences again and again. Returns the items themselves if most of them differ.
 */
export function alikePairs(x: ArrayLike<number>, y: ArrayLike<number>): AlikePairs {
  const items = x.length;
  const found: { readonly x: number; readonly y: number }[] = [];
  const places = new Map<number, Map<number, number>>();
  const pairOf = new Uint32Array(items);
  for (let item = 0; item < items; item++) {
    const pair = { x: x[item] ?? Number.NaN, y: y[item] ?? Number.NaN };
    const withX = places.get(pair.x) ?? new Map<number, number>();
    places.set(pair.x, withX);
    const place = withX.get(pair.y) ?? found.push(pair) - 1;
    withX.set(pair.y, place);
    pairOf[item] = place;
    if (found.length * leastAlike > items) {
      const same = (weights: Weights) => {
        requireWeights(weights, items);
        return weights;
      };
      return { x, y, under: same };
    }
  }
  const counts = new Uint32Array(found.length);
  return {
    x: found.map((pair) => pair.x),
    y: found.map((pair) => pair.y),
    under(weights) {
      requireWeights(weights, items);
      counts.fill(0);
      for (let item = 0; item < items; item++) {
        const place = pairOf[item] as number;
        counts[place] = (counts[place] as number) + (weights[item] as number);
      }
      return counts;
    },
  };
}
