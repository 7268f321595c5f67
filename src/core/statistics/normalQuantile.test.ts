import { describe, expect, test } from 'vitest';
import { normalQuantile } from './normalQuantile.ts';

describe('normalQuantile', () => {
  // scipy 1.17.1: scipy.stats.norm.ppf
  test.each([
    [1e-300, -37.0470962993612],
    [1e-10, -6.361340902404056],
    [0.001, -3.090232306167813],
    [0.02425, -1.972961051311885],
    [0.025, -1.9599639845400545],
    [0.075, -1.4395314709384563],
    [0.5, 0],
    [0.975, 1.959963984540054],
    [0.999999, 4.753424308817087],
  ])('of %d is %d', (probability, quantile) => {
    expect(Math.abs(normalQuantile(probability) - quantile)).toBeLessThan(1e-13 * Math.max(1, Math.abs(quantile)));
  });

  test.each([[0], [1], [-0.1], [1.1], [Number.NaN]])('refuses %d', (probability) => {
    expect(() => normalQuantile(probability)).toThrow(RangeError);
  });
});
