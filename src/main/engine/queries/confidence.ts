import { confidenceBins } from '../../../core/statistics/confidenceBins.ts';
import type { ConfidenceFigure } from '../../../shared/api/experiments.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { trialLines } from '../report/trialLines.ts';
import type { Query } from './query.ts';

const bins = 10;

/** Decided trials of an experiment, over all arms, by the confidence that was stated for their verdicts. */
export const confidence: Query<{ experiment: string }, ConfidenceFigure> = {
  run(store, { experiment }) {
    const decided = [...trialLines(store, loadFrozen(store, experiment))].filter(({ outcome }) => outcome === 'decided');
    return confidenceBins(decided, bins);
  },
};
