import { type ColumnTerms, suggestedTerms } from '../../../core/cases/columnNames.ts';

export type Terms = { readonly [Part in keyof ColumnTerms]-?: NonNullable<ColumnTerms[Part]> };

export function suggestedFor(columns: readonly string[]): Terms {
  const found = columns.map((column) => ({ column, ...suggestedTerms(column) }));
  const of = (part: 'name' | 'unit') =>
    Object.fromEntries(found.flatMap(({ column, [part]: text }) => (text === undefined ? [] : [[column, text]])));
  return { names: of('name'), units: of('unit') };
}

const filled = (terms: Readonly<Record<string, string>>, columns: readonly string[]) => {
  const entries = columns.flatMap((column) => {
    const text = Object.hasOwn(terms, column) ? terms[column]?.trim() : '';
    return text === undefined || text === '' || text === column ? [] : [[column, text] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
};

/** The names and units of these columns that say more than the columns; absent where none does. */
export function termsFor({ names, units }: Terms, columns: readonly string[]): ColumnTerms {
  const given = { names: filled(names, columns), units: filled(units, columns) };
  return { ...(given.names && { names: given.names }), ...(given.units && { units: given.units }) };
}
