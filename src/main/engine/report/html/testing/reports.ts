import { afterAll, beforeAll } from 'vitest';
import type { TranscriptEntry } from '../../../../../shared/api/trials.ts';
import { makeSampleStore, noFault, openFolder } from '../../../audit/testing/sampleStore.ts';
import { openStoreReadOnly, type Store } from '../../../store/store.ts';
import { transcript } from '../../transcript.ts';
import { type ReportData, reportData } from '../data.ts';
import { reportPage } from '../trialReport.ts';

export const pageOf = (data: ReportData) => reportPage(data).source;

export const changed = (data: ReportData, change: (entry: TranscriptEntry) => TranscriptEntry): ReportData => ({
  ...data,
  entries: data.entries.map(change),
});

export const contentsOf = (data: ReportData) =>
  [...(/<nav.*?<\/nav>/s.exec(pageOf(data))?.[0] ?? '').matchAll(/href="#([\w-]+)"/g)].map(([, id]) => id);

/** Reports of the first trial of each arm, in an experiment that a test file records for itself. */
export function recordReports(cases: number, change: { readonly arms: readonly object[]; readonly [key: string]: unknown }) {
  const name = 'reports';
  const folder = openFolder(name);
  let store: Store;
  const cast = { '*': { model: 'llama3.1:8b' } };
  beforeAll(async () => {
    const arms = change.arms.map((arm) => ({ cast, ...arm }));
    store = openStoreReadOnly(await makeSampleStore(folder.folder, { cases, fault: noFault, change: { ...change, name, arms } }));
  });
  afterAll(() => store.close());
  const trialOf = (arm: string): [Store, string, string] => {
    const row = store.trials.ofExperiment(name).find((trial) => trial.arm === arm);
    if (row === undefined) throw new Error(`there is no trial of ${arm}`);
    return [store, name, row.trial];
  };
  const transcriptOf = (arm: string) => transcript(...trialOf(arm)).transcript;
  return {
    path: folder.path,
    dataOf: (arm: string) => reportData(...trialOf(arm)),
    transcriptOf,
    /** Steps of a kind, as the command line shows them. */
    stepsOf: (arm: string, turn: string) =>
      transcriptOf(arm).flatMap((entry) => (entry.kind === 'step' && entry.turn === turn ? [entry.text ?? ''] : [])),
  };
}
