import { expect, test } from 'vitest';
import { differences } from './freeze.ts';

test('equal values have no differences, in any order of their keys', () => {
  expect(differences({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toEqual([]);
});

test('each difference is named by its path, absent values as nothing', () => {
  expect(differences({ a: { b: 1, gone: true }, list: [1] }, { a: { b: 2, fresh: 'x' }, list: [1, 2] })).toEqual([
    { path: 'a.b', before: '1', after: '2' },
    { path: 'a.gone', before: 'true', after: 'nothing' },
    { path: 'a.fresh', before: 'nothing', after: '"x"' },
    { path: 'list', before: '[1]', after: '[1,2]' },
  ]);
});

test('an undefined value is the same as an absent one', () => {
  expect(differences({ a: undefined }, {})).toEqual([]);
});
