import { armStatistics } from '../../../core/statistics/armStatistics.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { loadFrozen } from '../lab/frozen.ts';
import type { Store } from '../store/store.ts';
import { trialLines } from './trialLines.ts';

const level = 0.95;

/** The statistics of an experiment, arm by arm. Throws not-found for an unknown one. */
export function statistics(store: Store, experiment: string): StatsReport {
  const frozen = loadFrozen(store, experiment);
  const lines = [...trialLines(store, frozen)];
  const labels = frozen.definition.dataset.labels ?? [];
  const positive = frozen.definition.dataset.positive ?? null;
  return {
    experiment,
    store: store.path,
    labels,
    positive,
    interval: { method: 'wilson', level },
    standin: lines.some(({ standin }) => standin),
    arms: frozen.arms.map(({ name }) =>
      armStatistics(
        lines.filter(({ arm }) => arm === name),
        labels,
        positive,
      ),
    ),
  };
}
