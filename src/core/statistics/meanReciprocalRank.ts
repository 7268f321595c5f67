import type { BelievedCase } from './distribution.ts';
import { rankOfTruth } from './rankOfTruth.ts';
import { weightedMean } from './weightedMean.ts';
import type { Weights } from './weights.ts';

/**
 * Mean reciprocal rank: mean of 1 / rank of the true label, above 0 and up to 1; null without cases.
 *
 * Source: E. M. Voorhees, The TREC-8 Question Answering Track Report, 1999. All labels are ranked, none is cut off.
 * Ties are pessimistic, see `rankOfTruth`; scikit-learn's `label_ranking_average_precision_score` with one relevant
 * label a case is the same number, ties included. Throws RangeError for what `rankOfTruth` and `weightedMean` refuse.
 * Example: ranks 1, 2 and 4 give (1 + 1/2 + 1/4) / 3 = 7/12.
 */
export function meanReciprocalRank(cases: readonly BelievedCase[], labels: readonly string[], weights?: Weights): number | null {
  return weightedMean(
    cases.map((each) => 1 / rankOfTruth(each, labels)),
    weights,
  );
}
