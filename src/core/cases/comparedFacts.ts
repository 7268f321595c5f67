// What the facts of two cases have in common, and which cases have facts most like those of one.
import type { Fact, ShownFact } from '../../shared/domain.ts';
import { numberIn } from '../imported/prediction.ts';
import { tieGroups } from '../statistics/tieGroups.ts';

export interface ComparedFact {
  readonly name: string;
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
    return { name, title: shown, one, other, isSame: isSameValue(one, other) };
  });
}

/** Ranks of the values that are numbers, from 0 for the lowest to 1 for the highest, equal numbers with the mean of their ranks. */
function ranksOf(values: readonly string[]): ReadonlyMap<number, number> {
  const numbers = values.flatMap((value) => numberIn(value) ?? []);
  const { order, ends } = tieGroups(numbers);
  const rankAt = (place: number) => ((ends[place - 1] ?? 0) + (ends[place] ?? 0) - 1) / 2;
  const [lowest, highest] = [rankAt(0), rankAt(ends.length - 1)];
  return new Map(
    [...ends].flatMap((end, place) =>
      [...order.subarray(ends[place - 1] ?? 0, end)].map(
        (index) => [numbers[index] ?? 0, (rankAt(place) - lowest) / (highest - lowest || 1)] as const,
      ),
    ),
  );
}

type FactDistance = (fact: Omit<ComparedFact, 'title'>) => number;

/** How far apart a fact is in two cases: of two numbers the difference of their ranks, 0-1; else 0 where equal, 1 where not. */
export function factDistances(cases: readonly (readonly Fact[])[]): FactDistance {
  const columns = Map.groupBy(cases.flat(), ({ name }) => name);
  const ranks = new Map([...columns].map(([name, facts]) => [name, ranksOf(facts.map(({ value }) => value))]));
  return ({ name, one, other, isSame }) => {
    if (isSame) return 0;
    const [a, b] = [one, other].map((value) => ranks.get(name)?.get(numberIn(value ?? '') ?? Number.NaN));
    return a === undefined || b === undefined ? 1 : Math.abs(a - b);
  };
}

/**
 * Cases in the order of how like one case they are, by their facts alone: the smaller the sum of `factDistances` over the facts
 * that at least one of the two has; among equals, those that are ruled otherwise first; then as they were given.
 *
 * It is a way to find cases to read, and no measure: every fact counts the same, and words are either the same or not.
 */
export function byLikeness<Other extends { readonly facts: readonly Fact[]; readonly isOtherwise: boolean }>(
  facts: readonly Fact[],
  others: readonly Other[],
  distanceOf: FactDistance,
): Other[] {
  return others
    .map((other) => ({ other, distance: comparedFacts(facts, other.facts).reduce((sum, fact) => sum + distanceOf(fact), 0) }))
    .toSorted((a, b) => a.distance - b.distance || Number(b.other.isOtherwise) - Number(a.other.isOtherwise))
    .map(({ other }) => other);
}
