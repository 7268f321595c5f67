import { describe, expect, it } from 'vitest';
import { binned, learnBins } from './binning.ts';

const column = (...values: number[]) => ({ values: Float64Array.from(values), rows: values.length, width: 1 });

describe('bins', () => {
  it('end between the values, and missing values have their own bin after all others', () => {
    const limits = learnBins(column(4, 1, 2, 1, Number.NaN));
    expect(limits.map((own) => [...own])).toEqual([[1.5, 3]]);
    expect([...binned(column(-9, 1.5, 1.6, 3, 99, Number.NaN), limits).bins]).toEqual([0, 0, 1, 1, 2, 3]);
  });

  it('are 255 with about as many rows each where there are more values', () => {
    const values = Array.from({ length: 2550 }, (_, index) => index ** 2);
    const [limits] = learnBins(column(...values));
    expect(limits).toHaveLength(254);
    const { bins } = binned(column(...values), [limits ?? new Float64Array()]);
    const counts = new Map<number, number>();
    for (const bin of bins) counts.set(bin, (counts.get(bin) ?? 0) + 1);
    // Ten each, but that a limit can be rounded to the other side of a value.
    expect(counts.size).toBe(255);
    for (const count of counts.values()) expect(Math.abs(count - 10)).toBeLessThanOrEqual(1);
  });

  it('do not repeat a limit where one value fills several', () => {
    const values = [...Array(5000).fill(7), ...Array.from({ length: 300 }, (_, index) => 100 + index)];
    const [limits = new Float64Array()] = learnBins(column(...values));
    expect(limits).toEqual(Float64Array.from(new Set(limits)));
    expect(limits.length).toBeLessThan(20);
  });
});
