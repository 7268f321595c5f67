import { f1OfCounts } from './f1.ts';
import { type LabelSetPair, labelSets } from './labelSetCounts.ts';
import { weightedMean } from './weightedMean.ts';
import type { Weights } from './weights.ts';

/**
 * F1 of one case with several labels: 2 |truth and prediction| / (|truth| + |prediction|), 0-1; 1 where nothing is
 * true and nothing was predicted, which is right, as the exact match has it too.
 * Throws RangeError on a label that is not listed.
 */
export function caseF1(pair: LabelSetPair, labels: readonly string[]): number {
  const { truth, prediction } = labelSets(pair, labels);
  const shared = [...truth].filter((label) => prediction.has(label)).length;
  const counts = { truePositives: shared, falsePositives: prediction.size - shared, falseNegatives: truth.size - shared };
  return f1OfCounts(counts) ?? 1;
}

/**
 * Mean of `caseF1` over the cases, 0-1: how near each case's label set is; null without cases.
 *
 * Source: scikit-learn's `f1_score` with `average='samples'` and `zero_division=1`.
 * Throws RangeError on a label that is not listed and on weights that do not fit.
 * Example: truth {A, B} with prediction {A, C} gives 2/4, truth {A} with {A} gives 1: mean 0.75.
 */
export function samplesF1(pairs: readonly LabelSetPair[], labels: readonly string[], weights?: Weights): number | null {
  return weightedMean(
    pairs.map((pair) => caseF1(pair, labels)),
    weights,
  );
}
