import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAgreement, judged, repeated, weighted } from './agreement.fixture.ts';
import { areaUnderCurve, prepareAreaUnderCurve, prepareOneVersusRestArea } from './areaUnderCurve.ts';
import type { BelievedCase } from './distribution.ts';
import { confidenceSets } from './reference.fixture.ts';
import { isSame } from './sameNumber.ts';
import { equalWeights } from './weights.ts';

describe('areaUnderCurve', () => {
  test('one class only, one case, none: undefined', () => {
    expect(areaUnderCurve([0.1, 0.9], [true, true])).toBeNull();
    expect(areaUnderCurve([0.1, 0.9], [false, false])).toBeNull();
    expect(areaUnderCurve([0.1], [true])).toBeNull();
    expect(areaUnderCurve([], [])).toBeNull();
    expect(areaUnderCurve([0.1, 0.9], [true, false], [1, 0])).toBeNull();
  });

  test('by hand: a score that only rounding lifts above another ties with it', () => {
    expect(areaUnderCurve([0.1 + 0.2, 0.3], [true, false])).toBe(0.5);
    expect(areaUnderCurve([0.3, 1 - 0.7, 0.2], [true, false, false])).toBe(0.75);
  });

  test('refuses what does not fit', () => {
    expect(() => areaUnderCurve([0.1], [true, false])).toThrow(/1 scores for 2 cases/);
    expect(() => areaUnderCurve([Number.NaN, 1], [true, false])).toThrow(RangeError);
    expect(() => areaUnderCurve([0, 1], [true, false], [1])).toThrow(RangeError);
    expect(() => areaUnderCurve([0, 1], [true, false], [1, 0.5])).toThrow(RangeError);
  });

  test.each(confidenceSets)('scikit-learn roc_auc_score: $name', ({ confidence, isCorrect, weights, expected, ...set }) => {
    const prepared = prepareAreaUnderCurve(confidence, isCorrect);
    expectAgreement(areaUnderCurve(confidence, isCorrect), expected.areaUnderCurve);
    expectAgreement(prepared(Uint32Array.from(weights)), set.weighted.areaUnderCurve);
    expectAgreement(prepared(confidence.map(() => 1)), expected.areaUnderCurve);
  });

  test('property: the share of pairs won, counted one by one; a weight is a repetition', () => {
    fc.assert(
      fc.property(weighted(judged), ({ items, weights }) => {
        const all = repeated(items, weights);
        const pairs = all.flatMap((a) =>
          a.isCorrect ? all.filter((b) => !b.isCorrect).map((b) => a.confidence - b.confidence) : [],
        );
        const won = pairs.reduce((sum, gap) => sum + (isSame(gap, 0) ? 0.5 : gap > 0 ? 1 : 0), 0);
        const area = prepareAreaUnderCurve(
          items.map(({ confidence }) => confidence),
          items.map(({ isCorrect }) => isCorrect),
        );
        expectAgreement(area(weights), pairs.length === 0 ? null : won / pairs.length);
      }),
    );
  });
});

describe('prepareOneVersusRestArea', () => {
  const areaOf = (cases: readonly BelievedCase[], labels: readonly string[]) =>
    prepareOneVersusRestArea(cases, labels)(equalWeights(cases.length));

  test('by hand: A is separated (1), B is not (0.5), C never true', () => {
    const cases = [
      { belief: { A: 0.6, B: 0.4 }, truth: 'A' },
      { belief: { A: 0.2, B: 0.4, C: 0.4 }, truth: 'B' },
    ];
    expect(areaOf(cases, ['A', 'B', 'C'])).toBe(0.75);
  });

  test('one class only, no cases: undefined', () => {
    expect(areaOf([{ belief: { A: 1 }, truth: 'A' }], ['A', 'B'])).toBeNull();
    expect(areaOf([], ['A', 'B'])).toBeNull();
  });

  test('refuses a belief that is no distribution and a truth that is no label', () => {
    expect(() => areaOf([{ belief: { A: 0.3 }, truth: 'A' }], ['A', 'B'])).toThrow(RangeError);
    expect(() => areaOf([{ belief: { A: 1 }, truth: 'X' }], ['A', 'B'])).toThrow(/"X"/);
  });
});
