import fc from 'fast-check';
import { expect, test } from 'vitest';
import { axisOver } from './measureAxis.ts';

test('an axis has round ends around all values, and few ticks', () => {
  const number = fc.double({ min: -1, max: 30, noNaN: true });
  fc.assert(
    fc.property(fc.array(number, { minLength: 1, maxLength: 8 }), (values) => {
      const { from, to, ticks, place } = axisOver(values, 'number');
      expect(from).toBeLessThanOrEqual(Math.min(...values) + 1e-6);
      expect(to).toBeGreaterThanOrEqual(Math.max(...values) - 1e-6);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.length).toBeLessThan(9);
      expect(new Set(ticks.map(({ words }) => words)).size).toBe(ticks.length);
      expect(values.every((value) => place(value) >= 0 && place(value) <= 1)).toBe(true);
    }),
  );
});

test('shares are shown in percent, from the values and no further', () => {
  // 0.52 to 0.81 is 0.29, at most five steps: 0.1, from 0.5 to 0.9.
  expect(axisOver([0.52, 0.7, 0.81], 'share').ticks.map(({ words }) => words)).toEqual(['50%', '60%', '70%', '80%', '90%']);
});

test('values close to each other have room around them, within 0 to 100%', () => {
  const ends = (...values: number[]) => {
    const { from, to } = axisOver(values, 'share');
    return [from, to].map((end) => Math.round(100 * end));
  };
  expect(ends(0.483)).toEqual([42, 54]);
  expect(ends(0.48, 0.5)).toEqual([44, 54]);
  expect(ends(0)).toEqual([0, 10]);
  expect(ends(1)).toEqual([90, 100]);
});
