import { randomSource, shuffled } from '../cases/shuffle.ts';

/** Players whose coalitions are all tried: 2^8 of them. */
export const mostExact = 8;

/** Who is in a coalition: a letter for each player in order, `1` in and `0` out. */
export type Coalition = string;

const coalitionOf = (players: number, members: ReadonlySet<number>): Coalition =>
  Array.from({ length: players }, (_, player) => (members.has(player) ? '1' : '0')).join('');

const everyCoalition = (players: number): Coalition[] =>
  Array.from({ length: 2 ** players }, (_, bits) => bits.toString(2).padStart(players, '0'));

/** The first orders in which the players come, drawn at random; the same for the same number of players. */
const orders = (players: number, permutations: number): number[][] =>
  Array.from({ length: permutations }, (_, number) =>
    shuffled(
      Array.from({ length: players }, (_player, place) => place),
      randomSource(number, `shapley ${players}`),
    ),
  );

/** The coalitions of an order, from the empty to the whole one. */
const coalitionsOfOrder = (order: readonly number[]): Coalition[] =>
  Array.from({ length: order.length + 1 }, (_, size) => coalitionOf(order.length, new Set(order.slice(0, size))));

/** The coalitions whose worth has to be known: all of them, or those of some orders. @param permutations null: all coalitions */
export function neededCoalitions(players: number, permutations: number | null): Coalition[] {
  return permutations === null ? everyCoalition(players) : [...new Set(orders(players, permutations).flatMap(coalitionsOfOrder))];
}

export interface ShapleyValues {
  readonly method: 'exact' | 'sampled';
  /** Orders that were drawn; null where all coalitions are known. */
  readonly permutations: number | null;
  /** Of each player, in order: its value, and the standard error of sampling; null where nothing was sampled, or one order alone. */
  readonly values: readonly { readonly value: number; readonly error: number | null }[];
}

/** sum over S without i of |S|! (n - |S| - 1)! / n! * (v(S + i) - v(S)) */
function exactValues(players: number, worthOf: (coalition: Coalition) => number): number[] {
  // Weight of a coalition of each size, without factorials: 1 / (n * choose(n - 1, size)).
  const weights: number[] = [1 / players];
  for (let size = 1; size < players; size++) weights.push(((weights[size - 1] ?? 0) * size) / (players - size));
  const without = (player: number) => everyCoalition(players).filter((coalition) => coalition[player] === '0');
  return Array.from({ length: players }, (_, player) =>
    without(player).reduce((sum, coalition) => {
      const joined = `${coalition.slice(0, player)}1${coalition.slice(player + 1)}`;
      return sum + (weights[coalition.replaceAll('0', '').length] ?? 0) * (worthOf(joined) - worthOf(coalition));
    }, 0),
  );
}

/**
 * Shapley values: what each player adds on average over all orders in which they can come. Exact where the worth of every coalition
 * is known, else the mean over the first orders whose coalitions are all known, with the standard error of that mean. Either way they
 * sum to the worth of all less that of none.
 *
 * Sources: Shapley, A value for n-person games (1953); Castro, Gómez, Tejada, Polynomial calculation of the Shapley value based on
 * sampling (2009), for the orders. Agrees with shap's exact explainer (docs/reference/shapley.py).
 * @param worth of a coalition
 * @returns null where not even one order is known
 */
export function shapleyValues(players: number, worth: ReadonlyMap<Coalition, number>): ShapleyValues | null {
  if (players === 0) return null;
  const worthOf = (coalition: Coalition) => worth.get(coalition) ?? Number.NaN;
  if (players <= mostExact && everyCoalition(players).every((coalition) => worth.has(coalition))) {
    return {
      method: 'exact',
      permutations: null,
      values: exactValues(players, worthOf).map((value) => ({ value, error: null })),
    };
  }
  // Two orders rarely have the same coalitions: there are no more orders than coalitions.
  const drawn = orders(players, worth.size);
  const gap = drawn.findIndex((order) => !coalitionsOfOrder(order).every((coalition) => worth.has(coalition)));
  const known = gap < 0 ? drawn : drawn.slice(0, gap);
  const n = known.length;
  if (n === 0) return null;
  const added = known.map((order) => {
    const path = coalitionsOfOrder(order).map(worthOf);
    return Array.from({ length: players }, (_, player) => {
      const place = order.indexOf(player);
      return (path[place + 1] ?? Number.NaN) - (path[place] ?? Number.NaN);
    });
  });
  const values = Array.from({ length: players }, (_, player) => {
    const mine = added.map((each) => each[player] ?? Number.NaN);
    const mean = mine.reduce((sum, value) => sum + value, 0) / n;
    const variance = mine.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1);
    return { value: mean, error: n === 1 ? null : Math.sqrt(variance / n) };
  });
  return { method: 'sampled', permutations: n, values };
}
