import { describe, expect, test } from 'vitest';
import type { Change } from '../../../shared/changes.ts';
import { parseFilter, toFiltered } from '../dashboard/filter.ts';
import { changedFirst, isOfImported, wholePair } from './pair.ts';

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
    const silent = { of: 'court', kind: 'withhold', speech: 'turn-1/defense' } as const;
    const declaring = (name: string, change: Change | null) => ({ name, base_arm: change?.of ?? null, change });
    const known = [
      declaring('court', null),
      declaring('seeds', { of: 'court', kind: 'seed', number: 2 }),
      declaring('silent', { ...silent, seeds: 0 }),
      declaring('silent, seeds', { ...silent, seeds: 2 }),
      declaring('alone', null),
    ];
    for (const [a, b] of [
      ['silent', 'court'],
      ['seeds', 'court'],
      // With other seeds the speech is heard in another arm.
      ['silent, seeds', 'seeds'],
    ] as const) {
      const pair = { a, b, baseline: false };
      for (const asked of [pair, { ...pair, a: b, b: a }]) expect(changedFirst(asked, known)).toEqual(pair);
    }
    for (const a of ['alone', 'court']) {
      const b = a === 'court' ? 'silent, seeds' : 'court';
      expect(changedFirst({ a, b, baseline: false }, known)).toEqual({ a, b, baseline: false });
    }
  });

  test('is none where there is only one arm', () => {
    expect(wholePair({ a: '', b: '', baseline: false }, ['court'], [])).toBeNull();
    expect(wholePair({ a: '', b: '', baseline: false }, [], ['majority'])).toBeNull();
  });
});

test('a pair is of imported predictions where no model here answered for either arm', () => {
  const arms = [
    { name: 'file', protocol: 'imported' },
    { name: 'other file', protocol: 'imported' },
    { name: 'court', protocol: 'trial' },
  ];
  expect(isOfImported(arms, { a: 'file', b: 'other file', baseline: false })).toBe(true);
  expect(isOfImported(arms, { a: 'file', b: 'majority', baseline: true })).toBe(true);
  expect(isOfImported(arms, { a: 'file', b: 'court', baseline: false })).toBe(false);
  expect(isOfImported(arms, { a: 'court', b: 'file', baseline: false })).toBe(false);
});
