import { isSameSet } from '../beliefs/independentBelief.ts';

/**
 * Whether a prediction is right: the same label; for several labels exactly the same set of labels.
 * Source: for label sets this is the exact match of scikit-learn's `accuracy_score`.
 */
export function isCorrect(truth: string | readonly string[], prediction: string | readonly string[]): boolean {
  return typeof truth === 'string' || typeof prediction === 'string' ? truth === prediction : isSameSet(truth, prediction);
}
