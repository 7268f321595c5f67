import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nothingPulled, openPullRate, type PullLine, pullLineSchema, secondsLeft, sumOf, withLine } from './pullProgress.ts';

const digests = ['a', 'b', 'c', 'd'].map((letter) => `sha256:${letter.repeat(64)}`);
const totals = [5_000_000_000, 12_000, 1600, 500];

const reported: fc.Arbitrary<PullLine> = fc
  .tuple(fc.integer({ min: 0, max: 3 }), fc.double({ min: 0, max: 1.2, noNaN: true }))
  .map(([layer, share]) => {
    const total = totals[layer] ?? 0;
    return { status: `pulling ${layer}`, digest: digests[layer], total, completed: Math.round(total * share) };
  });
const other: fc.Arbitrary<PullLine> = fc
  .constantFrom('pulling manifest', 'verifying sha256 digest', 'writing manifest', 'something new')
  .map((status) => ({ status, total: 0, completed: 0 }));

const folded = (lines: readonly PullLine[]) => {
  const steps = [nothingPulled];
  for (const line of lines) steps.push(withLine(steps.at(-1) ?? nothingPulled, line));
  return steps;
};

test('in any order of the lines, each layer counts once, nothing falls, and success has all', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: reported }, other), { maxLength: 60 }), (lines) => {
      const steps = folded(lines).map(({ layers }) => ({ ...sumOf(layers), names: layers.map(({ digest }) => digest) }));
      for (const [index, step] of steps.entries()) {
        const before = steps[index - 1];
        expect(new Set(step.names).size).toBe(step.names.length);
        expect(step.completed).toBeLessThanOrEqual(step.total);
        if (before === undefined) continue;
        expect(step.completed).toBeGreaterThanOrEqual(before.completed);
        expect(step.total).toBeGreaterThanOrEqual(before.total);
      }
      const seen = new Set(lines.flatMap(({ digest }) => digest ?? []));
      const whole = totals.reduce((sum, total, layer) => sum + (seen.has(digests[layer] ?? '') ? total : 0), 0);
      const end = folded([...lines, { status: 'success', total: 0, completed: 0 }]).at(-1) ?? nothingPulled;
      expect(sumOf(end.layers)).toEqual({ completed: whole, total: whole });
      expect(end.state).toBe('verifying');
    }),
  );
});

test('lines of a server are read with what it leaves out, and invalid ones are refused', () => {
  expect(pullLineSchema.parse({ status: 'pulling manifest' })).toEqual({ status: 'pulling manifest', total: 0, completed: 0 });
  expect(pullLineSchema.parse({ status: 'x', total: -5, completed: 'many', digest: 'y'.repeat(1000) })).toEqual({
    status: 'x',
    total: 0,
    completed: 0,
  });
  expect(pullLineSchema.safeParse({ response: 'no status' }).success).toBe(false);
  expect(pullLineSchema.parse({ status: 'z'.repeat(5000) }).status).toHaveLength(300);
});

const line = (completed: number): PullLine => ({ status: 'pulling', digest: 'a', total: 1e12, completed });

test('the rate is that of fetched bytes, not of those already there, and settles where it is even', () => {
  const rate = openPullRate(0);
  rate.see(line(900_000_000), 100);
  expect(rate.bytesPerSecond(900)).toBeNull();
  for (let tick = 2; tick <= 600; tick++) rate.see(line(900_000_000 + tick * 1000), tick * 100);
  // 1000 bytes every 100 ms.
  expect(rate.bytesPerSecond(60_000)).toBeCloseTo(10_000, -2);
  expect(rate.fetched()).toBe(600_000);
});

test('the rate falls towards nothing while nothing comes, and the time left is then unknown', () => {
  const rate = openPullRate(0);
  for (let tick = 1; tick <= 100; tick++) rate.see(line(tick * 1000), tick * 100);
  for (let tick = 101; tick <= 3000; tick++) rate.see(line(100_000), tick * 100);
  expect(rate.bytesPerSecond(300_000)).toBeLessThan(1e-6);
  expect(secondsLeft(1000, rate.bytesPerSecond(300_000))).toBeNull();
  expect(secondsLeft(1000, 10)).toBe(100);
  expect(secondsLeft(1000, null)).toBeNull();
});

test('a layer that falls back is fetched again, and both ways count as fetched', () => {
  const rate = openPullRate(0);
  for (const [at, completed] of [
    [1, 0],
    [2, 500],
    [3, 200],
    [4, 500],
  ] as const)
    rate.see(line(completed), at * 1000);
  expect(rate.fetched()).toBe(800);
});
