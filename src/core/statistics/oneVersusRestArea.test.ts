import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { believedCase, expectAgreement, repeated, weighted } from './agreement.fixture.ts';
import { oneVersusRestArea, prepareOneVersusRestArea } from './oneVersusRestArea.ts';
import { beliefSets } from './reference.fixture.ts';

describe('oneVersusRestArea', () => {
  test('by hand: A is told apart, B is not, C never true', () => {
    const cases = [
      { belief: { A: 0.6, B: 0.4 }, truth: 'A' },
      { belief: { A: 0.2, B: 0.4, C: 0.4 }, truth: 'B' },
    ];
    expect(oneVersusRestArea(cases, ['A', 'B', 'C'])).toEqual({ value: 0.75, areas: [1, 0.5, null] });
  });

  test('one class only, no cases: undefined', () => {
    expect(oneVersusRestArea([{ belief: { A: 1 }, truth: 'A' }], ['A', 'B'])).toEqual({ value: null, areas: [null, null] });
    expect(oneVersusRestArea([], ['A', 'B']).value).toBeNull();
  });

  test('refuses a belief that is no distribution and a truth that is no label', () => {
    expect(() => oneVersusRestArea([{ belief: { A: 0.3 }, truth: 'A' }], ['A', 'B'])).toThrow(RangeError);
    expect(() => oneVersusRestArea([{ belief: { A: 1 }, truth: 'X' }], ['A', 'B'])).toThrow(/"X"/);
  });

  test.each(beliefSets)('scikit-learn roc_auc_score, ovr: $name', ({ cases, labels, weights, expected, ...set }) => {
    const { value, areas } = oneVersusRestArea(cases, labels);
    expectAgreement(value, expected.macroArea);
    areas.forEach((area, place) => {
      expectAgreement(area, expected.areas[place] ?? null);
    });
    expectAgreement(prepareOneVersusRestArea(cases, labels)(weights), set.weighted.macroArea);
    oneVersusRestArea(cases, labels, weights).areas.forEach((area, place) => {
      expectAgreement(area, set.weighted.areas[place] ?? null);
    });
  });

  test('property: a weight is a repetition', () => {
    fc.assert(
      fc.property(weighted(believedCase(['A', 'B', 'C'])), ({ items, weights }) => {
        const labels = ['A', 'B', 'C'];
        expectAgreement(
          prepareOneVersusRestArea(items, labels)(weights),
          oneVersusRestArea(repeated(items, weights), labels).value,
        );
      }),
    );
  });
});
