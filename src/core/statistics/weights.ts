/** How often each item counts: whole numbers from 0. The meaning is exactly "as if item i occurred weights[i] times". */
export type Weights = ArrayLike<number>;

const wholeByType = (weights: Weights): boolean =>
  weights instanceof Uint32Array || weights instanceof Uint16Array || weights instanceof Uint8Array;

/** Throws RangeError unless there is one weight for each of `items` items, and each is a whole number from 0. */
export function requireWeights(weights: Weights, items: number): void {
  if (weights.length !== items) throw new RangeError(`there are ${weights.length} weights for ${items} items`);
  // A bootstrap hands in thousands of typed arrays, whose numbers cannot be anything else.
  if (wholeByType(weights)) return;
  for (let index = 0; index < items; index++) {
    const weight = weights[index] ?? Number.NaN;
    if (!(Number.isSafeInteger(weight) && weight >= 0))
      throw new RangeError(`weight ${index} is ${weight}: no whole number from 0`);
  }
}

export function equalWeights(items: number): Weights {
  return new Uint8Array(items).fill(1);
}
