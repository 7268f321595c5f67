import fc from 'fast-check';
import { expect } from 'vitest';

/** Holds a statistic against its reference: both undefined, or equal to 1e-9. */
export function expectAgreement(actual: number | null, reference: number | null): void {
  if (actual === null || reference === null) expect(actual).toBe(reference);
  else expect(Math.abs(actual - reference), `${actual} against ${reference}`).toBeLessThanOrEqual(1e-9);
}

/** The items with each standing as often as its weight says: what weights mean. */
export function repeated<T>(items: readonly T[], weights: readonly number[]): T[] {
  return items.flatMap((item, index) => new Array<T>(weights[index] ?? 0).fill(item));
}

/** Up to 30 items, each with a weight from 0 to 3. */
export function weighted<T>(item: fc.Arbitrary<T>): fc.Arbitrary<{ items: T[]; weights: number[] }> {
  return fc
    .array(fc.tuple(item, fc.integer({ min: 0, max: 3 })), { maxLength: 30 })
    .map((pairs) => ({ items: pairs.map(([value]) => value), weights: pairs.map(([, weight]) => weight) }));
}
