import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/bcaIntervals.json' with { type: 'json' };
import { expectAgreement } from './agreement.fixture.ts';
import { bcaInterval } from './bcaInterval.ts';

const at = (level: number, ...given: Parameters<typeof bcaInterval>) => {
  const interval = bcaInterval(...given);
  return typeof interval === 'string' ? interval : interval(level);
};
const up = Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);

test.each(reference.sets)(
  'scipy bootstrap(method="BCa") from its own replicates: $name of $cases cases',
  ({ expected, ...set }) => {
    const interval = at(set.level, set.value, Float64Array.from(set.replicates), Float64Array.from(set.jackknife));
    if (typeof interval === 'string') throw new Error(interval);
    expectAgreement(interval.low, expected.low);
    expectAgreement(interval.high, expected.high);
  },
);

test('without bias and skew it is the percentiles', () => {
  // 5 is the middle of nine; [4, 5, 6] has no skew. Level 0.5: places 0.25 * 8 and 0.75 * 8
  expect(at(0.5, 5, up, Float64Array.of(4, 5, 6))).toEqual({ low: expect.closeTo(3, 12), high: expect.closeTo(7, 12) });
});

test('replicates that differ from the value by rounding alone are ties', () => {
  const [value, same] = [0.3 - 0.1, 0.4 - 0.2];
  expect(value).not.toBe(same);
  const interval = at(0.9, value, Float64Array.of(0.1, same, same, 0.4), Float64Array.of(0.1, 0.2, 0.3));
  const { low, high } = interval as { low: number; high: number };
  // Two of four are ties, one below: half of all, so no bias. Places 0.05 * 3 and 0.95 * 3
  expect(low).toBeCloseTo(0.115, 12);
  expect(high).toBeCloseTo(0.37, 12);
});

test('says why there is none', () => {
  expect(bcaInterval(1, Float64Array.of(1, 1, 1), Float64Array.of(1, 1, 1))).toBe('no-variance');
  expect(bcaInterval(5, up, Float64Array.of(4, 4, 4))).toBe('no-variance');
  expect(bcaInterval(0.1 + 0.2, Float64Array.of(0.3, 0.3, 0.1 + 0.2), Float64Array.of(0.3, 0.1 + 0.2))).toBe('no-variance');
  expect(bcaInterval(0, up, Float64Array.of(4, 5, 6))).toBe('one-sided');
  expect(bcaInterval(10, up, Float64Array.of(4, 5, 6))).toBe('one-sided');
  expect(bcaInterval(5, up, Float64Array.of(4, Number.NaN, 6))).toBe('undefined-without-a-case');
  // One case alone decides: a nears 1/6, and beyond z = 6 the ends turn around
  const one = Float64Array.of(0, ...new Array<number>(400).fill(1));
  expect(at(1 - 1e-13, 5, up, one)).toBe('unstable');
});
