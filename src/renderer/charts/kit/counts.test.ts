import { expect, test } from 'vitest';
import { countsAsText, quantityIs } from './counts.ts';

test('what every arm has alike, and from least to most where they differ', () => {
  expect(countsAsText([40, 40, 40], Number, { cases: [40, 40, 40] })).toBe('40 trials of 40 cases in each arm');
  expect(countsAsText([40, 38], Number, { noun: 'decided trial', cases: [20, 19] })).toBe(
    '38 to 40 decided trials of 19 to 20 cases in each arm',
  );
});

test('one is singular, and of one count alone there is no each', () => {
  expect(countsAsText([1], Number, { cases: [1] })).toBe('1 trial of 1 case');
  expect(countsAsText([1, 1], Number, { cases: [1, 1] })).toBe('1 trial of 1 case in each arm');
  expect(countsAsText([0, 1], Number)).toBe('0 to 1 trial in each arm');
  expect(countsAsText([], Number)).toBe('');
});

test('what is counted can have a special plural, more words, and another place', () => {
  expect(countsAsText([1, 2], Number, { noun: 'speech', plural: 'speeches', each: 'behind each mark' })).toBe(
    '1 to 2 speeches behind each mark',
  );
  expect(countsAsText([12, 12], Number, { noun: 'decided trial', about: 'with a known truth' })).toBe(
    '12 decided trials with a known truth in each arm',
  );
});

test('the verb fits its number', () => {
  expect([quantityIs(1, 'further arm'), quantityIs(2, 'further arm')]).toEqual(['1 further arm is', '2 further arms are']);
});
