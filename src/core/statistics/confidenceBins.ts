import type { ArmStatistics } from '../../shared/outputs.ts';
import type { TrialLine } from '../../shared/trialLine.ts';
import { isSame } from './sameNumber.ts';

/**
 * Counts decided trials in bins of equal width over the stated confidence, 0-1. Those without one are in no bin. `bins`: a whole number from 1, confidences 0-1, else
 * RangeError. A confidence on an edge, after `isSame`, belongs to the bin above, but 1 to the last. Example: 0.7 and 1 in
 * ten bins are in [0.7, 0.8) and [0.9, 1].
 */
export function confidenceBins(
  trials: Iterable<Pick<TrialLine, 'confidence' | 'correct'>>,
  bins: number,
): ArmStatistics['confidence_bins'] {
  if (!Number.isSafeInteger(bins) || bins < 1) throw new RangeError(`${bins} is no number of bins`);
  const counts = Array.from({ length: bins }, (_none, index) => ({
    from: index / bins,
    to: (index + 1) / bins,
    correct: 0,
    wrong: 0,
    unknown: 0,
  }));
  for (const { confidence, correct } of trials) {
    if (confidence === null) continue;
    // 0.3 * 10 is a little over 3 and 0.29 * 100 a little under 29: the edge decides, not the product. 1 - 0.9 is on the edge 0.1.
    const near = Math.min(bins - 1, Math.round(confidence * bins));
    const isUnder = confidence < near / bins && !isSame(confidence, near / bins);
    const bin = counts[isUnder ? near - 1 : near];
    if (bin === undefined || confidence > 1) throw new RangeError(`${confidence} is no confidence from 0 to 1`);
    bin[correct === null ? 'unknown' : correct ? 'correct' : 'wrong'] += 1;
  }
  return counts;
}
