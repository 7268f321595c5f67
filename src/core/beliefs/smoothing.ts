/** What each class gets on top, so that no logarithm of 0 is taken. */
export const smoothing = 1e-9;

/** (p + s) / (1 + n s): every class has some mass, and the sum stays 1. */
export function smoothed(probabilities: readonly number[]): number[] {
  const whole = 1 + probabilities.length * smoothing;
  return probabilities.map((p) => (p + smoothing) / whole);
}
