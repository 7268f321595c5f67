import { expect, test } from 'vitest';
import type { Expectation, TrialChange } from '../../../shared/changes.ts';
import { type ChangedTrial, changeStatistics, plannedExcess } from './declaredChanges.ts';
import { isFlipped, pairStatistics, replicatePairs, replicatePairsOfBoth } from './swapMeasures.ts';

const resampling = { resamples: 200, seed: 1, level: 0.95 };
const terms = { positive: 'YES', multiLabel: false };

const trial = (id: string, prediction: string, more: Partial<ChangedTrial> = {}): ChangedTrial => ({
  ...{ case: id, trial: `${id}-${prediction}`, replicate: 0, outcome: 'decided', incomplete: false, inconsistent: false },
  ...{ prediction, confidence: null, belief: null, truth: null, groups: {}, path: null },
  ...more,
});
const change = (from: string | null, to: string | null, applies: boolean | null = true): TrialChange => ({
  ...{ kind: 'attribute', text: 'sex exchanged', applies, from, to },
});
const inTurn = (verdicts: string, make: (verdict: string, place: number) => ChangedTrial) => [...verdicts].map(make);
const label = (letter: string) => (letter === 'Y' ? 'YES' : 'NO');

function found(
  base: readonly ChangedTrial[],
  changed: readonly ChangedTrial[],
  control: readonly ChangedTrial[],
  expectation?: Expectation,
) {
  const pairs = replicatePairs(control);
  const about = { arm: 'a', changed_arm: 'b', kind: 'attribute', change: 'sex exchanged', control: pairs } as const;
  const arms = expectation === undefined ? [about] : [{ ...about, expect: expectation }];
  const [statistics] = changeStatistics(arms, (arm) => (arm === 'a' ? base : changed), terms, resampling);
  if (statistics === undefined) throw new Error('no statistics');
  const value = (name: string, part: Pick<typeof statistics, 'measures'> = statistics) =>
    part.measures.find((measure) => measure.name === name)?.value;
  return { statistics, value };
}

test('the share that flips, by direction, less the share that flips with the seeds alone', () => {
  const base = inTurn('YYYYNNNN', (each, place) => trial(`c${place}`, label(each)));
  // c0, c1, c2 and c4 flip; c7 has the value already.
  const changed = inTurn('NNNYYNNY', (each, place) =>
    trial(`c${place}`, label(each), {
      change: place === 7 ? change(null, null, false) : place < 4 ? change('male', 'female') : change('female', 'male'),
    }),
  );
  // With other seeds c0, c5 and c7 flip; the last is of no row.
  const seeds = inTurn('NYYYNYNY', (each, place) => trial(`c${place}`, label(each), { trial: `s${place}` }));
  const { statistics, value } = found(base, changed, [...base, ...seeds], 'INV');
  expect(statistics).toMatchObject({ pairs: 7, unchanged: 1 });
  expect(value('flip_rate')).toBeCloseTo(4 / 7, 12);
  expect(value('replicate_flip_rate')).toBeCloseTo(2 / 7, 12);
  // (0 + 1 + 1 + 0 + 1 - 1 + 0) / 7: a flip counts 1, and one less where the seeds alone flip the case.
  expect(value('excess_flip_rate')).toBeCloseTo(2 / 7, 12);
  expect(value('pass_rate')).toBeCloseTo(3 / 7, 12);
  expect(statistics.directions.map((part) => [part.from, part.to, part.pairs, value('flip_rate', part)])).toEqual([
    ['male', 'female', 4, 0.75],
    ['female', 'male', 3, 1 / 3],
  ]);
  expect(value('positive_change', statistics.directions[0])).toBe(-0.75);
  // Each row subtracts.
  for (const part of [statistics, ...statistics.directions]) {
    const [flips, alone] = ['flip_rate', 'replicate_flip_rate'].map((name) => value(name, part) ?? Number.NaN) as [
      number,
      number,
    ];
    expect(value('excess_flip_rate', part)).toBeCloseTo(flips - alone, 12);
  }
});

