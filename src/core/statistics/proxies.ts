import type { AttributeProxy } from '../../shared/changeStatistics.ts';
import type { Fact } from '../../shared/domain.ts';
import { randomSource, shuffled } from '../cases/shuffle.ts';
import { benjaminiHochberg } from './adjustedPValues.ts';

/** The most values of a fact that are compared as they are. With more, numbers are put into five parts of equal size, and words are left out. */
const mostValues = 10;
const parts = 5;
const exchanges = 1000;

/** The values of a fact as a few groups; null where they are too many words. */
function grouped(values: readonly string[]): string[] | null {
  if (new Set(values).size <= mostValues) return [...values];
  const numbers = values.map(Number);
  if (numbers.some((number) => !Number.isFinite(number))) return null;
  const sorted = numbers.toSorted((one, other) => one - other);
  const edges = Array.from({ length: parts - 1 }, (_, part) => sorted[Math.floor(((part + 1) * sorted.length) / parts)] ?? 0);
  return numbers.map((number) => String(edges.filter((edge) => number >= edge).length));
}

const codesOf = (values: readonly string[]) => {
  const known = [...new Set(values)];
  return { codes: values.map((value) => known.indexOf(value)), count: known.length };
};

/** Pearson's chi-square of two codings of the same cases, over n. */
function meanSquare(one: readonly number[], other: readonly number[], rows: number, columns: number): number {
  const cells = new Float64Array(rows * columns);
  const [ofRow, ofColumn] = [new Float64Array(rows), new Float64Array(columns)];
  one.forEach((row, place) => {
    const column = other[place] ?? 0;
    cells[row * columns + column] = (cells[row * columns + column] ?? 0) + 1;
    ofRow[row] = (ofRow[row] ?? 0) + 1;
    ofColumn[column] = (ofColumn[column] ?? 0) + 1;
  });
  return (
    cells.reduce(
      (sum, seen, at) => sum + seen ** 2 / ((ofRow[Math.floor(at / columns)] ?? 1) * (ofColumn[at % columns] ?? 1)),
      0,
    ) - 1
  );
}

/**
 * How closely each fact goes with an attribute over the cases, the closest first: Cramér's V, 0-1, corrected for the size of the table
 * (Bergsma, A bias-correction for Cramér's V and Tschuprow's T, 2013), with p by exchanging the attribute between cases at random, adjusted
 * after Benjamini and Hochberg over the facts. Where an attribute alone is changed, such facts still reveal it.
 * Example: of 8 cases, 4 with sex f and degree yes and 4 with m and no: V is 1.
 * @param cases the facts of each; those without the attribute are left out
 */
export function proxiesOf(attribute: string, cases: readonly (readonly Fact[])[], seed: number): AttributeProxy[] {
  const valueIn = (facts: readonly Fact[], name: string) => facts.find((fact) => fact.name === name)?.value;
  const having = cases.filter((facts) => valueIn(facts, attribute) !== undefined);
  const names = [...new Set(having.flatMap((facts) => facts.map(({ name }) => name)))].filter((name) => name !== attribute);
  const found = names.flatMap((fact) => {
    const both = having.filter((facts) => valueIn(facts, fact) !== undefined);
    const values = grouped(both.map((facts) => valueIn(facts, fact) ?? ''));
    if (values === null) return [];
    const [one, other] = [codesOf(both.map((facts) => valueIn(facts, attribute) ?? '')), codesOf(values)];
    const [n, r, k] = [both.length, one.count, other.count];
    if (r < 2 || k < 2 || n < 3) return [];
    const seen = meanSquare(one.codes, other.codes, r, k);
    const free = Math.max(0, seen - ((k - 1) * (r - 1)) / (n - 1));
    const [rows, columns] = [r - (r - 1) ** 2 / (n - 1), k - (k - 1) ** 2 / (n - 1)];
    const random = randomSource(seed, 'proxies');
    let farther = 0;
    for (let run = 0; run < exchanges; run++) {
      if (meanSquare(shuffled(one.codes, random), other.codes, r, k) >= seen - 1e-12) farther += 1;
    }
    const association = Math.min(1, Math.sqrt(free / Math.max(1e-12, Math.min(rows - 1, columns - 1))));
    return [{ attribute, fact, association, n, p_value: (1 + farther) / (1 + exchanges) }];
  });
  const adjusted = benjaminiHochberg(found.map(({ p_value: p }) => p));
  return found
    .map((each, place) => ({ ...each, p_adjusted: adjusted[place] ?? 1 }))
    .toSorted((one, other) => other.association - one.association);
}
