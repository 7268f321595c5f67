// Which trial a reviewer gets next.
import type { ReviewOrder } from '../../shared/reviews.ts';
import { randomSource, shuffled } from '../cases/shuffle.ts';

export interface ReviewableTrial {
  readonly trial: string;
  /** P(prediction), 0-1; null where it was not stated. */
  readonly confidence: number | null;
  /** The court's probability of the data set's label, 0-1; null where it is not known. */
  readonly inTruth: number | null;
}

/** Every so many reviews the reviewer judges an earlier trial once more, to see whether the answer is the same. */
const repeatEvery = 10;
/** So many reviews lie between the two, so that the first is not simply remembered. */
const leastBetween = 5;

/** The next trial for a reviewer; null at the end. @param judged trials in order, repeats twice @param seed of the order */
export function nextReview(
  trials: readonly ReviewableTrial[],
  judged: readonly string[],
  order: ReviewOrder,
  seed: number,
): { readonly trial: string; readonly again: boolean } | null {
  const times = new Map<string, number>();
  for (const trial of judged) times.set(trial, (times.get(trial) ?? 0) + 1);
  if ((judged.length + 1) % repeatEvery === 0) {
    const there = new Set(trials.map(({ trial }) => trial));
    const early = judged.slice(0, -leastBetween).find((trial) => times.get(trial) === 1 && there.has(trial));
    if (early !== undefined) return { trial: early, again: true };
  }
  const next = ordered(
    trials.filter(({ trial }) => !times.has(trial)),
    order,
    seed,
  )[0];
  return next === undefined ? null : { trial: next.trial, again: false };
}

function ordered(trials: readonly ReviewableTrial[], order: ReviewOrder, seed: number): readonly ReviewableTrial[] {
  if (order === 'random') {
    const lots = randomSource(seed, 'reviews');
    // By id first, so that trials that end later do not move the others about.
    return shuffled(
      trials.toSorted((one, other) => (one.trial < other.trial ? -1 : 1)),
      lots,
    );
  }
  const doubt = order === 'doubtful' ? 'confidence' : 'inTruth';
  return trials
    .filter((each) => each[doubt] !== null)
    .toSorted((one, other) => (one[doubt] ?? 1) - (other[doubt] ?? 1) || (one.trial < other.trial ? -1 : 1));
}
