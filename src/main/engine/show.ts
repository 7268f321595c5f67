// What `assize show` prints: a trial in words, or the log of the runs of an experiment.
import type { RunLogReport, TryReport } from '../../shared/commandOutputs.ts';
import { loadFrozen } from './lab/frozen.ts';
import { runNow } from './lab/recordedProgress.ts';
import { energyIn, importsOf, runLogOf } from './queries/experiment.ts';
import { namedTrial } from './queries/findTrial.ts';
import { transcript } from './report/transcript.ts';
import { openStoreReadOnly } from './store/store.ts';
import { withStore } from './store/withStore.ts';

/** `assize show`: one trial in words. */
export function show(path: string, experiment: string, trial: string): Promise<TryReport> {
  return withStore(openStoreReadOnly(path), (store) => store.read(() => transcript(store, experiment, trial)));
}

/** What `assize show` is to print: a trial can be named without its experiment. */
export function shownOf(path: string, name: string, trial?: string): Promise<{ experiment: string; trial?: string | undefined }> {
  return withStore(openStoreReadOnly(path), (store) => {
    if (name === '' && trial !== undefined) return { experiment: namedTrial(store, trial).experiment, trial };
    const row = trial === undefined && store.experiments.get(name) === undefined ? store.trials.get(name) : undefined;
    return row === undefined ? { experiment: name, trial } : { experiment: row.experiment, trial: row.trial };
  });
}

/** `assize show` without a trial: what happened in the runs of an experiment. Throws not-found. */
export function showRuns(path: string, experiment: string): Promise<RunLogReport> {
  return withStore(openStoreReadOnly(path), (store) =>
    store.read(() => {
      const { name } = loadFrozen(store, experiment);
      const [imported, now] = [importsOf(store, name), runNow(store, name, path)];
      const state = now === undefined ? {} : { now };
      return {
        experiment: name,
        store: path,
        log: runLogOf(store, name),
        ...energyIn(store, name),
        ...state,
        ...(imported.length === 0 ? {} : { imported }),
      };
    }),
  );
}
