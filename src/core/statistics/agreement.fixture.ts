import fc from 'fast-check';
import { expect } from 'vitest';
import type { BelievedCase } from './distribution.ts';

/** Holds a statistic against its reference: both undefined, or equal to 1e-9. */
export function expectAgreement(actual: number | null, reference: number | null): void {
  if (actual === null || reference === null) expect(actual).toBe(reference);
  else expect(Math.abs(actual - reference), `${actual} against ${reference}`).toBeLessThanOrEqual(1e-9);
}

/** The items, each as often as its weight says: what weights mean. */
export function repeated<T>(items: readonly T[], weights: readonly number[]): T[] {
  return items.flatMap((item, index) => new Array<T>(weights[index] ?? 0).fill(item));
}

/** Up to 30 items, each with a weight from 0 to 3. */
export function weighted<T>(item: fc.Arbitrary<T>): fc.Arbitrary<{ items: T[]; weights: number[] }> {
  return fc
    .array(fc.tuple(item, fc.integer({ min: 0, max: 3 })), { maxLength: 30 })
    .map((pairs) => ({ items: pairs.map(([value]) => value), weights: pairs.map(([, weight]) => weight) }));
}

/** A confidence from 0 to 1, often equal to another, and whether the prediction was right. */
export const judged = fc.record({
  confidence: fc.oneof(fc.constantFrom(0, 0.5, 0.7, 0.9, 1), fc.double({ min: 0, max: 1, noNaN: true })),
  isCorrect: fc.boolean(),
});

/** A belief in parts of a whole, often with equal ones, and a truth. */
export function believedCase(labels: readonly string[]): fc.Arbitrary<BelievedCase> {
  const parts = fc
    .array(fc.integer({ min: 0, max: 4 }), { minLength: labels.length, maxLength: labels.length })
    .filter((shares) => shares.some((share) => share > 0));
  return fc.record({ parts, truth: fc.constantFrom(...labels) }).map(({ parts: shares, truth }) => {
    const whole = shares.reduce((sum, share) => sum + share, 0);
    return { belief: Object.fromEntries(labels.map((label, place) => [label, (shares[place] ?? 0) / whole])), truth };
  });
}
