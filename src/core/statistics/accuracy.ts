/**
 * Whether a prediction is right: the same label; for several labels exactly the same set of labels.
 * Source: for label sets this is the exact match of scikit-learn's `accuracy_score`.
 */
export function isCorrect(truth: string | readonly string[], prediction: string | readonly string[]): boolean {
  if (typeof truth === 'string' || typeof prediction === 'string') return truth === prediction;
  const expected = new Set(truth);
  const given = new Set(prediction);
  return expected.size === given.size && [...expected].every((label) => given.has(label));
}
