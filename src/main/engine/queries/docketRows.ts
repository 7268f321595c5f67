import type { DocketRow } from '../store/docket.ts';
import type { Query } from './query.ts';

interface DocketRows {
  readonly added: DocketRow[];
  /** Entry -> names of the experiments that were made from it; of added and bundled ones. */
  readonly experiments: Record<string, string[]>;
}

export const docketRows: Query<{ bundled: readonly string[] }, DocketRows> = {
  run(store, { bundled }) {
    const added = store.docket.list();
    const ids = [...bundled, ...added.map(({ id }) => id)];
    return { added, experiments: Object.fromEntries(ids.map((id) => [id, store.runs.ofEntry(id)])) };
  },
  withoutStore: () => ({ added: [], experiments: {} }),
};
