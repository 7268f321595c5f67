// What people call the columns of a data set, in addition to what the file calls them.
import type { Fact, ShownFact } from '../../shared/domain.ts';
import type { DatasetDefinition } from '../../shared/experiment.ts';

export type ColumnTerms = Pick<DatasetDefinition, 'names' | 'units'>;
export type ShownTerms = ColumnTerms & Pick<DatasetDefinition, 'namesInPrompts'>;

const of = (terms: Readonly<Record<string, string>> | undefined, column: string): string | undefined =>
  terms !== undefined && Object.hasOwn(terms, column) ? terms[column] : undefined;

/** A column as people read it, with its unit: `Yearly income (USD)`. The column's own name if it has no other. */
export function columnTitle(column: string, { names, units }: ColumnTerms): string {
  const unit = of(units, column);
  return `${of(names, column) ?? column}${unit === undefined ? '' : ` (${unit})`}`;
}

/** The titles of columns that have another than their own name, by column. */
export const otherTitles = (columns: readonly string[], terms: ColumnTerms): Record<string, string> =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const title = columnTitle(column, terms);
      return title === column ? [] : [[column, title]];
    }),
  );

/** A column by its title in a list of titles; the column's own name where the list has none. */
export const titleIn = (titles: Readonly<Record<string, string>> | undefined, column: string): string =>
  of(titles, column) ?? column;

export const groupName = (value: string): string => (value === '' ? 'not stated' : value);

/** Facts for a line of text: the title of each column and its value; of a single fact the value alone. */
export const factTexts = (facts: readonly ShownFact[]): string[][] =>
  facts.map(({ name, shown = name, value }) => (facts.length === 1 ? [value] : [shown, value]));

/** Facts in one line, to recognise a case: `Age: 22 · Sex: male`. */
export const factLine = (facts: readonly ShownFact[]): string =>
  factTexts(facts)
    .map((parts) => parts.join(': '))
    .join(' · ');

/** Facts with the titles of their columns and the names that models read, where these are not the titles already. */
export const shownFacts = (facts: readonly Fact[], terms: ShownTerms): ShownFact[] =>
  facts.map(({ name, value }) => {
    const shown = terms.namesInPrompts === true ? name : columnTitle(name, terms);
    return shown === name ? { name, value } : { name, value, shown };
  });

/** Endings that can only be a unit. */
const unitOfEnding: ReadonlyMap<string, string> = new Map([
  ...['usd', 'eur', 'gbp', 'chf', 'jpy', 'cny'].map((code) => [code, code.toUpperCase()] as const),
  ...['kg', 'mg', 'cm', 'mm', 'km', 'ml', 'mmhg', 'bpm'].map((unit) => [unit, unit] as const),
  ...['kW', 'kWh'].map((unit) => [unit.toLowerCase(), unit] as const),
  ...['pct', 'percent'].map((word) => [word, '%'] as const),
]);

/** A single `m` is metres only where the column names a length. */
const lengths = /length|width|height|depth|distance/i;

const endings = [/(?<=[\p{L}\d])[\s_.-]+(\p{L}+)$/u, /(?<=\p{Ll})(\p{Lu}(?:\p{Ll}*|\p{Lu}*))$/u];

function withUnit(column: string): { before: string; unit: string } | null {
  for (const ending of endings) {
    const [whole = '', word = ''] = ending.exec(column) ?? [];
    const before = column.slice(0, column.length - whole.length);
    const unit = unitOfEnding.get(word.toLowerCase()) ?? (word === 'm' && lengths.test(before) ? word : undefined);
    if (unit !== undefined) return { before, unit };
  }
  return null;
}

/**
 * A name and a unit for people, from only the words of a column: `number_of_arrests_by_2002` and `numberOfArrestsBy2002`
 * are `Number of arrests by 2002`, `income_usd` is `Income` in `USD`. Empty if its words cannot be separated.
 */
export function suggestedTerms(column: string): { name?: string; unit?: string } {
  const trimmed = column.trim();
  if (trimmed !== column && trimmed !== '') return { name: trimmed, ...suggestedTerms(trimmed) };
  const found = withUnit(column);
  const words = (found?.before ?? column)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/(\p{L}{2})(\d{4})(?!\d)/gu, '$1 $2')
    .split(/[\s_.-]+/u)
    .filter((word) => word !== '');
  const named = words.map((word) => (/^\p{Lu}\p{Ll}+$/u.test(word) ? word.toLowerCase() : word));
  const name = named.join(' ').replace(/^\p{Ll}/u, (first) => first.toUpperCase());
  // A single word can be read as it is, and so can a name that has spaces.
  const isNamed = (words.length > 1 || found !== null) && !column.includes(' ');
  return { ...(isNamed ? { name } : {}), ...(found === null ? {} : { unit: found.unit }) };
}
