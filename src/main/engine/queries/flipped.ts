import { isFlipped, swapPairs } from '../../../core/statistics/measures/swapMeasures.ts';
import type { FlippedPairs, FlippedQuery } from '../../../shared/api/swaps.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { contendersOf } from './contenders.ts';
import type { Query } from './query.ts';

/** What the list of pairs shows of a trial. */
const verdictOf = ({ trial, prediction, confidence, belief_source }: TrialLine) => ({
  trial,
  prediction,
  confidence,
  belief_source,
});

const mostPairs = 500;

/** The pairs of trials of two arms whose verdicts differ, or all of them. */
export const flipped: Query<FlippedQuery, FlippedPairs> = {
  run(store, { experiment, base: from, swapped: to, subset, all = false }) {
    const frozen = loadFrozen(store, experiment);
    const { a, b } = contendersOf(store, frozen, { a: to, b: from, baseline: false, subset });
    const pairs = swapPairs(b.lines, a.lines).filter((pair) => all || isFlipped(pair) === true);
    return {
      total: pairs.length,
      replicates: frozen.definition.replicates,
      pairs: pairs.slice(0, mostPairs).map(({ case: id, replicate, base, swapped }) => ({
        case: id,
        replicate,
        base: verdictOf(base),
        swapped: verdictOf(swapped),
      })),
    };
  },
};
