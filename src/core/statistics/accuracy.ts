import { type Interval, wilson } from './wilson.ts';

/** A share of trials with its interval. */
export interface Share {
  readonly correct: number;
  readonly n: number;
  /** correct / n, 0-1; null for n = 0. */
  readonly value: number | null;
  /** Wilson interval; null for n = 0. */
  readonly interval: Interval | null;
}

/** Whether a prediction is right: the same label; for several labels exactly the same set of labels. */
export function isCorrect(truth: string | readonly string[], prediction: string | readonly string[]): boolean {
  if (typeof truth === 'string' || typeof prediction === 'string') return truth === prediction;
  const expected = new Set(truth);
  const given = new Set(prediction);
  return expected.size === given.size && [...expected].every((label) => given.has(label));
}

/**
 * Accuracy: correct / n with its Wilson interval; null for n = 0.
 *
 * Source: for label sets this is the exact match ratio (scikit-learn's `accuracy_score` calls it subset
 * accuracy). `correct`, `n`: whole numbers, 0 <= correct <= n; `level` 0-1 exclusive; else RangeError.
 */
export function accuracy(correct: number, n: number, level = 0.95): Share {
  return { correct, n, value: n === 0 ? null : correct / n, interval: wilson(correct, n, level) };
}
