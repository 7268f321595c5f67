import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { critScore } from './score.ts';

const weight = fc.record({
  validity: fc.double({ min: 1, max: 10, noNaN: true }),
  credibility: fc.double({ min: 0, max: 1, noNaN: true }),
});
const weights = fc.array(weight, { maxLength: 6 });

describe('critScore', () => {
  test('by hand: reasons of 7 against the strongest rival', () => {
    // s = (8 x 0.5 + 6 x 0.5) / 1 = 7; r = 10; G = 1 + 6 (1 - 9/18) = 4
    const reasons = [
      { validity: 8, credibility: 0.5 },
      { validity: 6, credibility: 0.5 },
    ];
    expect(critScore(reasons, [{ validity: 10, credibility: 1 }])).toBeCloseTo(4, 12);
    // s = (9 x 0.9 + 3 x 0.3) / 1.2 = 7.5; r = (4 x 0.5 + 6 x 0.25) / 0.75 = 14/3; G = 1 + 6.5 (1 - (11/3)/18)
    const uneven = [
      { validity: 9, credibility: 0.9 },
      { validity: 3, credibility: 0.3 },
    ];
    const rivals = [
      { validity: 4, credibility: 0.5 },
      { validity: 6, credibility: 0.25 },
    ];
    expect(critScore(uneven, rivals)).toBeCloseTo(1 + 6.5 * (1 - 11 / 54), 12);
  });

  test('is from 1 to 10 for any reasons and rivals', () => {
    fc.assert(
      fc.property(weights, weights, (reasons, rivals) => {
        const score = critScore(reasons, rivals);
        expect(score).toBeGreaterThanOrEqual(1);
        expect(score).toBeLessThanOrEqual(10);
      }),
    );
  });

  test('without rivals, or with rivals with no credibility, it is what the reasons are worth', () => {
    const reasons = [{ validity: 8, credibility: 0.4 }];
    expect(critScore(reasons, [])).toBeCloseTo(8, 12);
    expect(critScore(reasons, [{ validity: 10, credibility: 0 }])).toBeCloseTo(8, 12);
    expect(critScore([{ validity: 10, credibility: 1 }], [])).toBe(10);
  });

  test('no reason, or none that can be believed, is worth 1', () => {
    expect(critScore([], [])).toBe(1);
    expect(critScore([], [{ validity: 10, credibility: 1 }])).toBe(1);
    expect(critScore([{ validity: 10, credibility: 0 }], [{ validity: 5, credibility: 0.5 }])).toBe(1);
  });

  test('the strongest rivals take half of what the reasons are worth above 1', () => {
    expect(critScore([{ validity: 10, credibility: 1 }], [{ validity: 10, credibility: 1 }])).toBeCloseTo(5.5, 12);
  });

  test('falls as rivals grow stronger and rises with the reasons', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1, max: 10, noNaN: true }),
        fc.double({ min: 1, max: 10, noNaN: true }),
        fc.double({ min: 1, max: 10, noNaN: true }),
        (fixed, one, other) => {
          const [weaker, stronger] = [Math.min(one, other), Math.max(one, other)];
          const of = (validity: number) => [{ validity, credibility: 0.7 }];
          expect(critScore(of(fixed), of(stronger))).toBeLessThanOrEqual(critScore(of(fixed), of(weaker)) + 1e-9);
          expect(critScore(of(stronger), of(fixed))).toBeGreaterThanOrEqual(critScore(of(weaker), of(fixed)) - 1e-9);
        },
      ),
    );
  });

  test('ignores the order of reasons and reasons with no credibility', () => {
    fc.assert(
      fc.property(weights, weights, (reasons, rivals) => {
        const padded = [...reasons.toReversed(), { validity: 10, credibility: 0 }];
        expect(critScore(padded, rivals.toReversed())).toBeCloseTo(critScore(reasons, rivals), 9);
      }),
    );
  });
});
