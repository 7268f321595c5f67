import { describe, expect, test } from 'vitest';
import { normalQuantile } from './normalQuantile.ts';

describe('normalQuantile', () => {
  // scipy 1.17.1: scipy.stats.norm.ppf
  test.each([
    [1e-300, -37.0470962993612],
    [1e-20, -9.262340089798409],
    [1e-10, -6.361340902404056],
    [0.001, -3.090232306167813],
    [0.005, -2.575829303548901],
    [0.02425, -1.972961051311885],
    [0.025, -1.9599639845400545],
    [0.07, -1.4757910281791706],
    [0.075, -1.4395314709384563],
    [0.1, -1.2815515655446004],
    [0.3, -0.5244005127080409],
    [0.5, 0],
    [0.6, 0.2533471031357997],
    [0.9, 1.2815515655446004],
    [0.95, 1.6448536269514722],
    [0.975, 1.959963984540054],
    [0.99, 2.3263478740408408],
    [0.995, 2.5758293035489004],
    [0.9995, 3.2905267314919255],
    [0.999999, 4.753424308817087],
  ])('of %d is %d', (probability, quantile) => {
    expect(Math.abs(normalQuantile(probability) - quantile)).toBeLessThan(1e-13 * Math.max(1, Math.abs(quantile)));
  });

  test.each([[0], [1], [-0.1], [1.1], [Number.NaN]])('refuses %d', (probability) => {
    expect(() => normalQuantile(probability)).toThrow(RangeError);
  });
});
