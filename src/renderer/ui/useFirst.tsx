import { type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import { quantity } from './quantity.ts';

/** The first rows of a list, and a button that shows the rest; null where nothing is left out. @param noun of one row */
export function useFirst<Row>(
  rows: readonly Row[],
  most: number,
  noun: string,
): { readonly shown: readonly Row[]; readonly more: ReactNode } {
  const [isAll, setAll] = useState(false);
  if (isAll || rows.length <= most) return { shown: rows, more: null };
  const more = (
    <div>
      <Button size="small" onPress={() => setAll(true)}>
        Show all {quantity(rows.length, noun)}
      </Button>
    </div>
  );
  return { shown: rows.slice(0, most), more };
}
