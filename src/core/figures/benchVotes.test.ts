import { expect, test } from 'vitest';
import { pairAgreement, splitOf } from './benchVotes.ts';

test.each([
  [{ A: 3 }, 'unanimous', 1],
  [{ A: 3, B: 0 }, 'unanimous', 1],
  // Of the pairs AA, AB, AB one agrees.
  [{ A: 2, B: 1 }, 'majority', 1 / 3],
  // Of ten pairs AA and BB agree, and AB, AB, AB, AB, AC, AC, BC, BC do not.
  [{ A: 2, B: 2, C: 1 }, 'divided', 0.2],
  [{ A: 1, B: 1 }, 'divided', 0],
  // Of ten pairs six of AAAA agree.
  [{ A: 4, B: 1 }, 'majority', 0.6],
])('%o is %s', (counts, split, agreement) => {
  expect(splitOf({ counts })).toBe(split);
  expect(pairAgreement({ counts })).toBeCloseTo(agreement, 12);
});

test('one answer is no bench', () => {
  expect(splitOf({ counts: { A: 1 } })).toBeNull();
  expect(pairAgreement({ counts: { A: 1, B: 0 } })).toBeNull();
});
