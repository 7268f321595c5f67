import type { Belief } from '../../shared/domain.ts';

/** A case of several labels with a probability for each label by itself and the labels that are true. */
export interface BelievedSet {
  readonly belief: Belief;
  readonly truth: readonly string[];
}

/**
 * Squared distance of the labels' probabilities from the truth, each label a separate question:
 *
 *   (1 / labels) * sum over the labels of (P(label applies) - [label is true])²
 *
 * 0-1; 0 is a certain right belief. Source: the binary Brier score (scikit-learn's `brier_score_loss` with two labels, or
 * the mean squared error of indicator rows), averaged over the labels as macro averages are. Probabilities are not
 * rescaled. Example: {A: 0.9, B: 0.2, C: 0} with A and C true: (0.01 + 0.04 + 1) / 3 = 0.35.
 *
 * Throws RangeError without labels, on labels that are not distinct, on a belief that lacks a label, names a foreign one or
 * has a number outside 0-1, and on a true label that is not listed.
 */
export function labelSetBrierLoss({ belief, truth }: BelievedSet, labels: readonly string[]): number {
  if (labels.length === 0 || new Set(labels).size !== labels.length) throw new RangeError('the labels are none, or not distinct');
  const foreign = [...Object.keys(belief), ...truth].find((label) => !labels.includes(label));
  if (foreign !== undefined) throw new RangeError(`"${foreign}" is not a listed label`);
  const losses = labels.map((label) => {
    const probability = Object.hasOwn(belief, label) ? belief[label] : undefined;
    if (probability === undefined || !(probability >= 0 && probability <= 1)) {
      throw new RangeError(`${probability ?? 'nothing'} for "${label}" is no probability from 0 to 1`);
    }
    return (probability - (truth.includes(label) ? 1 : 0)) ** 2;
  });
  return losses.reduce((sum, loss) => sum + loss, 0) / labels.length;
}
