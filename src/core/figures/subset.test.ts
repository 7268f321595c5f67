import fc from 'fast-check';
import { expect, test } from 'vitest';
import { outcomes } from '../../shared/domain.ts';
import { bothSubsets, fitsSubset, isEverything, subsetKey, subsetWords } from './subset.ts';

const line = { arm: 'court', models: ['a:1b', 'b:2b'], groups: { sex: 'Female' }, outcome: 'decided' as const };

test('nothing given is everything; each condition counts, and an empty list lets nothing through', () => {
  expect(fitsSubset(line, undefined)).toBe(true);
  expect(fitsSubset(line, {})).toBe(true);
  expect(fitsSubset(line, { arms: ['court'], models: ['b:2b'], groups: { sex: ['Female'] }, outcomes: ['decided'] })).toBe(true);
  for (const subset of [
    { arms: ['alone'] },
    { models: ['c'] },
    { outcomes: ['timeout' as const] },
    { groups: { sex: ['Male'] } },
    { groups: { race: ['Female'] } },
    { groups: { constructor: ['x'] } },
    { arms: [] },
  ]) {
    expect(fitsSubset(line, subset), JSON.stringify(subset)).toBe(false);
  }
  expect(fitsSubset({ ...line, outcome: null }, { outcomes: ['decided'] })).toBe(false);
});

const some = (values: readonly string[]) => fc.option(fc.subarray([...values]), { nil: undefined });
const subsets = fc
  .record({
    arms: some(['court', 'alone']),
    models: some(['a:1b', 'b:2b']),
    outcomes: fc.option(fc.subarray([...outcomes]), { nil: undefined }),
    sex: some(['Female', 'Male']),
  })
  .map(({ sex, ...rest }) => ({ ...rest, ...(sex === undefined ? {} : { groups: { sex } }) }));
const lines = fc.record({
  arm: fc.constantFrom('court', 'alone', 'third'),
  models: fc.subarray(['a:1b', 'b:2b', 'c']),
  groups: fc.constantFrom({ sex: 'Female' }, { sex: 'Male' }, {}),
  outcome: fc.constantFrom(null, ...outcomes),
});

test('what meets both subsets is what meets their intersection, models aside', () => {
  fc.assert(
    fc.property(subsets, subsets, lines, (one, other, each) => {
      // A trial of two models may meet two conditions on models by one model each.
      const { models: _models, ...second } = other;
      expect(fitsSubset(each, bothSubsets(one, second))).toBe(fitsSubset(each, one) && fitsSubset(each, second));
    }),
  );
});

test('subsets that let the same through have one key, and everything has none', () => {
  expect(subsetKey({})).toBeNull();
  expect(subsetKey({ groups: {} })).toBeNull();
  expect(isEverything({ arms: [] })).toBe(false);
  expect(subsetKey({ arms: ['b', 'a', 'b'], groups: { y: ['1'], x: ['2'] } })).toBe(
    subsetKey({ groups: { x: ['2'], y: ['1'] }, arms: ['a', 'b'] }),
  );
  expect(subsetKey({ arms: [] })).not.toBe(subsetKey({ models: [] }));
});

test('a subset is told in words', () => {
  expect(subsetWords({ arms: ['court', 'alone'], groups: { sex: ['Female'] } })).toBe('arm court or alone; sex = Female');
});
