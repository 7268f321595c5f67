// Query: the data files that were added, and the experiments made from each.
import type { DataFileRow } from '../store/dataFiles.ts';
import type { Query } from './query.ts';

interface DataFileRows {
  readonly added: DataFileRow[];
  /** Entry -> names of the experiments that were made from it; of added and bundled ones. */
  readonly experiments: Record<string, string[]>;
}

export const dataFileRows: Query<{ bundled: readonly string[] }, DataFileRows> = {
  run(store, { bundled }) {
    const added = store.dataFiles.list();
    const ids = [...bundled, ...added.map(({ id }) => id)];
    return { added, experiments: Object.fromEntries(ids.map((id) => [id, store.runs.ofEntry(id)])) };
  },
  withoutStore: () => ({ added: [], experiments: {} }),
};
