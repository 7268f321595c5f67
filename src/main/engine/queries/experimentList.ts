import { loadFrozen } from '../lab/frozen.ts';
import type { Query } from './query.ts';
import { type RecordedSummary, summaryOf } from './tally.ts';

/** Every experiment on the record, the newest first. */
export const experimentList: Query<null, RecordedSummary[]> = {
  run: (store) =>
    store.experiments
      .names()
      .map((name) => summaryOf(store, loadFrozen(store, name)))
      .toSorted((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0)),
  withoutStore: () => [],
};
