import { expect, test } from 'vitest';
import { scoreColumn } from './scoreColumns.ts';

const shares = { least: 0.02, greatest: 0.98, whole: false };

test.each([
  ['a name that says score, with shares', { name: 'pay_score', numbers: shares }, 1],
  ['camel case, with percentages', { name: 'riskRating', numbers: { least: 3, greatest: 97.5, whole: false } }, 100],
  ['a rank', { name: 'decile_score', numbers: { least: 1, greatest: 10, whole: true } }, null],
  ['any name, where the rows of a case differ', { name: 'x', numbers: shares, variesPer: 'id' }, 1],
] as const)('looks like a score: %s', (_, column, scale) => {
  expect(scoreColumn(column)).toMatchObject({ column: column.name, scale });
});

test.each([
  ['a fact of the case', { name: 'income_share', numbers: shares }],
  ['a decision that is 0 or 1', { name: 'risk', numbers: { least: 0, greatest: 1, whole: true } }],
  ['a credit score of some hundreds', { name: 'score', numbers: { least: 300, greatest: 850, whole: true } }],
  ['a p-value', { name: 'p-value', numbers: shares }],
  ['words', { name: 'score' }],
  ['an age in which rows differ', { name: 'age', numbers: { least: 18, greatest: 90, whole: true }, variesPer: 'id' }],
] as const)('does not: %s', (_, column) => {
  expect(scoreColumn(column)).toBeNull();
});
