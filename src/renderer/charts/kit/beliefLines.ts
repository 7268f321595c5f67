import type { DeliberationFigures, DeliberationMeasure } from '../../../shared/api/deliberation.ts';

/** What the figures of deliberation share: their source, and its tables read row by row. */

export interface Held {
  /** Place in `steps`. */
  readonly step: number;
  readonly value: number;
}

export interface HeldLine {
  /** Place in `rows`. */
  readonly row: number;
  readonly rules: boolean;
  readonly points: readonly Held[];
}

export function heldLines({ lines, points }: Pick<DeliberationFigures, 'lines' | 'points'>): HeldLine[] {
  return lines.row.map((row, place) => {
    const from = lines.from[place] ?? 0;
    const end = lines.from[place + 1] ?? points.step.length;
    return {
      row,
      rules: lines.rules[place] === 1,
      points: Array.from({ length: end - from }, (_, index) => ({
        step: points.step[from + index] ?? 0,
        value: points.value[from + index] ?? 0,
      })),
    };
  });
}

export function rowsByArm({ rows }: Pick<DeliberationFigures, 'rows'>): ReadonlyMap<number, readonly number[]> {
  return Map.groupBy(rows.trial.keys(), (row) => rows.arm[row] ?? -1);
}

export const idsOf = ({ rows }: Pick<DeliberationFigures, 'rows'>, wanted: readonly number[]): string[] =>
  wanted.flatMap((row) => rows.trial[row] ?? []);

export const measureOf = (
  { measures }: Pick<DeliberationFigures, 'measures'>,
  arm: number,
  name: string,
  split: DeliberationMeasure['split'] = null,
) => measures.find((each) => each.arm === arm && each.measure.name === name && each.split === split)?.measure;

/** Names of several lists in one order that keeps that of each: a new one comes after the one it follows in its own list. */
export function mergedOrder(lists: readonly (readonly string[])[]): string[] {
  const merged: string[] = [];
  for (const list of lists) {
    list.forEach((name, place) => {
      if (merged.includes(name)) return;
      const before = list[place - 1];
      merged.splice(before === undefined ? 0 : merged.indexOf(before) + 1, 0, name);
    });
  }
  return merged;
}
