import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/shapley.json' with { type: 'json' };
import { neededCoalitions, type ShapleyValues, shapleyValues } from './shapley.ts';

/** The worth of some coalitions of a game. */
const known = (coalitions: readonly string[], worthOf: (coalition: string) => number) =>
  new Map(coalitions.map((coalition) => [coalition, worthOf(coalition)]));
const valuesOf = (found: ShapleyValues | null) => found?.values.map(({ value }) => value) ?? [];
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

test('the glove game by hand: one left glove is worth more than either of two right ones', () => {
  // Worth 1 as soon as the left glove (player 1) has a right one. In 4 of 6 orders the left one completes a pair, in 1 of 6 each right one.
  const worth = known(neededCoalitions(3, null), (coalition) => Number(coalition[0] === '1' && coalition.slice(1).includes('1')));
  const found = shapleyValues(3, worth);
  expect(found?.method).toBe('exact');
  for (const [place, value] of [4 / 6, 1 / 6, 1 / 6].entries()) expect(found?.values[place]?.value).toBeCloseTo(value, 12);
});

test.each(reference.sets)('$name: exact values equal those of shap', ({ players, worth, expected }) => {
  const game = known(neededCoalitions(players, null), (coalition) => worth[Number.parseInt(coalition, 2)] ?? Number.NaN);
  const found = valuesOf(shapleyValues(players, game));
  expect(found).toHaveLength(players);
  for (const [place, value] of found.entries()) expect(Math.abs(value - (expected[place] ?? Number.NaN))).toBeLessThan(1e-9);
  expect(sum(found)).toBeCloseTo((worth.at(-1) ?? 0) - (worth[0] ?? 0), 12);
});

// A game of 10 players in which each adds its number, and the last two together 5 more: they share it.
const rich = (coalition: string) =>
  [...coalition].reduce((total, member, place) => total + Number(member) * place, 0) + (coalition.endsWith('11') ? 5 : 0);
const exact = [0, 1, 2, 3, 4, 5, 6, 7, 8 + 2.5, 9 + 2.5];

test('sampled values add up too, and are off by what their stated error allows', () => {
  const found = shapleyValues(10, known(neededCoalitions(10, 200), rich));
  expect(found).toMatchObject({ method: 'sampled', permutations: expect.closeTo(200, -1) });
  expect(sum(valuesOf(found))).toBeCloseTo(rich('1111111111') - rich('0000000000'), 10);
  for (const [place, value] of exact.entries()) {
    const { value: estimate = 0, error } = found?.values[place] ?? {};
    // Each of the last two has all of the 5 or none of it, with even chances: a standard deviation of 2.5.
    if (place >= 8) expect(error).toBeCloseTo(2.5 / Math.sqrt(200), 2);
    else expect(error).toBeCloseTo(0, 12);
    expect(Math.abs(estimate - value)).toBeLessThanOrEqual(4 * (error ?? 0) + 1e-12);
  }
});

test('orders of which a coalition is missing are left out, and without any there is no value', () => {
  const needed = neededCoalitions(10, 3);
  const [lost = ''] = needed.filter((coalition) => !neededCoalitions(10, 2).includes(coalition));
  const game = known(needed, rich);
  game.delete(lost);
  expect(shapleyValues(10, game)?.permutations).toBe(2);
  game.delete('0000000000');
  expect(shapleyValues(10, game)).toBeNull();
  expect(shapleyValues(0, new Map())).toBeNull();
});
