// Trains an assistant of Debate-Feedback on statements whose cases have a known label.
import { badInput } from '../../shared/errors.ts';
import { fitLogisticRegression, inversePenalty } from '../baselines/logisticRegression.ts';
import { randomSource, shuffled } from '../cases/shuffle.ts';
import { byCodeUnits } from '../cases/split.ts';
import { unitVectors } from '../retrieval/vectors.ts';
import { areaUnderCurve } from '../statistics/areaUnderCurve.ts';
import { reliabilityOf } from './trainedAssistant.ts';

export interface KnownStatement {
  /** `caseKey` of its case: statements of one group are never on both sides of the hold-out. */
  readonly group: string;
  readonly isRight: boolean;
  /** Of background and statement. */
  readonly vector: Float32Array;
}

/** Statements below which nothing is learned that would hold for another case. */
export const fewestStatements = 50;
const holdoutShare = 0.2;
const roundingNoise = 1e-9;
/** Numbers in all vectors together: half a gigabyte. */
const mostNumbers = 60_000_000;

const countsOf = (statements: readonly KnownStatement[]) => ({
  statements: statements.length,
  cases: new Set(statements.map(({ group }) => group)).size,
  positive: statements.filter(({ isRight }) => isRight).length,
});

function heldOutGroups(statements: readonly KnownStatement[], seed: number): ReadonlySet<string> {
  const groups = [...new Set(statements.map(({ group }) => group))].toSorted(byCodeUnits);
  const count = Math.max(1, Math.round(groups.length * holdoutShare));
  return new Set(shuffled(groups, randomSource(seed, 'assistant/holdout')).slice(0, count));
}

/** Places among the distinct ratings: those that differ in their last digit are distinct, as in recorded areas. */
function placesOf(ratings: readonly number[]): number[] {
  const places = new Map([...new Set(ratings)].toSorted((one, other) => one - other).map((rating, place) => [rating, place]));
  return ratings.map((rating) => places.get(rating) ?? 0);
}

/**
 * The threshold with the highest balanced accuracy (the mean of the shares of right statements at or above it and of wrong ones
 * below it): halfway between two ratings that follow each other. Of equally good ones the nearest to one half; null where all
 * statements are of one kind.
 */
export function bestThreshold(ratings: readonly number[], isRight: readonly boolean[]): number | null {
  const right = isRight.filter((each) => each).length;
  const wrong = isRight.length - right;
  if (right === 0 || wrong === 0) return null;
  const distinct = [...new Set(ratings)].toSorted((one, other) => one - other);
  const between = distinct.slice(1).map((rating, index) => (rating + (distinct[index] ?? 0)) / 2);
  const gain = (threshold: number) =>
    ratings.reduce((sum, rating, index) => {
      if (isRight[index]) return sum + (rating >= threshold ? 1 / right : 0);
      return sum + (rating < threshold ? 1 / wrong : 0);
    }, 0);
  const scored = [0.5, ...between].map((threshold) => ({ threshold, gain: gain(threshold) }));
  const most = Math.max(...scored.map((each) => each.gain));
  const [best] = scored
    .filter((each) => each.gain > most - roundingNoise)
    .toSorted((one, other) => Math.abs(one.threshold - 0.5) - Math.abs(other.threshold - 0.5));
  return best?.threshold ?? null;
}

/** Throws bad input if there are too few statements. */
export function requireStatements(count: number): void {
  if (count >= fewestStatements) return;
  throw badInput(
    `the assistant learns from ${fewestStatements} statements at least, and there are ${count}: of decided trials without an assistant, over cases of the training split with a known label; try more of those cases`,
  );
}

function refuseOneSided(statements: readonly KnownStatement[]): void {
  const { cases, positive } = countsOf(statements);
  if (cases < 2)
    throw badInput('all statements are about one case, so that none can be held out; try more cases of the training split');
  if (positive === 0 || positive === statements.length) {
    throw badInput(
      `no statement holds a ${positive === 0 ? 'true' : 'false'} label, so that there is nothing to tell apart; try more cases of the training split`,
    );
  }
  const numbers = statements.length * (statements[0]?.vector.length ?? 0);
  if (numbers > mostNumbers) {
    throw badInput(`${statements.length} vectors are too many to learn from at once; take an experiment with fewer trials`);
  }
}

/**
 * Learns to distinguish statements whose position is the true label: logistic regression with an L2 penalty
 * (C = 1) over embeddings scaled to length 1, as table 1 of "Debate-Feedback" describes its training set. The paper does
 * not name its model. A fifth of the cases, drawn by the seed, is held out with all their statements; the figures are of
 * these, and of the very weights that are used afterwards.
 *
 * Limits: cases of one `caseKey` are one case; texts that are merely alike are not.
 * @throws bad input for too few statements, for one case, and where all positions are right or all wrong
 */
export function trainAssistant(
  statements: readonly KnownStatement[],
  { seed, onIteration }: { readonly seed: number; readonly onIteration?: (() => void) | undefined },
) {
  requireStatements(statements.length);
  refuseOneSided(statements);
  const held = heldOutGroups(statements, seed);
  const isHeldOut = statements.map(({ group }) => held.has(group));
  const learned = statements.filter((_, index) => isHeldOut[index] === false);
  const kept = statements.filter((_, index) => isHeldOut[index] === true);
  const training = countsOf(learned);
  if (training.positive === 0 || training.positive === training.statements) {
    throw badInput(
      'the statements that are left beside the hold-out are all right or all wrong; try more cases of the training split',
    );
  }
  const width = learned[0]?.vector.length ?? 0;
  const values = new Float64Array(learned.length * width);
  learned.forEach(({ vector }, row) => {
    values.set(unitVectors(vector, width).values, row * width);
  });
  const classes = Int32Array.from(learned, ({ isRight }) => (isRight ? 1 : 0));
  const model = fitLogisticRegression({ values, rows: learned.length, width }, classes, 2, onIteration);
  const ratings = kept.map(({ vector }) => reliabilityOf(model, vector));
  const truths = kept.map(({ isRight }) => isRight);
  return {
    isHeldOut,
    /** Coefficients, then the intercept. */
    weights: model.weights,
    inversePenalty,
    iterations: model.iterations,
    isConverged: model.isConverged,
    training,
    /** `area`: under the ROC curve; null where all statements are of one kind. */
    holdout: {
      ...countsOf(kept),
      accuracy: ratings.filter((value, index) => value >= 0.5 === truths[index]).length / ratings.length,
      area: areaUnderCurve(placesOf(ratings), truths),
      threshold: bestThreshold(ratings, truths),
    },
  };
}
