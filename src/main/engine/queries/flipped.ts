import { measured } from '../../../core/statistics/measures/statisticsReport.ts';
import { isFlipped, swapPairs } from '../../../core/statistics/measures/swapMeasures.ts';
import type { FlippedPairs } from '../../../shared/api/swaps.ts';
import { badInput } from '../../../shared/errors.ts';
import type { Swap } from '../../../shared/swaps.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { trialLines } from '../report/trialLines.ts';
import type { Query } from './query.ts';

/** Pairs that are listed. */
const mostPairs = 500;

/** The pairs of trials whose verdicts differ where something was exchanged. */
export const flipped: Query<{ experiment: string; arm: string; swap: Swap }, FlippedPairs> = {
  run(store, { experiment, arm, swap }) {
    const lines = [...trialLines(store, loadFrozen(store, experiment))];
    const exchanged = lines.filter((line) => line.base_arm === arm && line.swap === swap);
    if (exchanged.length === 0) {
      throw badInput(`arm ${JSON.stringify(arm)} was not tried with ${swap} exchanged`, { field: 'swap' });
    }
    const none = new Map();
    const pairs = swapPairs(
      measured(
        lines.filter((line) => line.arm === arm),
        none,
      ),
      measured(exchanged, none),
    ).filter((pair) => isFlipped(pair) === true);
    return {
      total: pairs.length,
      pairs: pairs.slice(0, mostPairs).map(({ case: id, replicate, base, swapped }) => ({
        case: id,
        replicate,
        base: { trial: base.trial, prediction: base.prediction, confidence: base.confidence },
        swapped: { trial: swapped.trial, prediction: swapped.prediction, confidence: swapped.confidence },
      })),
    };
  },
};
