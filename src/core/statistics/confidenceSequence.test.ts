import { expect, test } from 'vitest';
import anytime from '../../../docs/reference/values/anytime.json' with { type: 'json' };
import { confidenceSequence } from './confidenceSequence.ts';

test.each(anytime.sets)('$name: every interval is that of the plain computation', (set) => {
  const sequence = confidenceSequence(set.alpha);
  set.values.forEach((value, place) => {
    sequence.add(value);
    const { low, high } = sequence.interval();
    expect(low).toBeCloseTo(set.low[place] ?? Number.NaN, 12);
    expect(high).toBeCloseTo(set.high[place] ?? Number.NaN, 12);
  });
});

test('an interval only narrows, and begins with everything', () => {
  const sequence = confidenceSequence(0.05);
  expect(sequence.interval()).toEqual({ low: -1, high: 1 });
  for (let place = 0; place < 20; place++) sequence.add(1);
  expect(sequence.interval()).toEqual({ low: 0.423, high: 1 });
  const before = sequence.interval();
  sequence.add(-1);
  expect(sequence.interval().low).toBeGreaterThanOrEqual(before.low);
  expect(sequence.count()).toBe(21);
  expect(() => sequence.add(1.5)).toThrow(RangeError);
});
