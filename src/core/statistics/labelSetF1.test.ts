import { describe, expect, test } from 'vitest';
import { expectAgreement } from './agreement.fixture.ts';
import { f1OfCounts } from './f1.ts';
import { labelSetCounts } from './labelSetCounts.ts';
import { macroLabelSetF1, microLabelSetF1 } from './labelSetF1.ts';
import { multiLabelSets } from './reference.fixture.ts';

const counts = [
  { truePositives: 1, falsePositives: 1, trueNegatives: 2, falseNegatives: 0 },
  { truePositives: 0, falsePositives: 1, trueNegatives: 2, falseNegatives: 1 },
  { truePositives: 0, falsePositives: 0, trueNegatives: 4, falseNegatives: 0 },
];

describe('F1 over label sets', () => {
  test('by hand: 2/3, 0 and undefined', () => {
    expect(macroLabelSetF1(counts)).toEqual({ value: 2 / 3 / 3, classes: 3, undefinedClasses: 1 });
    expect(microLabelSetF1(counts)).toBe(2 / 5);
  });

  test('no labels, no cases', () => {
    expect(macroLabelSetF1([]).value).toBeNull();
    expect(microLabelSetF1(labelSetCounts([], ['A', 'B']))).toBeNull();
  });

  test.each(multiLabelSets)('scikit-learn f1_score: $name', ({ pairs, labels, weights, ...reference }) => {
    for (const [given, expected] of [
      [labelSetCounts(pairs, labels), reference.expected],
      [labelSetCounts(pairs, labels, weights), reference.weighted],
    ] as const) {
      given.forEach((count, place) => {
        expectAgreement(f1OfCounts(count), expected.f1[place] ?? null);
      });
      expectAgreement(macroLabelSetF1(given).value, expected.macroF1);
      expectAgreement(microLabelSetF1(given), expected.microF1);
    }
  });
});
