import type { Belief } from '../../shared/domain.ts';
import { remembered } from '../../shared/remembered.ts';

/** A case with a distribution over the candidate labels and its true label. */
export interface BelievedCase {
  readonly belief: Belief;
  readonly truth: string;
}

/** How far the sum of a distribution may be from 1: a stated 0.333333 for each of three labels is a distribution. */
const tolerance = 1e-5;

// The same labels have many beliefs.
const areDistinct = remembered((labels: readonly string[]) => new Set(labels).size === labels.length);

/**
 * The probabilities of the labels, in their order; a label that the belief does not name has 0.
 *
 * They are not divided by their sum, so that equal stated numbers stay equal between cases.
 * Throws RangeError on a belief that is no distribution (a number outside 0-1, a sum more than 0.00001 from 1), that
 * names something that is no label, and on labels that are not distinct.
 */
export function distributionOver(labels: readonly string[], belief: Belief): number[] {
  if (!areDistinct(labels)) throw new RangeError('the labels are not distinct');
  const foreign = Object.keys(belief).find((label) => !labels.includes(label));
  if (foreign !== undefined) throw new RangeError(`"${foreign}" in a belief is not a listed label`);
  const probabilities = labels.map((label) => (Object.hasOwn(belief, label) ? (belief[label] ?? 0) : 0));
  const outside = probabilities.find((probability) => !(probability >= 0 && probability <= 1));
  if (outside !== undefined) throw new RangeError(`${outside} is no probability from 0 to 1`);
  const sum = probabilities.reduce((total, probability) => total + probability, 0);
  if (Math.abs(sum - 1) > tolerance) throw new RangeError(`the probabilities of a belief add up to ${sum}, not to 1`);
  return probabilities;
}

/** Of each label: what is prepared of its probabilities and of whether it is the true one. Throws RangeError as the two functions around. */
export function eachAgainstRest<Prepared>(
  cases: readonly BelievedCase[],
  labels: readonly string[],
  prepare: (probabilities: readonly number[], isTrue: readonly boolean[]) => Prepared,
): Prepared[] {
  const beliefs = cases.map(({ belief }) => distributionOver(labels, belief));
  const truths = cases.map(({ truth }) => placeOfTruth(labels, truth));
  return labels.map((_, place) =>
    prepare(
      beliefs.map((belief) => belief[place] ?? 0),
      truths.map((truth) => truth === place),
    ),
  );
}

/** Place of the true label among the labels. Throws RangeError where it is not one of them. */
export function placeOfTruth(labels: readonly string[], truth: string): number {
  const place = labels.indexOf(truth);
  if (place === -1) throw new RangeError(`the truth "${truth}" is not a listed label`);
  return place;
}
