import { type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import { quantity } from './quantity.ts';

/** In place of the button that was pressed: else the focus would be lost. */
const focus = (place: HTMLElement | null) => place?.focus({ preventScroll: true });

/** The first rows of a list, and a button that shows the rest; null where nothing was left out. @param noun of one row */
export function useFirst<Row>(
  rows: readonly Row[],
  most: number,
  noun: string,
): { readonly shown: readonly Row[]; readonly more: ReactNode } {
  const [isAll, setAll] = useState(false);
  if (rows.length <= most) return { shown: rows, more: null };
  if (isAll) {
    const all = (
      <p className="quiet" tabIndex={-1} ref={focus}>
        All {quantity(rows.length, noun)} are shown.
      </p>
    );
    return { shown: rows, more: all };
  }
  const more = (
    <div>
      <Button size="small" onPress={() => setAll(true)}>
        Show all {quantity(rows.length, noun)}
      </Button>
    </div>
  );
  return { shown: rows.slice(0, most), more };
}
