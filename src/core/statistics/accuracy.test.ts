import { describe, expect, test } from 'vitest';
import { isCorrect } from './accuracy.ts';

describe('isCorrect', () => {
  test.each([
    ['A', 'A', true],
    ['A', 'a', false],
    [['A', 'B'], ['B', 'A'], true],
    [['A', 'B'], ['A'], false],
    [['A'], ['A', 'B'], false],
    [['A', 'B'], ['A', 'C'], false],
    [['A'], ['A', 'A'], true],
    [[], [], true],
    [['A'], [], false],
    ['A', ['A'], false],
  ])('%j and %j: %s', (truth, prediction, expected) => {
    expect(isCorrect(truth, prediction)).toBe(expected);
  });
});
