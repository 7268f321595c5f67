import { describe, expect, test } from 'vitest';
import { tellingOf } from './sameText.ts';

describe('tellingOf', () => {
  test.each([
    ['case', 'The ROOF leaks', 'the roof leaks'],
    ['white space', '  the\troof \n\n leaks\u00a0', 'the roof leaks'],
    ['composed and decomposed letters', 'caf\u00e9', 'cafe\u0301'],
    ['compatibility forms', '\ufb01nal \uff11', 'final 1'],
    ['a letter that has two capitals', 'Straße', 'STRASSE'],
    ['both small sigmas', 'ΟΔΟΣ', 'οδος'],
  ])('%s makes no difference', (_what, one, other) => {
    expect(tellingOf(one)).toBe(tellingOf(other));
  });

  test.each([
    ['the roof leaks', 'the roof leaked'],
    ['a b', 'ab'],
    ['cafe', 'café'],
  ])('%j and %j are two texts', (one, other) => {
    expect(tellingOf(one)).not.toBe(tellingOf(other));
  });
});
