import fc from 'fast-check';
import { expect, test } from 'vitest';
import { expectAgreement, judged, weighted } from './agreement.fixture.ts';
import { prepareMiscalibration } from './miscalibration.ts';
import { confidenceSets } from './reference.fixture.ts';
import { isSame } from './sameNumber.ts';
import { equalWeights } from './weights.ts';

const miscalibration = (beliefs: readonly number[], outcomes: readonly boolean[]) =>
  prepareMiscalibration(beliefs, outcomes)(equalWeights(beliefs.length));

test('by hand: the upper two are pooled; beliefs that differ by rounding alone are one; nothing is undefined', () => {
  expect(miscalibration([0.2, 0.6, 0.9], [false, true, false])).toBeCloseTo(0.01 / 3, 12);
  // Half of 0.49 and 0.09, less the variance ½ of the two.
  expect(miscalibration([0.3, 0.1 + 0.2], [false, true])).toBeCloseTo(0.29 - 0.5, 12);
  expect(miscalibration([0, 1], [false, true])).toBe(0);
  expect(miscalibration([], [])).toBeNull();
  expect(prepareMiscalibration([0.1], [true])([0])).toBeNull();
});

test('a case that is drawn again brings nothing new', () => {
  const under = prepareMiscalibration([0.4, 0.4], [true, false]);
  expect(under([3, 3])).toBeCloseTo(under([1, 1]) ?? Number.NaN, 12);
  expect(under([5, 0])).toBeCloseTo(0.36, 12);
});

test('refuses what does not fit', () => {
  expect(() => prepareMiscalibration([0.1], [true, false])).toThrow(/1 beliefs for 2 outcomes/);
  expect(() => prepareMiscalibration([Number.NaN], [true])).toThrow(RangeError);
  expect(() => prepareMiscalibration([0.1], [true])([1, 1])).toThrow(RangeError);
});

test.each(confidenceSets)('scikit-learn IsotonicRegression: $name', ({ confidence, isCorrect, weights, expected, ...set }) => {
  const prepared = prepareMiscalibration(confidence, isCorrect);
  expectAgreement(prepared(Uint32Array.from(weights)), set.weighted.miscalibration);
  expectAgreement(prepared(confidence.map(() => 1)), expected.miscalibration);
});

const summed = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0);

test('property: isotonic regression as the largest lower of the smallest upper means', () => {
  fc.assert(
    fc.property(weighted(judged), ({ items, weights }) => {
      const lowestFirst = items.map(({ confidence }) => confidence).toSorted((a, b) => a - b);
      const rows = items.flatMap(({ confidence, isCorrect }, index) => {
        const p = lowestFirst.find((each) => isSame(each, confidence)) ?? confidence;
        const w = weights[index] ?? 0;
        return w === 0 ? [] : [{ p, y: isCorrect ? 1 : 0, w }];
      });
      const levels = [...new Set(rows.map(({ p }) => p))];
      const mean = (from: number, to: number) => {
        const some = rows.filter(({ p }) => p >= from && p <= to);
        return summed(some.map(({ y, w }) => y * w)) / summed(some.map(({ w }) => w));
      };
      const fitted = (p: number) => {
        const upper = (from: number) => Math.min(...levels.filter((to) => to >= p).map((to) => mean(from, to)));
        return Math.max(...levels.filter((from) => from <= p).map(upper));
      };
      const blocks = Map.groupBy(rows, ({ p }) => fitted(p).toFixed(12));
      const left = [...blocks.values()].map((some) => {
        const n = summed(some.map(({ w }) => w));
        const effective = n ** 2 / summed(some.map(({ w }) => w ** 2));
        const share = summed(some.map(({ y, w }) => y * w)) / n;
        return some.length === 1 ? 0 : (n * share * (1 - share) * effective) / (effective - 1);
      });
      const n = summed(rows.map(({ w }) => w));
      const found = prepareMiscalibration(
        items.map(({ confidence }) => confidence),
        items.map(({ isCorrect }) => isCorrect),
      )(weights);
      expectAgreement(found, n === 0 ? null : (summed(rows.map(({ p, y, w }) => w * (p - y) ** 2)) - summed(left)) / n);
    }),
  );
});
