import { describe, expect, test } from 'vitest';
import values from '../../../docs/reference/values/assistant.json' with { type: 'json' };
import { doublesAsText, doublesIn, floatsAsText, floatsIn } from './numbersAsText.ts';
import { bestThreshold, fewestStatements, type KnownStatement, trainAssistant } from './trainAssistant.ts';
import { reliabilityOf } from './trainedAssistant.ts';

const [reference] = values.sets;
if (reference === undefined) throw new Error('no reference values');

const statementsOf = ({ groups, right, vectors }: typeof reference): KnownStatement[] =>
  groups.map((group, index) => ({
    group,
    isRight: right[index] ?? false,
    vector: Float32Array.from(vectors[index] ?? []),
  }));

const simple = (count: number): KnownStatement[] =>
  Array.from({ length: count }, (_, index) => ({
    group: `case ${index >> 1}`,
    isRight: index % 2 === 0,
    vector: Float32Array.from([index % 2 === 0 ? 1 : -1, index % 7]),
  }));

const worst = (found: ArrayLike<number>, expected: readonly number[]) =>
  expected.reduce((most, value, index) => Math.max(most, Math.abs(value - (found[index] ?? Number.NaN))), 0);

describe('training', () => {
  test('gets the weights, ratings and figures of scikit-learn', () => {
    const statements = statementsOf(reference);
    const { isHeldOut, weights, holdout, training, isConverged } = trainAssistant(statements, { seed: reference.seed });
    const held = new Set(statements.flatMap(({ group }, index) => (isHeldOut[index] ? [group] : [])));
    expect([...held].toSorted()).toEqual(reference.held.toSorted());
    expect(isConverged).toBe(true);
    expect(weights).toHaveLength(reference.coefficients.length);
    expect(worst(weights, reference.coefficients)).toBeLessThan(1e-6);
    const kept = statements.filter((_, index) => isHeldOut[index]);
    const ratings = kept.map(({ vector }) => reliabilityOf({ weights }, vector));
    expect(worst(ratings, reference.ratings)).toBeLessThan(1e-6);
    expect(holdout).toMatchObject({ statements: 24, cases: 6 });
    expect(training).toMatchObject({ statements: 96, cases: 24 });
    expect(holdout.accuracy).toBeCloseTo(reference.accuracy, 12);
    expect(holdout.area).toBeCloseTo(reference.area, 12);
  });

  test('never has a case on both sides of the hold-out, with any seed', () => {
    for (let seed = 0; seed < 40; seed++) {
      const statements = statementsOf(reference);
      const { isHeldOut } = trainAssistant(statements, { seed });
      const sides = Map.groupBy(statements.keys(), (index) => statements[index]?.group);
      for (const places of sides.values()) expect(new Set(places.map((index) => isHeldOut[index])).size).toBe(1);
      expect(isHeldOut.filter(Boolean)).toHaveLength(24);
    }
  });

  test('does not depend on the held-out statements', () => {
    const statements = statementsOf(reference);
    const before = trainAssistant(statements, { seed: 42 });
    const changed = statements.map((statement, index) =>
      before.isHeldOut[index] ? { ...statement, isRight: !statement.isRight } : statement,
    );
    const after = trainAssistant(changed, { seed: 42 });
    expect(after.weights).toEqual(before.weights);
    expect(after.holdout.accuracy).toBeCloseTo(1 - before.holdout.accuracy, 12);
  });

  test('takes 50 statements and refuses 49, one case, and positions that are all right or all wrong', () => {
    const train = (statements: readonly KnownStatement[]) => () => trainAssistant(statements, { seed: 1 });
    expect(fewestStatements).toBe(50);
    expect(trainAssistant(simple(50), { seed: 1 }).training.statements).toBe(40);
    expect(train(simple(49))).toThrow('50 statements at least, and there are 49');
    expect(train(simple(60).map((statement) => ({ ...statement, group: 'one' })))).toThrow('about one case');
    expect(train(simple(60).map((statement) => ({ ...statement, isRight: true })))).toThrow('no statement holds a false label');
    expect(train(simple(60).map((statement) => ({ ...statement, isRight: false })))).toThrow('no statement holds a true label');
  });

  test('has no area where all held-out statements are of one kind', () => {
    const statements = simple(60);
    const { isHeldOut } = trainAssistant(statements, { seed: 3 });
    const oneKind = statements.map((statement, index) => (isHeldOut[index] ? { ...statement, isRight: true } : statement));
    expect(trainAssistant(oneKind, { seed: 3 }).holdout).toMatchObject({ area: null, threshold: null });
  });
});

test('the threshold best divides right from wrong, halfway between two ratings; of equals it is the one nearest to one half', () => {
  // At 0.35: both right ones at or above it and two of three wrong ones below it; at 0.65 one of two and all three.
  const isRight = [true, true, false, false, false];
  expect(bestThreshold([0.4, 0.8, 0.1, 0.3, 0.5], isRight)).toBeCloseTo(0.35, 12);
  expect(bestThreshold([0.7, 0.8, 0.1, 0.3, 0.2], isRight)).toBe(0.5);
  expect(bestThreshold([0.4, 0.8], [true, true])).toBeNull();
});

describe('a rating', () => {
  test('is the logistic function of the weighted vector of length 1', () => {
    // (3, 4) / 5 = (0.6, 0.8); 1 * 0.6 - 0.5 * 0.8 + 0.1 = 0.3; 1 / (1 + e^-0.3) = 0.574442...
    const weights = Float64Array.from([1, -0.5, 0.1]);
    expect(reliabilityOf({ weights }, Float32Array.from([3, 4]))).toBeCloseTo(1 / (1 + Math.exp(-0.3)), 7);
    expect(() => reliabilityOf({ weights }, new Float32Array(3))).toThrow(RangeError);
  });
});

test('numbers survive being written as text', () => {
  const floats = Float32Array.from([0, -0, 1.5, -3.25e-20, 0.1, Number.MAX_VALUE]);
  expect(floatsIn(floatsAsText(floats))).toEqual(floats);
  const doubles = Float64Array.from([0, Math.PI, -1e-300, 0.1]);
  expect(doublesIn(doublesAsText(doubles))).toEqual(doubles);
  expect(floatsAsText(Float32Array.from([1]))).toBe('AACAPw==');
});
