import { basename } from 'node:path';
import type { StatsReport } from '../../../shared/outputs.ts';
import { statistics as statisticsOf } from '../report/statistics.ts';
import type { StatisticsOptions } from '../report/statisticsOptions.ts';
import type { Query } from './query.ts';

/** The statistics of an experiment; of the store, its name without its folder. */
export const statistics: Query<{ experiment: string } & StatisticsOptions, StatsReport> = {
  run: (store, { experiment, ...options }, tell) => ({
    ...statisticsOf(store, experiment, options, tell),
    store: basename(store.path),
  }),
};
