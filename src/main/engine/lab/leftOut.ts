// Facts left out of one case: which sets of them become arms.
import { mostExact, neededCoalitions } from '../../../core/statistics/shapley.ts';
import { type Change, changeText } from '../../../shared/changes.ts';
import { mostLeftOut, setsUpTo } from '../../../shared/leftOut.ts';
import { refusedChange } from './changedArms.ts';

export type LeftOutRequest =
  | { readonly kind: 'leave-out'; readonly size: number }
  /** `permutations`: orders to draw; null: all sets. */
  | { readonly kind: 'shapley'; readonly permutations: number | null };

function setsOf(facts: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return facts.flatMap((fact, place) => setsOf(facts.slice(place + 1), size - 1).map((rest) => [fact, ...rest]));
}

function leftOutSets(request: LeftOutRequest, facts: readonly string[]): string[][] {
  if (request.kind === 'leave-out') {
    return Array.from({ length: Math.min(request.size, facts.length) }, (_, place) => setsOf(facts, place + 1)).flat();
  }
  return neededCoalitions(facts.length, request.permutations)
    .map((coalition) => facts.filter((_, place) => coalition[place] === '0'))
    .filter(({ length }) => length > 0);
}

/** Longest list of facts in the name of an arm, in characters. */
const longestList = 80;

/** A set as the name of its arm says it: what is left out, what is left, or for long lists their number and the set's own. */
function nameOf(left: readonly string[], facts: readonly string[], change: Change, set: number): string {
  if (left.length === facts.length && left.length > 1) return 'without any fact';
  const rest = facts.filter((fact) => !left.includes(fact)).join(', ');
  const [without, only] = [changeText(change), `with only ${rest}`];
  if (without.length <= longestList) return without;
  return only.length <= longestList ? only : `without ${left.length} facts, set ${set}`;
}

/** The changes of one case that leave sets of facts out, smaller sets first. @throws bad input, with the number, for too many */
export function leftOutChanges(
  request: LeftOutRequest,
  facts: readonly string[],
  about: Pick<Change, 'of' | 'expect'>,
): { readonly change: Change; readonly what: string }[] {
  const names = [...new Set(facts)].toSorted();
  const n = names.length;
  const trials =
    request.kind === 'leave-out'
      ? setsUpTo(n, request.size)
      : request.permutations === null
        ? 2 ** n - 1
        : request.permutations * n;
  const isTooMany = trials > mostLeftOut || (request.kind === 'shapley' && request.permutations === null && n > mostExact);
  if (isTooMany) {
    const other =
      request.kind === 'leave-out' || n > mostLeftOut
        ? 'leave out fewer'
        : `write shapley=${Math.max(1, Math.floor(mostLeftOut / n))} to draw that many orders at random`;
    throw refusedChange(
      `the case has ${n} facts, so that this would take up to ${trials} trials; at most ${mostLeftOut} are made: ${other}`,
    );
  }
  return leftOutSets(request, names)
    .toSorted((one, other) => one.length - other.length)
    .map((left, place) => {
      const change: Change = { ...about, kind: 'facts', facts: Object.fromEntries(left.map((fact) => [fact, null])) };
      return { change, what: nameOf(left, names, change, place + 1) };
    });
}
