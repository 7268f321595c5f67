import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import { transcriptEntry } from '../report/transcriptEntries.ts';
import { parseChain } from '../store/parseChain.ts';
import type { Query } from './query.ts';
import { textOf } from './trial.ts';

/** What came into a trial's chain after a place. `lastSeq` is the given place where nothing did. */
export const trialEntries: Query<{ trial: string; after: number }, { lastSeq: number; entries: TranscriptEntry[] }> = {
  run(store, { trial, after }) {
    const events = parseChain(store.events.after(trial, after));
    return {
      lastSeq: events.at(-1)?.seq ?? after,
      entries: events.flatMap((event) => transcriptEntry(event, textOf(store)) ?? []),
    };
  },
  withoutStore: ({ after }) => ({ lastSeq: after, entries: [] }),
};
