import { expect, test } from 'vitest';
import { byLikeness, comparedFacts, factDistances } from './comparedFacts.ts';

const factsOf = (values: Readonly<Record<string, string>>) => Object.entries(values).map(([name, value]) => ({ name, value }));
function like(one: Record<string, string>, others: Record<string, Record<string, string>>, otherwise: readonly string[] = []) {
  const given = Object.entries(others).map(([id, values]) => ({
    id,
    facts: factsOf(values),
    isOtherwise: otherwise.includes(id),
  }));
  const facts = factsOf(one);
  return byLikeness(facts, given, factDistances([facts, ...given.map((each) => each.facts)])).map(({ id }) => id);
}

test('numbers are the same however they are written, words only letter by letter, and a fact that one lacks differs', () => {
  const one = [{ name: 'age', value: '22', shown: 'Age (years)' }, ...factsOf({ sex: 'Male', area: '01 A', job: 'none' })];
  expect(comparedFacts(one, factsOf({ area: '1 A', age: '22.0', sex: 'male', debt: '3' }))).toEqual([
    { name: 'age', title: 'age', one: '22', other: '22.0', isSame: true },
    { name: 'sex', title: 'sex', one: 'Male', other: 'male', isSame: false },
    { name: 'area', title: 'area', one: '01 A', other: '1 A', isSame: false },
    { name: 'job', title: 'job', one: 'none', other: null, isSame: false },
    { name: 'debt', title: 'debt', one: null, other: '3', isSame: false },
  ]);
  expect(comparedFacts(one, one).map(({ title }) => title)).toEqual(['Age (years)', 'sex', 'area', 'job']);
});

test('numbers near each other are alike, and one that is far apart weighs as much as one other word', () => {
  const others = {
    words: { sex: 'f', area: 'S', age: '22' },
    far: { sex: 'm', area: 'N', age: '9000' },
    near: { sex: 'm', area: 'N', age: '23' },
  };
  expect(like({ sex: 'm', area: 'N', age: '22' }, others)).toEqual(['near', 'far', 'words']);
});

test('the ranks of numbers count, not their size, and without the number a case is farthest', () => {
  const others = {
    without: {},
    far: { age: '24', debt: '1000001' },
    small: { age: '25', debt: '91' },
    near: { age: '23', debt: '1000000' },
  };
  // Shares of the ranks away: near 1/3 + 2/3, small 3/3 + 1/3, far 2/3 + 3/3, without 1 + 1.
  expect(like({ age: '22', debt: '90' }, others)).toEqual(['near', 'small', 'far', 'without']);
});

test('of a column with a word among its numbers, the numbers are compared as numbers and the word with none', () => {
  const others = { unknown: { age: 'unknown' }, far: { age: '90' }, near: { age: '23' } };
  expect(like({ age: '22' }, others)).toEqual(['near', 'unknown', 'far']);
  expect(like({ age: 'unknown' }, others)).toEqual(['unknown', 'far', 'near']);
});

test('two numbers of a column are as far apart as two words, and equal numbers are ranked together', () => {
  const distanceOf = factDistances(['0', '0', '0', '0.0', '1', 'no'].map((value) => factsOf({ area: value })));
  const apart = (one: string | null, other: string | null) => distanceOf({ name: 'area', one, other, isSame: one === other });
  expect([apart('0', '0.0'), apart('0', '1'), apart('1', 'no'), apart('1', null)]).toEqual([0, 1, 1, 1]);
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
