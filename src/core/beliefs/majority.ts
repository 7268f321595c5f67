/** How a verdict was found among votes: by their number or their weights, or how a tie was broken. */
export type MajorityRule = 'majority' | 'weights' | 'confidence' | 'order';

export interface CountedVote {
  readonly prediction: string;
  /** P(prediction) as stated, 0-1; null where none was stated. */
  readonly confidence: number | null;
  /** What the vote counts, from 0; absent: all count 1. */
  readonly weight?: number;
}

export interface MajorityVerdict {
  readonly prediction: string;
  readonly decidedBy: MajorityRule;
}

/** Sums of the same numbers in another order differ in their last digits; those are no difference. */
const noise = 1e-9;

/**
 * The label that most votes name, or the one with the largest sum of weights. Labels with equally many votes: the one with the higher sum of confidences,
 * a vote without one counting 0; then the one that was named first.
 *
 * Source: the majority vote of "Courtroom-LLM", section 3.3, which has an odd number of judges and says nothing
 * of ties; the order in which they are broken is this program's own.
 *
 * @param votes in the order of the bench. Throws RangeError where there is none.
 */
export function majority(votes: readonly CountedVote[]): MajorityVerdict {
  const tally = [...Map.groupBy(votes, ({ prediction }) => prediction)].map(([prediction, cast]) => ({
    prediction,
    count: cast.reduce((sum, { weight }) => sum + (weight ?? 1), 0),
    confidence: cast.reduce((sum, { confidence }) => sum + (confidence ?? 0), 0),
  }));
  const most = Math.max(...tally.map(({ count }) => count));
  const [first, ...others] = tally.filter(({ count }) => count >= most - noise);
  if (first === undefined) throw new RangeError('a majority needs a vote');
  if (others.length === 0) {
    const isWeighted = votes.some(({ weight }) => weight !== undefined);
    return { prediction: first.prediction, decidedBy: isWeighted ? 'weights' : 'majority' };
  }
  const surest = Math.max(first.confidence, ...others.map(({ confidence }) => confidence));
  const [earliest = first, ...equal] = [first, ...others].filter(({ confidence }) => confidence >= surest - noise);
  return { prediction: earliest.prediction, decidedBy: equal.length === 0 ? 'confidence' : 'order' };
}
