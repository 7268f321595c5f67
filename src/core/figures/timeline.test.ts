import fc from 'fast-check';
import { expect, test } from 'vitest';
import { timelinePieces } from './timeline.ts';

test('neighbours meet half way between their values', () => {
  expect(timelinePieces([0.4, 0.2, 0.6])).toEqual([
    { top: null, dot: 0.4, bottom: expect.closeTo(0.3) },
    { top: expect.closeTo(0.3), dot: 0.2, bottom: 0.4 },
    { top: 0.4, dot: 0.6, bottom: null },
  ]);
});

test('the line passes rows without a value, and neither begins before the first nor ends after the last', () => {
  expect(timelinePieces([null, 0.2, null, 0.4, null])).toEqual([
    { top: null, dot: null, bottom: null },
    { top: null, dot: 0.2, bottom: expect.closeTo(0.3) },
    { top: expect.closeTo(0.3), dot: null, bottom: expect.closeTo(0.3) },
    { top: expect.closeTo(0.3), dot: 0.4, bottom: null },
    { top: null, dot: null, bottom: null },
  ]);
});

test('each row leaves where the next enters, within the values given', () => {
  const values = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 30 });
  fc.assert(
    fc.property(values, (given) => {
      const pieces = timelinePieces(given);
      expect(pieces.map(({ dot }) => dot)).toEqual(given);
      for (const [row, { bottom }] of pieces.slice(0, -1).entries()) expect(pieces[row + 1]?.top).toBe(bottom);
      for (const edge of pieces.flatMap(({ top, bottom }) => [top, bottom])) {
        if (edge !== null) expect(edge >= 0 && edge <= 1).toBe(true);
      }
    }),
  );
});
