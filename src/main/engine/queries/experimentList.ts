// Every experiment on the record, the newest first. One that is damaged hides no other.
import type { ExperimentList } from '../../../shared/api/experiments.ts';
import { AssizeError } from '../../../shared/errors.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { explained, isAboutPart, isDatabaseError } from '../store/databaseError.ts';
import type { Query } from './query.ts';
import { type RecordedSummary, summaryOf } from './tally.ts';

type RecordedList = Omit<ExperimentList, 'experiments'> & { readonly experiments: readonly RecordedSummary[] };

export const experimentList: Query<null, RecordedList> = {
  run(store) {
    const experiments: RecordedSummary[] = [];
    const unreadable: RecordedList['unreadable'] = [];
    for (const name of store.experiments.names()) {
      try {
        experiments.push(summaryOf(store, loadFrozen(store, name)));
      } catch (error) {
        if (isDatabaseError(error) && !isAboutPart(error)) throw error;
        const cause = explained(error, store.path);
        unreadable.push({ name, problem: cause instanceof AssizeError ? cause.message : 'its description is damaged' });
      }
    }
    experiments.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
    return { experiments, unreadable };
  },
  withoutStore: () => ({ experiments: [], unreadable: [] }),
};
