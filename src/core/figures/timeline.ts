import type { BeliefChange } from './beliefChanges.ts';

/** One row's piece of a line that runs down beside rows of unknown height. Positions across, 0-1. */
export interface TimelinePiece {
  /** Where the line enters at the row's upper edge; null where it does not. */
  readonly top: number | null;
  /** The dot at half the row's height; null for a row without a value. */
  readonly dot: number | null;
  /** Where it leaves at the lower edge. */
  readonly bottom: number | null;
}

/**
 * Divides a line through values, one row each, into pieces that every row can draw by itself: neighbours meet at their
 * common edge, half way between their values. Through rows without a value the line goes straight from edge to edge.
 */
export function timelinePieces(values: readonly (number | null)[]): TimelinePiece[] {
  const before: (number | null)[] = [];
  for (const value of values) before.push(value ?? before.at(-1) ?? null);
  const after: (number | null)[] = values.map(() => null);
  for (let row = values.length - 1; row >= 0; row--) after[row] = values[row] ?? after[row + 1] ?? null;
  const edge = (row: number): number | null => {
    const [above, below] = [before[row - 1] ?? null, after[row] ?? null];
    return above === null || below === null ? null : (above + below) / 2;
  };
  return values.map((dot, row) => ({ top: edge(row), dot, bottom: edge(row + 1) }));
}

/** The role that stated most beliefs; of equals the one that did so last, which is the one that rules. */
export function timelineRole(beliefs: readonly BeliefChange[]): string | null {
  const counts = new Map<string, number>();
  for (const { role } of beliefs.toReversed()) counts.set(role, (counts.get(role) ?? 0) + 1);
  const [most] = [...counts].toSorted((one, other) => other[1] - one[1]);
  return most?.[0] ?? null;
}
