import { expect, test } from 'vitest';
import reference from '../../../docs/reference/values/bestOf.json' with { type: 'json' };
import { randomSource } from '../cases/shuffle.ts';
import { bestOf } from './bestOf.ts';

const none = Number.NaN;
const of = (...correct: number[]) => Float64Array.from(correct);
const settings = { resamples: 200, seed: 1, level: 0.95 };

/** Arms of these true accuracies on cases that are hard for all of them. */
function arms(truths: readonly number[], cases: number, random: () => number): Float64Array[] {
  const hard = Array.from({ length: cases }, () => random() - 0.5);
  return truths.map((truth) => of(...hard.map((each) => (random() < truth + each / 2 ? 1 : 0))));
}

test.each([
  ['one arm', [0.6]],
  ['8 equal arms', Array(8).fill(0.6)],
  ['16 equal arms', Array(16).fill(0.6)],
  ['one of 8 better', [0.63, ...Array(7).fill(0.6)]],
])('the corrected accuracy of the best is right on average, and the lower end holds: %s', (_name, truths: number[]) => {
  const random = randomSource(11, 'best arm');
  const runs = 120;
  let [raw, corrected, missed] = [0, 0, 0];
  for (let run = 0; run < runs; run++) {
    const found = bestOf(
      arms(truths, 200, () => random.next()),
      { ...settings, seed: run },
    );
    const truth = truths[found?.place ?? 0] ?? none;
    raw += ((found?.value ?? none) - truth) / runs;
    corrected += ((found?.corrected ?? none) - truth) / runs;
    if ((found?.low ?? 1) > truth) missed++;
  }
  // The standard error of the mean of 120 experiments is 0.003; bench/simulations.ts has 1,000.
  expect(Math.abs(corrected)).toBeLessThan(0.012);
  if (truths.length > 1) expect(raw).toBeGreaterThan(0.025);
  expect(missed / runs).toBeLessThanOrEqual(0.075);
});

test.each(reference.sets)('the correction comes to that of brute force in numpy: $name', ({ correct, expected }) => {
  const found = bestOf(
    correct.map((arm) => of(...arm)),
    { ...settings, resamples: 4000 },
  );
  expect(found).toMatchObject({ place: expected.place, value: expect.closeTo(expected.value, 12) });
  // Other random numbers: within some standard errors of 4,000 resamples.
  expect(Math.abs((found?.corrected ?? none) - expected.corrected)).toBeLessThan(0.008);
  expect(Math.abs((found?.low ?? none) - expected.low)).toBeLessThan(0.015);
});

test('the corrected accuracy is never above the plain one, nor below its lower end, however few the cases', () => {
  const random = randomSource(12, 'few cases');
  for (let run = 0; run < 300; run++) {
    const found = bestOf(
      arms([0.9, 0.4], 4 + random.below(20), () => random.next()),
      { ...settings, resamples: 20, seed: run },
    );
    expect(found?.corrected ?? 0).toBeLessThanOrEqual(found?.value ?? none);
    expect(found?.low ?? 0).toBeLessThanOrEqual(found?.corrected ?? 0);
  }
});

test('a case that one lacks is in none of its accuracies, and the first of equal ones is the best', () => {
  const found = bestOf([of(0, 1, 1, 0), of(none, 1, 1, 0), of(1, 1, 0, none)], settings);
  expect(found).toMatchObject({ place: 1, value: 2 / 3 });
  expect(bestOf([of(none), of(none)], settings)).toBeNull();
  expect(bestOf([of(1), of(0)], settings)).toEqual({ place: 0, value: 1, corrected: null, low: null });
});
