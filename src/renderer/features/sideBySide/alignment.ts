import { diffArrays } from 'diff';

/** Two turns that answer each other, or one that the other trial does not have. */
export interface Aligned<T> {
  readonly a: T | null;
  readonly b: T | null;
}

/**
 * Puts the turns of two trials side by side: those of one name in the same order, the others alone. Each is in
 * exactly one row, and both trials keep their order.
 */
export function align<T>(a: readonly T[], b: readonly T[], nameOf: (turn: T) => string): Aligned<T>[] {
  const rows: Aligned<T>[] = [];
  let [inA, inB] = [0, 0];
  for (const { count, added, removed } of diffArrays(a.map(nameOf), b.map(nameOf))) {
    for (let turn = 0; turn < count; turn++) {
      rows.push({ a: added ? null : (a[inA++] ?? null), b: removed ? null : (b[inB++] ?? null) });
    }
  }
  return rows;
}

/** Whether at least half of the turns that could have a counterpart have one. */
export function correspond<T>(rows: readonly Aligned<T>[]): boolean {
  const both = rows.filter(({ a, b }) => a !== null && b !== null).length;
  const [ofA, ofB] = [rows.filter(({ a }) => a !== null).length, rows.filter(({ b }) => b !== null).length];
  return both * 2 >= Math.min(ofA, ofB);
}

/** Puts the turns of two trials side by side by their place alone. */
export const byPosition = <T>(a: readonly T[], b: readonly T[]): Aligned<T>[] =>
  Array.from({ length: Math.max(a.length, b.length) }, (_none, place) => ({ a: a[place] ?? null, b: b[place] ?? null }));
