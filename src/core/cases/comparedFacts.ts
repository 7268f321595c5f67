// What the facts of two cases have in common, and which cases have facts most like those of one.
import type { Fact, ShownFact } from '../../shared/domain.ts';
import { numberIn } from '../imported/prediction.ts';
import { tieGroups } from '../statistics/tieGroups.ts';

/** A fact that at least one of two cases has. */
export interface ComparedFact {
  /** For people. */
  readonly title: string;
  /** Its value in each case; null where the case does not have the fact. */
  readonly one: string | null;
  readonly other: string | null;
  /** Whether both have the same value. Numbers are compared as numbers: `1` and `1.0` are the same. */
  readonly isSame: boolean;
}

function isSameValue(one: string | null, other: string | null): boolean {
  if (one === other) return true;
  const number = one === null ? null : numberIn(one);
  return number !== null && other !== null && number === numberIn(other);
}

const byName = <Given extends Fact>(facts: readonly Given[]) => new Map(facts.map((fact) => [fact.name, fact]));

/** The facts of two cases, each once: those of the first in their order, then those that only the second has. */
export function comparedFacts(ofOne: readonly ShownFact[], ofOther: readonly ShownFact[]): ComparedFact[] {
  const [inOne, inOther] = [byName(ofOne), byName(ofOther)];
  return [...byName([...ofOne, ...ofOther]).values()].map(({ name, shown = name }) => {
    const [one, other] = [inOne.get(name)?.value ?? null, inOther.get(name)?.value ?? null];
    return { title: shown, one, other, isSame: isSameValue(one, other) };
  });
}

/** Ranks by number, equal numbers with the mean of their ranks; null where some value is no number. */
function ranksOf(values: readonly string[]): ReadonlyMap<number, number> | null {
  const numbers = values.flatMap((value) => numberIn(value) ?? []);
  if (numbers.length < values.length) return null;
  const { order, ends } = tieGroups(numbers);
  const ranks = new Map<number, number>();
  let first = 0;
  for (const end of ends) {
    for (const place of order.subarray(first, end)) ranks.set(numbers[place] ?? 0, (first + end - 1) / 2);
    first = end;
  }
  return ranks;
}

/** How far each case is from one in its facts that are numbers: see `byLikeness`. */
function rankDistances(facts: readonly Fact[], others: readonly { readonly facts: readonly Fact[] }[]): number[] {
  const values = others.map((other) => byName(other.facts));
  const sums = others.map(() => 0);
  for (const { name, value } of facts) {
    const column = values.map((known) => known.get(name)?.value);
    const ranks = ranksOf([value, ...column.filter((each) => each !== undefined)]);
    if (ranks === null) continue;
    const rank = (text: string) => ranks.get(numberIn(text) ?? 0) ?? 0;
    column.forEach((each, index) => {
      sums[index] = (sums[index] ?? 0) + (each === undefined ? others.length : Math.abs(rank(each) - rank(value)));
    });
  }
  return sums;
}

/**
 * Cases in the order of how like one case they are, by their facts alone:
 *
 *   1. the more facts are the same as in `comparedFacts`;
 *   2. among equals, the smaller sum of |rank of its value - rank of the value of the one case|, over the facts of the one
 *      case in which every case that has the fact has a number. Ranks are among all these cases and the one, equal numbers with
 *      the mean of their ranks; a case without the fact is as far away as there are other cases;
 *   3. among equals, those that are ruled otherwise first; then as they were given.
 *
 * It is a way to find cases to read, and no measure: every fact counts the same, and words are either the same or not.
 */
export function byLikeness<Other extends { readonly facts: readonly Fact[]; readonly isOtherwise: boolean }>(
  facts: readonly Fact[],
  others: readonly Other[],
): Other[] {
  const distances = rankDistances(facts, others);
  return others
    .map((other, index) => ({
      other,
      same: comparedFacts(facts, other.facts).filter(({ isSame }) => isSame).length,
      distance: distances[index] ?? 0,
    }))
    .toSorted((a, b) => b.same - a.same || a.distance - b.distance || Number(b.other.isOtherwise) - Number(a.other.isOtherwise))
    .map(({ other }) => other);
}
