import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { distributionBelief, pairBelief } from './verbalBelief.ts';

describe('pairBelief', () => {
  const labels = ['NO', 'YES'];

  test.each([
    // prediction, confidence, P(NO), P(YES), inconsistent
    ['YES', 0.75, 0.25, 0.75, false],
    ['NO', 0.75, 0.75, 0.25, false],
    ['YES', 1, 0, 1, false],
    ['YES', 0.5, 0.5, 0.5, false],
    ['YES', 0.25, 0.75, 0.25, true],
    ['NO', 0, 0, 1, true],
  ])('%s with %d', (prediction, confidence, no, yes, inconsistent) => {
    expect(pairBelief(labels, prediction, confidence)).toEqual({ belief: { NO: no, YES: yes }, confidence, inconsistent });
  });

  test('without a confidence there is no belief', () => {
    expect(pairBelief(labels, 'YES', null)).toEqual({ belief: null, confidence: null, inconsistent: false });
  });

  test.each([[Number.NaN], [-0.01], [1.01], [70], [Number.POSITIVE_INFINITY]])('refuses a confidence of %d', (confidence) => {
    expect(() => pairBelief(labels, 'YES', confidence)).toThrow(RangeError);
  });

  test('refuses other than two distinct labels, and a prediction that is none', () => {
    expect(() => pairBelief(['A', 'B', 'C'], 'A', 0.5)).toThrow(/two labels/);
    expect(() => pairBelief(['A', 'A'], 'A', 0.5)).toThrow(/distinct/);
    expect(() => pairBelief(labels, 'yes', 0.5)).toThrow(/not a label/);
  });
});

describe('distributionBelief', () => {
  const labels = ['A', 'B', 'C'];

  test('percent and parts of one give the same belief', () => {
    const expected = { belief: { A: 0.5, B: 0.25, C: 0.25 }, confidence: 0.5, inconsistent: false };
    expect(distributionBelief(labels, 'A', { A: 50, B: 25, C: 25 })).toEqual(expected);
    expect(distributionBelief(labels, 'A', { A: 0.5, B: 0.25, C: 0.25 })).toEqual(expected);
  });

  test('a sum that is not 100 is normalised: 30/80, 30/80, 20/80', () => {
    expect(distributionBelief(labels, 'B', { A: 30, B: 30, C: 20 })).toEqual({
      belief: { A: 0.375, B: 0.375, C: 0.25 },
      confidence: 0.375,
      inconsistent: false,
    });
  });

  test('the prediction is kept when another label is likelier, and is flagged', () => {
    expect(distributionBelief(labels, 'C', { A: 60, B: 30, C: 10 })).toMatchObject({ confidence: 0.1, inconsistent: true });
  });

  test.each([
    { A: 0, B: 0, C: 0 },
    { A: 110, B: -10, C: 0 },
    { A: 60, B: 40 },
    { A: 60, B: 30, C: 5, D: 5 },
    { A: Number.NaN, B: 1, C: 1 },
    { A: Number.MAX_VALUE, B: Number.MAX_VALUE, C: 1 },
  ])('%j is no belief', (stated) => {
    const result = distributionBelief(labels, 'A', stated as Record<string, number>);
    expect(result).toEqual({ belief: null, confidence: null, inconsistent: false });
  });

  test('labels that are names of object members stay labels', () => {
    const odd = ['__proto__', 'constructor', 'toString'];
    const stated = Object.fromEntries(odd.map((label, index) => [label, index + 1]));
    const { belief, confidence } = distributionBelief(odd, '__proto__', stated);
    expect(Object.entries(belief ?? {})).toEqual([
      ['__proto__', 1 / 6],
      ['constructor', 2 / 6],
      ['toString', 3 / 6],
    ]);
    expect(confidence).toBe(1 / 6);
  });

  test('property: a belief sums to one and is consistent exactly for the likeliest labels', () => {
    const numbers = fc.array(fc.double({ min: 0, max: 100, noNaN: true }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(numbers, fc.nat(), (values, at) => {
        const names = values.map((_, index) => `label ${index}`);
        const chosen = at % values.length;
        const stated = Object.fromEntries(names.map((name, index) => [name, values[index] ?? 0]));
        const result = distributionBelief(names, `label ${chosen}`, stated);
        if (result.belief === null) return values.every((value) => value === 0);
        const sum = Object.values(result.belief).reduce((total, probability) => total + probability, 0);
        const likeliest = Math.max(...Object.values(result.belief));
        return Math.abs(sum - 1) < 1e-9 && result.inconsistent === (result.confidence ?? 0) < likeliest;
      }),
    );
  });
});
