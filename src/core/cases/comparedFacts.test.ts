import { expect, test } from 'vitest';
import { byLikeness, comparedFacts } from './comparedFacts.ts';

const factsOf = (values: Readonly<Record<string, string>>) => Object.entries(values).map(([name, value]) => ({ name, value }));
const like = (one: Record<string, string>, others: Record<string, Record<string, string>>, otherwise: readonly string[] = []) =>
  byLikeness(
    factsOf(one),
    Object.entries(others).map(([id, values]) => ({ id, facts: factsOf(values), isOtherwise: otherwise.includes(id) })),
  ).map(({ id }) => id);

test('numbers are the same however they are written, words only letter by letter, and a fact that one lacks differs', () => {
  const one = [{ name: 'age', value: '22', shown: 'Age (years)' }, ...factsOf({ sex: 'Male', area: '01 A', job: 'none' })];
  expect(comparedFacts(one, factsOf({ area: '1 A', age: '22.0', sex: 'male', debt: '3' }))).toEqual([
    { title: 'age', one: '22', other: '22.0', isSame: true },
    { title: 'sex', one: 'Male', other: 'male', isSame: false },
    { title: 'area', one: '01 A', other: '1 A', isSame: false },
    { title: 'job', one: 'none', other: null, isSame: false },
    { title: 'debt', one: null, other: '3', isSame: false },
  ]);
  expect(comparedFacts(one, one).map(({ title }) => title)).toEqual(['Age (years)', 'sex', 'area', 'job']);
});

test('the case with the most equal facts is first, however far away its numbers are', () => {
  const others = {
    near: { sex: 'm', area: 'S', age: '23', debt: '91' },
    equal: { sex: 'm', area: 'N', age: '90', debt: '9000' },
    other: { sex: 'f', area: 'S', age: '24', debt: '92' },
  };
  expect(like({ sex: 'm', area: 'N', age: '22', debt: '90' }, others)).toEqual(['equal', 'near', 'other']);
});

test('among equals the ranks of numbers decide, not their size, and a case without the number is farthest', () => {
  const others = {
    without: {},
    far: { age: '24', debt: '1000001' },
    small: { age: '25', debt: '91' },
    near: { age: '23', debt: '1000000' },
  };
  // Ranks away: near 1 + 2, small 3 + 1, far 2 + 3, without 4 + 4.
  expect(like({ age: '22', debt: '90' }, others)).toEqual(['near', 'small', 'far', 'without']);
});

test('a column in which one value is no number has no ranks', () => {
  expect(like({ age: '22' }, { far: { age: '90' }, near: { age: '23' }, unknown: { age: 'unknown' } })).toEqual([
    ...['far', 'near', 'unknown'],
  ]);
});

test('among cases that are alike in all this, those ruled otherwise come first, and none comes before a case more like it', () => {
  const others = {
    a: { sex: 'm', age: '22' },
    b: { sex: 'm', age: '22' },
    c: { sex: 'f', age: '22' },
    d: { sex: 'm', age: '22' },
  };
  expect(like({ sex: 'm', age: '22' }, others, ['c', 'd'])).toEqual(['d', 'a', 'b', 'c']);
});
