import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampledBelief } from './sampledBelief.ts';

test('the share of the valid answers for each label: 3, 1 and 0 of 4', () => {
  expect(sampledBelief(['A', 'B', 'C'], ['A', 'B', 'A', 'A'])).toEqual({
    belief: { A: 0.75, B: 0.25, C: 0 },
    counts: { A: 3, B: 1, C: 0 },
  });
});

test('without a valid answer there is no belief', () => {
  expect(sampledBelief(['A', 'B'], [])).toEqual({ belief: null, counts: { A: 0, B: 0 } });
});

test('an answer that is no label is refused', () => {
  expect(() => sampledBelief(['A', 'B'], ['C'])).toThrow(RangeError);
});

test('a belief sums to 1 and does not depend on the order of the answers', () => {
  const labels = ['A', 'B', 'C', 'D'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...labels), { minLength: 1, maxLength: 50 }), (answers) => {
      const { belief, counts } = sampledBelief(labels, answers);
      expect(Object.values(belief ?? {}).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
      expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(answers.length);
      expect(sampledBelief(labels, answers.toReversed())).toEqual({ belief, counts });
    }),
  );
});
