import { describe, expect, test } from 'vitest';
import { parseFilter, toFiltered } from '../dashboard/filter.ts';
import { changedFirst, wholePair } from './pair.ts';

const hostile = 'a/b?c&d=é% "arm"';

test('a pair is in the address, for any names', () => {
  const pair = { a: hostile, b: 'majority', baseline: true };
  const address = toFiltered('my experiment', { part: 'compare', subset: { groups: { sex: ['Female'] } }, behind: null, pair });
  expect(address).not.toContain('?');
  const [, , , part, state] = address.split('/');
  expect(parseFilter(part, state)).toEqual({ part: 'compare', subset: { groups: { sex: ['Female'] } }, behind: null, pair });
  expect(parseFilter('compare', undefined)).toEqual({ part: 'compare', subset: {}, behind: null });
});

describe('the pair that is shown', () => {
  const arms = ['court', 'alone'];
  test('is the one that was chosen', () => {
    expect(wholePair({ a: 'alone', b: 'court', baseline: false }, arms, ['majority'])).toEqual({
      a: 'alone',
      b: 'court',
      baseline: false,
    });
    expect(wholePair({ a: 'alone', b: 'majority', baseline: true }, arms, ['majority'])).toEqual({
      a: 'alone',
      b: 'majority',
      baseline: true,
    });
  });

  test('is completed by what there is', () => {
    expect(wholePair(null, arms, [])).toEqual({ a: 'court', b: 'alone', baseline: false });
    expect(wholePair(null, arms, ['majority'], ['alone', 'court'])).toEqual({ a: 'alone', b: 'court', baseline: false });
    const againstRule = { a: 'alone', b: 'majority', baseline: true };
    expect(wholePair(null, arms, ['majority'], ['alone', 'baseline:majority'])).toEqual(againstRule);
    expect(wholePair({ a: 'alone', b: 'gone', baseline: false }, arms, [])).toEqual({ a: 'alone', b: 'court', baseline: false });
    expect(wholePair({ a: 'court', b: 'court', baseline: false }, arms, [])).toEqual({ a: 'court', b: 'alone', baseline: false });
    expect(wholePair({ a: '', b: '', baseline: false }, ['court'], ['majority'])).toEqual({
      a: 'court',
      b: 'majority',
      baseline: true,
    });
  });

  test('has a changed arm before the unchanged one, in either order of the request', () => {
    const baseOf = (arm: string) => (arm === 'court (changed)' ? 'court' : null);
    const pair = { a: 'court (changed)', b: 'court', baseline: false };
    for (const asked of [pair, { ...pair, a: pair.b, b: pair.a }]) expect(changedFirst(asked, baseOf)).toEqual(pair);
    expect(changedFirst({ a: 'alone', b: 'court', baseline: false }, baseOf)).toEqual({
      a: 'alone',
      b: 'court',
      baseline: false,
    });
  });

  test('is none where there is only one arm', () => {
    expect(wholePair({ a: '', b: '', baseline: false }, ['court'], [])).toBeNull();
    expect(wholePair({ a: '', b: '', baseline: false }, [], ['majority'])).toBeNull();
  });
});
