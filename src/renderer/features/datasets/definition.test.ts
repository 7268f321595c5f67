import { describe, expect, it } from 'vitest';
import { firstSplit, splitSizes } from './definition.ts';

describe('splits in words and numbers', () => {
  it('counts the cases of each split as the engine deals them', () => {
    expect(splitSizes(1412, { test: 0.6, train: 0.2, validation: 0.2 })).toEqual({ test: 847, train: 282, validation: 283 });
    expect(splitSizes(7, { test: 1, train: 0, validation: 0 })).toEqual({ test: 7, train: 0, validation: 0 });
  });

  it('begins with the first split that has cases', () => {
    expect(firstSplit({ test: 0, train: 3, validation: 1 })).toBe('train');
    expect(firstSplit({ test: 0, train: 0, validation: 0 })).toBeNull();
  });
});
