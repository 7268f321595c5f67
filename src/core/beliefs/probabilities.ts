/** A distribution with what its numbers added up to before they were divided by it. */
export interface Normalised {
  /** Each 0-1, sum 1 up to rounding, in the order given. */
  readonly probabilities: readonly number[];
  /** About 1 or 100 where the numbers were parts of one or percent. */
  readonly rawSum: number;
}

/** Divides numbers by their sum. Throws RangeError where one is negative or not finite, and where all are 0. */
export function normalised(numbers: readonly number[]): Normalised {
  const wrong = numbers.find((number) => !(number >= 0 && Number.isFinite(number)));
  if (wrong !== undefined) throw new RangeError(`${wrong} is no part of a distribution`);
  const rawSum = numbers.reduce((sum, number) => sum + number, 0);
  if (!(rawSum > 0 && Number.isFinite(rawSum))) throw new RangeError(`numbers that add up to ${rawSum} are no distribution`);
  return { probabilities: numbers.map((number) => number / rawSum), rawSum };
}

/** Pairs of probabilities of the same class. Throws RangeError where the two distributions are not over as many classes. */
export function paired(first: readonly number[], second: readonly number[]): (readonly [number, number])[] {
  if (first.length !== second.length || first.length === 0) {
    throw new RangeError(`distributions over ${first.length} and ${second.length} classes cannot be compared`);
  }
  return first.map((probability, index) => [probability, second[index] ?? 0]);
}
