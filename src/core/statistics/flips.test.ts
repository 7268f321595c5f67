import { describe, expect, it } from 'vitest';
import { yes } from '../trajectory/trajectory.fixture.ts';
import { answerFlips, flips } from './flips.ts';

describe('flips', () => {
  it.each([
    { path: [0.6, 0.7, 0.9], expected: 0 },
    // NO in front, then YES, then NO.
    { path: [0.4, 0.6, 0.3], expected: 2 },
    // At the tie YES stays in front; only the last step changes it.
    { path: [0.6, 0.5, 0.6], expected: 0 },
    { path: [0.6, 0.5, 0.4], expected: 1 },
    // In a first belief with a tie the first label, NO, is in front.
    { path: [0.5, 0.6], expected: 1 },
  ])('P(YES) $path has $expected', ({ path, expected }) => {
    expect(flips(path.map(yes))).toBe(expected);
  });

  it('follows more than two labels', () => {
    const path = [
      { a: 0.5, b: 0.3, c: 0.2 },
      { a: 0.3, b: 0.4, c: 0.3 },
      { a: 0.2, b: 0.4, c: 0.4 },
      { a: 0.2, b: 0.3, c: 0.5 },
    ];
    expect(flips(path)).toBe(2);
  });

  it('does not count a tie that rounding breaks', () => {
    const staying = [
      { b: 0.3, a: 0.4, c: 0.3 },
      { b: 0.1 + 0.2, a: 0.3, c: 0.4 - 0.1 },
    ];
    expect(flips(staying)).toBe(0);
    const first = [
      { a: 0.3, b: 0.1 + 0.2, c: 0.4 - 0.1 },
      { a: 0.5, b: 0.3, c: 0.2 },
    ];
    expect(flips(first)).toBe(0);
  });

  it('is unknown for fewer than two beliefs', () => {
    expect(flips([])).toBeNull();
    expect(flips([yes(0.5)])).toBeNull();
  });
});

describe('flips of the stated answer', () => {
  it('counts changes of the set, for any order and any number of times a label is named', () => {
    expect(answerFlips([['A'], ['B', 'A'], ['A', 'B', 'A'], []])).toBe(2);
    expect(answerFlips([[], []])).toBe(0);
    expect(answerFlips([['A'], [], ['A']])).toBe(2);
  });

  it('counts the label that is named, with any belief stated with it', () => {
    expect(answerFlips(['NO', 'YES', 'YES', 'NO'])).toBe(2);
  });

  it('fewer than two answers cannot flip', () => {
    expect(answerFlips([])).toBeNull();
    expect(answerFlips([['A']])).toBeNull();
  });
});
