import { expect, test } from 'vitest';
import type { BelievedCase } from './distribution.ts';
import { prepareOneVersusRestArea } from './oneVersusRestArea.ts';
import { equalWeights } from './weights.ts';

const areaOf = (cases: readonly BelievedCase[], labels: readonly string[]) =>
  prepareOneVersusRestArea(cases, labels)(equalWeights(cases.length));

test('by hand: A is separated (1), B is not (0.5), C never true', () => {
  const cases = [
    { belief: { A: 0.6, B: 0.4 }, truth: 'A' },
    { belief: { A: 0.2, B: 0.4, C: 0.4 }, truth: 'B' },
  ];
  expect(areaOf(cases, ['A', 'B', 'C'])).toBe(0.75);
});

test('one class only, no cases: undefined', () => {
  expect(areaOf([{ belief: { A: 1 }, truth: 'A' }], ['A', 'B'])).toBeNull();
  expect(areaOf([], ['A', 'B'])).toBeNull();
});

test('refuses a belief that is no distribution and a truth that is no label', () => {
  expect(() => areaOf([{ belief: { A: 0.3 }, truth: 'A' }], ['A', 'B'])).toThrow(RangeError);
  expect(() => areaOf([{ belief: { A: 1 }, truth: 'X' }], ['A', 'B'])).toThrow(/"X"/);
});
