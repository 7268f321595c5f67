import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expectAgreement } from './agreement.fixture.ts';
import { cohenKappa } from './cohenKappa.ts';
import { confusion, confusionOfCells } from './confusion.ts';

describe('cohenKappa', () => {
  test('undefined without cases and where both always say the same; 0 where one side alone never varies', () => {
    expect(cohenKappa(confusion([], ['A', 'B']))).toBeNull();
    expect(cohenKappa(confusionOfCells(['A', 'B'], [1, 0, 0, 0]))).toBeNull();
    expect(cohenKappa(confusionOfCells(['A', 'B'], [3, 2, 0, 0]))).toBe(0);
  });

  test('property: the two sides may change places', () => {
    const label = fc.constantFrom('A', 'B', 'C');
    fc.assert(
      fc.property(fc.array(fc.record({ truth: label, prediction: label })), (pairs) => {
        const turned = pairs.map(({ truth, prediction }) => ({ truth: prediction, prediction: truth }));
        expectAgreement(cohenKappa(confusion(pairs, ['A', 'B', 'C'])), cohenKappa(confusion(turned, ['A', 'B', 'C'])));
      }),
    );
  });
});
