import { percent } from '../../../core/figures/shares.ts';
import { shareAxis, shownName } from './axes.ts';
import type { Mark, Plot, TrialsBehind } from './figure.ts';
import { rowsLayout } from './layout.ts';
import { bar } from './marks.ts';

interface PartRows<Row> {
  readonly rows: readonly Row[];
  name(row: Row): string;
  /** What a whole is divided into. */
  readonly kinds: readonly { readonly id: string; readonly name: string }[];
  /** Of one kind in a row, and of all. */
  part(row: Row, id: string): number;
  whole(row: Row): number;
  /** Of a part that is not empty. */
  behind(row: Row, id: string): TrialsBehind;
  readonly marks: readonly Mark[];
  /** Names of `marks` in the legend. */
  readonly names: readonly string[];
  /** End of the scale, 0-1. */
  readonly max?: number;
}

/** `court`, `timed out: 2 of 40, 5%`: a part in a tooltip. */
export const partText = (of: string, name: string, part: number, whole: number): string =>
  `${shownName(of)}\n${name}: ${part} of ${whole}, ${percent(part / whole)}`;

/** Rows of stacked bars, the shares of some kinds in a whole, with further marks under them. */
export function partRows<Row>(terms: PartRows<Row>): Pick<Plot, 'height' | 'layout' | 'legend' | 'marks'> {
  const { rows, name: nameOf, kinds, part, whole, behind, marks, names, max = 1 } = terms;
  return {
    ...rowsLayout(rows.map(nameOf), (paint) => shareAxis(paint, { max }), { head: 40, high: 34 }),
    legend: [...kinds.map(({ name }) => name), ...names],
    marks: [
      ...kinds.map(({ id, name }, colour) =>
        bar({
          id,
          name,
          rows,
          stack: 'parts',
          width: 12,
          edge: 0.5,
          colour,
          value: (row) => part(row, id) / whole(row),
          tip: (row) => partText(nameOf(row), name, part(row, id), whole(row)),
          behind: (row) => (part(row, id) === 0 ? null : behind(row, id)),
        }),
      ),
      ...marks,
    ],
  };
}