test('between two arms, chance is that within each of them, over the cases that both decided twice', () => {
  const ofCase = (id: string, labels: string) =>
    inTurn(labels, (each, place) => trial(id, label(each), { replicate: place, trial: `${id}-${place}` }));
  // Within c0: 2 of 3 pairs differ, and none of 3; c1 has no pair in the second arm.
  const one = [...ofCase('c0', 'YYN'), ...ofCase('c1', 'YN')];
  const other = [...ofCase('c0', 'NNN'), ...ofCase('c1', 'N')];
  const alike = replicatePairsOfBoth(one, other);
  expect(alike).toEqual([{ case: 'c0', pairs: 6, flips: 2 }]);
  const { measures } = pairStatistics(one, other, terms, resampling, (pairs) => [plannedExcess(pairs, alike)], alike);
  const value = (name: string) => measures.find((measure) => measure.name === name)?.value;
  expect(value('replicate_flip_rate')).toBeCloseTo(1 / 3, 12);
  // Of c0, 2 of 3 differ, less the third that does by chance.
  expect(value('excess_flip_rate')).toBeCloseTo(2 / 3 - 1 / 3, 12);
});

test('the change of the accuracy is that of the same cases, a failure as not right, with the exact test of its signs', () => {
  const truth = 'YES';
  // Right on c0 to c5, then on none of these; c6 fails in both; c7 has no known truth.
  const base = inTurn('YYYYYYYY', (each, place) => trial(`c${place}`, label(each), place === 7 ? {} : { truth }));
  const failed = { outcome: 'timeout', prediction: null } as Partial<ChangedTrial>;
  const changed = base.map((each, place) => ({
    ...{ ...each, change: change('a', 'b'), prediction: 'NO' },
    ...(place === 5 ? failed : {}),
  }));
  const both = [base, changed].map((all) => all.map((each, place) => (place === 6 ? { ...each, ...failed } : each)));
  const { statistics } = found(both[0] ?? [], both[1] ?? [], []);
  const measure = statistics.measures.find(({ name }) => name === 'accuracy_change');
  // 6 of 7; the signs of six cases are all alike in 2 of 2^6 ways.
  expect(measure).toMatchObject({ over: 'all', n: 7, cases: 7, p: 2 / 64 });
  expect(measure?.value).toBeCloseTo(-6 / 7, 12);
});

test('without other seeds there is nothing to subtract, and the report says what would make it', () => {
  const base = [trial('c0', 'YES'), trial('c1', 'NO')];
  const { statistics } = found(
    base,
    base.map((each) => ({ ...each, change: change('a', 'b') })),
    base,
  );
  expect(statistics.measures.find(({ name }) => name === 'excess_flip_rate')).toMatchObject({
    value: null,
    why_null: expect.stringContaining('several trials of each case, or a change of only the seed'),
  });
});

test('pairs with other seeds are counted as if each were made', () => {
  const verdicts = ['YES', 'NO', ['a', 'b'], ['b', 'a', 'a'], ['a'], [], 'YES', null];
  const trials = verdicts.map((prediction, place) => ({ ...trial('c0', 'YES'), prediction, trial: `t${place}` }));
  const decided = trials.filter(({ prediction }) => prediction !== null);
  const made = decided.flatMap((base, place) =>
    decided.slice(place + 1).map((swapped) => isFlipped({ case: 'c0', replicate: 0, base, swapped })),
  );
  expect(replicatePairs([...trials, trial('alone', 'YES')])).toEqual([
    { case: 'c0', pairs: made.length, flips: made.filter((flipped) => flipped === true).length },
  ]);
});

test('a pair of an erased case is counted, and in no rate', () => {
  const base = inTurn('YNY', (each, place) => trial(`c${place}`, label(each)));
  const applies = [true, false, null];
  const changed = inTurn('NYN', (each, place) => trial(`c${place}`, label(each), { change: change(null, null, applies[place]) }));
  const { statistics, value } = found(base, changed, base);
  expect(statistics).toMatchObject({ pairs: 1, unchanged: 1, erased: 1 });
  expect(value('flip_rate')).toBe(1);
});

test.each([
  ['up', 0.4, 0.5, 1],
  ['up', 0.5, 0.4, 0],
  ['down', 0.5, 0.4, 1],
  ['down', 0.4, 0.4, 1],
] as const)('DIR %s: from %f to %f passes %i', (DIR, before, after, pass) => {
  const believing = (YES: number) => trial('c0', 'NO', { belief: { YES, NO: 1 - YES }, change: change('a', 'b') });
  expect(found([believing(before)], [believing(after)], [], { DIR, label: 'YES' }).value('pass_rate')).toBe(pass);
  const verdict = (YES: number) => trial('c0', YES > 0.45 ? 'YES' : 'NO', { change: change('a', 'b') });
  expect(found([verdict(before)], [verdict(after)], [], { DIR, label: 'YES' }).value('pass_rate')).toBe(pass);
});
