// Columns that look as if they named or located a person: a court rarely needs them, and a record keeps them.
import type { DatasetCase } from '../../../shared/domain.ts';

interface Kind {
  readonly what: string;
  /** Words of a column's name. */
  readonly name: RegExp;
  /** A whole value; only what hardly anything else looks like. */
  readonly value?: RegExp;
}

const kinds: readonly Kind[] = [
  { what: 'e-mail addresses', name: /^e ?mails?( address)?$/, value: /^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i },
  { what: 'telephone numbers', name: /\b(phone|telephone|mobile|fax)\b/, value: /^\+\d[\d ()/.-]{7,18}$/ },
  {
    what: 'bank accounts',
    name: /\b(iban|account number|credit card)\b/,
    value: /^[A-Z]{2}\d{2} ?(?:[A-Z0-9]{4} ?){2,7}[A-Z0-9]{0,4}$/,
  },
  {
    what: 'numbers of identity papers',
    name: /\b(ssn|social security|passport|national id|tax id|nino|driving licen[cs]e)\b/,
    value: /^\d{3}-\d{2}-\d{4}$/,
  },
  {
    what: 'names',
    name: /^(full |first |last |given |family |middle |person |applicant |patient |client |customer )?(name|surname|forename)s?$/,
  },
  { what: 'addresses', name: /\b(street|postal address|home address|post ?code|zip( code)?)\b|^address$/ },
  { what: 'dates of birth', name: /\b(dob|date of birth|birth ?date|birthday)\b/ },
  { what: 'network addresses', name: /\b(ip( address)?|mac address)\b/, value: /^(?:\d{1,3}\.){3}\d{1,3}$/ },
];

/** `firstName`, `first_name` and `First-Name` as `first name`. */
const wordsOf = (column: string): string =>
  column
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/[_\-.\s]+/g, ' ')
    .trim()
    .toLowerCase();

/** So many of the values of a column have to look like it. */
const leastShare = 0.5;

export interface PersonalColumn {
  readonly column: string;
  readonly what: string;
}

/** Columns whose name or values look personal, in their order. */
export function personalColumns(columns: readonly string[], cases: readonly Pick<DatasetCase, 'facts'>[]): PersonalColumn[] {
  const counts = new Map(columns.map((column) => [column, { values: 0, fits: kinds.map(() => 0) }]));
  for (const { facts } of cases) {
    for (const { name, value } of facts) {
      const count = counts.get(name);
      if (count === undefined) continue;
      count.values += 1;
      kinds.forEach((kind, index) => {
        if (kind.value?.test(value.trim()) === true) count.fits[index] = (count.fits[index] ?? 0) + 1;
      });
    }
  }
  return columns.flatMap((column) => {
    const { values, fits } = counts.get(column) ?? { values: 0, fits: [] };
    const found = kinds.find(
      (kind, index) => kind.name.test(wordsOf(column)) || (values > 0 && (fits[index] ?? 0) >= leastShare * values),
    );
    return found === undefined ? [] : [{ column, what: found.what }];
  });
}
