import { expect, test } from 'vitest';
import { confusionOfCells } from './confusion.ts';
import { gwetAgreement } from './gwetAgreement.ts';

const of = (...cells: number[]) => gwetAgreement(confusionOfCells(cells.length === 4 ? ['a', 'b'] : ['a', 'b', 'c'], cells));

test('by hand', () => {
  const chance = 2 * 0.972 * 0.028;
  expect(of(118, 5, 2, 0)).toBeCloseTo((0.944 - chance) / (1 - chance), 12);
  // Three labels, each a third of the ratings: chance is 1/3, as for kappa.
  expect(of(2, 1, 0, 0, 2, 1, 1, 0, 2)).toBeCloseTo((2 / 3 - 1 / 3) / (2 / 3), 12);
});

test('full agreement is 1, full disagreement over two labels is -1, and nothing is nothing', () => {
  expect(of(3, 0, 0, 5)).toBe(1);
  expect(of(0, 4, 4, 0)).toBe(-1);
  expect(of(0, 0, 0, 0)).toBeNull();
});
