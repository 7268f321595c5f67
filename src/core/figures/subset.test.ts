import fc from 'fast-check';
import { expect, test } from 'vitest';
import { knowables, type Subset } from '../../shared/api/subset.ts';
import { outcomes } from '../../shared/domain.ts';
import { bothSubsets, fitsSubset, isEverything, subsetKey, subsetText } from './subset.ts';

const line = {
  arm: 'court',
  models: ['a:1b', 'b:2b'],
  groups: { sex: 'Female' },
  outcome: 'decided' as const,
  truth: 'YES' as string | string[] | null,
  confidence: 0.7 as number | null,
};
type Line = Omit<typeof line, 'groups' | 'outcome'> & {
  groups: Record<string, string>;
  outcome: (typeof outcomes)[number] | null;
};

/** First answer NO, a probability of 0.7 for YES, no belief, a pair with the arm `alone` and none with any other. */
const fits = (each: Line, subset: Subset | undefined) =>
  fitsSubset(each, subset, {
    firstAnswer: () => 'NO',
    hasBelief: () => false,
    probabilityOf: (_line, label) => (label === 'YES' ? 0.7 : null),
    isPaired: (_line, arms) => arms.every((arm) => arm === 'alone'),
  });

test('nothing given is everything; each condition counts, and an empty list lets nothing through', () => {
  expect(fits(line, undefined)).toBe(true);
  expect(fits(line, {})).toBe(true);
  expect(fits(line, { arms: ['court'], models: ['b:2b'], groups: { sex: ['Female'] }, outcomes: ['decided'] })).toBe(true);
  for (const subset of [
    { arms: ['alone'] },
    { models: ['c'] },
    { outcomes: ['timeout' as const] },
    { groups: { sex: ['Male'] } },
    { groups: { race: ['Female'] } },
    { groups: { constructor: ['x'] } },
    { arms: [] },
  ]) {
    expect(fits(line, subset), JSON.stringify(subset)).toBe(false);
  }
  expect(fits({ ...line, outcome: null }, { outcomes: ['decided'] })).toBe(false);
});

test('what is known, the truth, the first answer and the pairs of a trial are conditions too', () => {
  for (const subset of [
    { known: ['truth' as const, 'confidence' as const, 'first answer' as const] },
    { truths: ['NO', 'YES'] },
    { first: ['NO'] },
    { paired: ['alone'] },
  ]) {
    expect(fits(line, subset), JSON.stringify(subset)).toBe(true);
  }
  for (const subset of [
    { known: ['truth' as const, 'belief' as const] },
    { known: [] },
    { truths: ['NO'] },
    { first: ['YES'] },
    { paired: ['alone', 'third'] },
    { paired: [] },
  ]) {
    expect(fits(line, subset), JSON.stringify(subset)).toBe(false);
  }
  const unknown = { ...line, truth: null, confidence: null };
  expect(fits(unknown, { paired: ['alone'] })).toBe(false);
  expect(fits(unknown, { known: ['truth'] })).toBe(false);
  expect(fits(unknown, { known: ['confidence'] })).toBe(false);
  expect(fits({ ...line, truth: ['YES', 'MAYBE'] }, { truths: ['MAYBE'] })).toBe(true);
});

test('a range has its lower end, and its upper end only where that is 1; what is not known is in none', () => {
  const has = (from: number, to: number, each = line) => [
    fits(each, { confidence: { from, to } }),
    fits(each, { beliefs: { YES: { from, to } } }),
  ];
  expect(has(0.7, 0.8)).toEqual([true, true]);
  expect(has(0.1 * 7 + 1e-12, 0.8)).toEqual([true, true]);
  expect(has(0.6, 0.7)).toEqual([false, false]);
  expect(has(0.7, 1)).toEqual([true, true]);
  expect(fits({ ...line, confidence: 1 }, { confidence: { from: 0.9, to: 1 } })).toBe(true);
  expect(fits({ ...line, confidence: null }, { confidence: { from: 0, to: 1 } })).toBe(false);
  expect(fits(line, { beliefs: { NO: { from: 0, to: 1 } } })).toBe(false);
});

const range = fc.option(
  fc.constantFrom({ from: 0, to: 0.7 }, { from: 0.7, to: 1 }, { from: 0.5, to: 0.8 }, { from: 0.8, to: 0.2 }),
  { nil: undefined },
);
const some = (values: readonly string[]) => fc.option(fc.subarray([...values]), { nil: undefined });
const subsets = fc
  .record({
    arms: some(['court', 'alone']),
    models: some(['a:1b', 'b:2b']),
    outcomes: fc.option(fc.subarray([...outcomes]), { nil: undefined }),
    known: fc.option(fc.subarray([...knowables]), { nil: undefined }),
    truths: some(['YES', 'NO']),
    first: some(['YES', 'NO']),
    paired: some(['alone', 'third']),
    sex: some(['Female', 'Male']),
    confidence: range,
    yes: range,
  })
  .map(({ sex, yes, ...rest }) => ({
    ...rest,
    ...(sex === undefined ? {} : { groups: { sex } }),
    ...(yes === undefined ? {} : { beliefs: { YES: yes } }),
  }));
const lines = fc.record({
  arm: fc.constantFrom('court', 'alone', 'third'),
  models: fc.subarray(['a:1b', 'b:2b', 'c']),
  groups: fc.constantFrom({ sex: 'Female' }, { sex: 'Male' }, {}),
  outcome: fc.constantFrom(null, ...outcomes),
  truth: fc.constantFrom('YES', 'NO', null),
  confidence: fc.constantFrom(0.7, null),
});

test('what meets both subsets is what meets their intersection, models aside', () => {
  fc.assert(
    fc.property(subsets, subsets, lines, (one, other, each) => {
      // A trial of two models may meet two conditions on models by one model each.
      const { models: _models, ...second } = other;
      expect(fits(each, bothSubsets(one, second))).toBe(fits(each, one) && fits(each, second));
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
  const some = { from: 0, to: 0.2 };
  expect(isEverything({ confidence: some }) || isEverything({ beliefs: { YES: some } })).toBe(false);
  expect(subsetKey({ confidence: some })).not.toBe(subsetKey({ confidence: { from: 0, to: 0.3 } }));
  expect(subsetKey({ beliefs: { YES: some } })).not.toBe(subsetKey({ beliefs: { NO: some } }));
  expect(subsetKey({ arms: [] })).not.toBe(subsetKey({ models: [] }));
});

test('a subset is described in words', () => {
  expect(subsetText({ arms: ['court', 'alone'], groups: { sex: ['Female'] } })).toBe('arm court or alone; sex = Female');
  expect(subsetText({ known: ['truth', 'belief'], first: ['NO'], paired: ['a', 'b'] })).toBe(
    'known truth and belief; first answer NO; cases of a and b',
  );
  expect(subsetText({ confidence: { from: 0.9001, to: 1 }, beliefs: { YES: { from: 0, to: 0.205 } } })).toBe(
    'confidence 90.01% to 100%; probability of YES 0% to below 20.5%',
  );
});
