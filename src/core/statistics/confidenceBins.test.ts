import { expect, test } from 'vitest';
import { confidenceBins } from './confidenceBins.ts';

test('each stated confidence is in exactly one bin, counted by what the truth says', () => {
  const trials = [
    { confidence: 0.7, correct: true },
    { confidence: 0.79, correct: false },
    { confidence: 1, correct: true },
    { confidence: 0, correct: null },
    { confidence: null, correct: true },
  ];
  const bins = confidenceBins(trials, 10);
  expect(bins).toHaveLength(10);
  expect(bins[0]).toEqual({ from: 0, to: 0.1, correct: 0, wrong: 0, unknown: 1 });
  expect(bins[7]).toEqual({ from: 0.7, to: 0.8, correct: 1, wrong: 1, unknown: 0 });
  expect(bins[9]).toEqual({ from: 0.9, to: 1, correct: 1, wrong: 0, unknown: 0 });
  expect(bins.flatMap(({ correct, wrong, unknown }) => [correct, wrong, unknown]).reduce((sum, n) => sum + n)).toBe(4);
});

test('every hundredth lies between the edges of its bin, for any rounding of the product', () => {
  for (let hundredth = 0; hundredth < 100; hundredth++) {
    const confidence = hundredth / 100;
    const bins = confidenceBins([{ confidence, correct: true }], 10);
    const [bin] = bins.filter(({ correct }) => correct === 1);
    expect(bin?.from).toBeLessThanOrEqual(confidence);
    expect(bin?.to).toBeGreaterThan(confidence);
  }
});

test('a confidence that rounding moved off its edge is in the bin of the edge', () => {
  const binOf = (confidence: number) =>
    confidenceBins([{ confidence, correct: true }], 10).findIndex(({ correct }) => correct === 1);
  for (let tenth = 0; tenth < 10; tenth++) {
    const ways = [
      tenth / 10,
      1 - (10 - tenth) / 10,
      1 - (1 - tenth / 10),
      Array(tenth)
        .fill(0.1)
        .reduce((a, b) => a + b, 0),
    ];
    expect(ways.map(binOf)).toEqual(ways.map(() => tenth));
  }
  expect(1 - 0.9).toBeLessThan(0.1);
  expect(binOf(0.1 - 1e-6)).toBe(0);
});

test('what is no confidence and no number of bins is refused', () => {
  expect(() => confidenceBins([{ confidence: 1.2, correct: true }], 10)).toThrow(RangeError);
  expect(() => confidenceBins([{ confidence: -0.2, correct: true }], 10)).toThrow(RangeError);
  expect(() => confidenceBins([], 0)).toThrow(RangeError);
});
