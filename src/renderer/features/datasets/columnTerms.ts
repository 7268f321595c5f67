import { type ColumnTerms, suggestedTerms } from '../../../core/cases/columnNames.ts';
import { capitalized } from '../../../core/text/visible.ts';

export type Terms = { readonly [Part in keyof ColumnTerms]-?: NonNullable<ColumnTerms[Part]> };

/** Where one column has a suggested name, a single lower-case word begins with a capital as that name does. */
export function suggestedFor(columns: readonly string[]): Terms {
  const suggested = columns.map((column) => ({ column, ...suggestedTerms(column) }));
  const isNamed = suggested.some(({ name }) => name !== undefined);
  const found = suggested.map((each) => {
    const capital = capitalized(each.column);
    return isNamed && each.name === undefined && /^\p{Ll}+$/u.test(each.column) && !columns.includes(capital)
      ? { ...each, name: capital }
      : each;
  });
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
