import { expect, test } from 'vitest';
import { type Aliases, alignedOver, overClasses } from './classNames.ts';

const massOf = (list: Readonly<Record<string, number>>, aliases: Aliases = {}) => Object.fromEntries(overClasses(list, aliases));

const classOf = (name: string, aliases: Aliases = {}) => [...overClasses({ [name]: 1 }, aliases).keys()][0];

test('parentheticals and capitals make no other class', () => {
  expect(classOf('Hepatitis C (HCV)')).toBe('hepatitis c');
  expect(classOf('Obstructive  Jaundice (due to gallstones, or bile duct obstruction)')).toBe('obstructive jaundice');
  expect(classOf('(unnamed)')).toBe('(unnamed)');
});

test('the alias table takes names in any of these spellings, and no others', () => {
  const aliases = { HCV: 'Hepatitis C (viral)', 'jaundice, obstructive': 'Obstructive Jaundice' };
  expect(classOf('hcv (suspected)', aliases)).toBe('hepatitis c');
  expect(classOf('Jaundice, obstructive', aliases)).toBe('obstructive jaundice');
  expect(classOf('HBV', aliases)).toBe('hbv');
});

test('the mass of names of one class is added, that of others stays apart', () => {
  const aliases = { HCV: 'hepatitis c' };
  expect(massOf({ 'Hepatitis C (chronic)': 30, HCV: 20, Cirrhosis: 50 }, aliases)).toEqual({
    'hepatitis c': 50,
    cirrhosis: 50,
  });
  expect(massOf({ 'Hepatitis C': 30, HCV: 20 })).toEqual({ 'hepatitis c': 30, hcv: 20 });
});

test('labels of one list that differ only in a parenthetical are different classes', () => {
  const belief = { 'theft (first degree)': 0.75, 'theft (second degree)': 0.25 };
  expect(massOf(belief)).toEqual(belief);
  expect(massOf(belief, { theft: 'theft' })).toEqual({ theft: 1 });
  expect(massOf({ NO: 0.5, no: 0.5 })).toEqual({ NO: 0.5, no: 0.5 });
});

test('an alias of one of them is of that one alone', () => {
  const belief = { 'theft (first degree)': 0.5, 'theft (second degree)': 0.25, larceny: 0.25 };
  expect(massOf(belief, { larceny: 'theft (first degree)' })).toEqual({
    'theft (first degree)': 0.75,
    'theft (second degree)': 0.25,
  });
  expect(massOf(belief, { 'theft (second degree)': 'larceny' })).toEqual({ 'theft (first degree)': 0.5, larceny: 0.5 });
});

test('rows over the same classes, 0 where one of them names none', () => {
  expect(alignedOver(overClasses({ a: 1, b: 2 }), overClasses({ c: 4, b: 3 }))).toEqual([
    [1, 2, 0],
    [0, 3, 4],
  ]);
});

test('classes are in the order of the labels, also where these look like numbers', () => {
  expect([...overClasses({ 10: 0.5, 2: 0.25, 1: 0.25 }, {}, ['10', '2', '1']).keys()]).toEqual(['10', '2', '1']);
});
