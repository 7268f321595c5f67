import type { VerifyReport } from '../../../shared/outputs.ts';
import type { StoredEvent } from '../store/events.ts';
import type { Store } from '../store/store.ts';

type BadRecord = NonNullable<VerifyReport['first_bad']>;

const experimentPrefix = 'experiment/';

const badRow = (kind: string, name: string, problem: string): BadRecord => ({ trial: kind === 'trials' ? name : null, seq: null, kind, problem: `${name}: ${problem}` });

function failure(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 200) : String(error);
}

/** Every chain with its events, one after the other. */
function* chainsOf(store: Store): Generator<readonly StoredEvent[]> {
  let chain: StoredEvent[] = [];
  for (const event of store.events.all()) {
    if (chain[0] !== undefined && chain[0].trial !== event.trial) {
      yield chain;
      chain = [];
    }
    chain.push(event);
  }
  if (chain.length > 0) yield chain;
}

/** Makes every projection anew from events and texts; the first row that is not the stored one is returned. */
export function compareProjections(store: Store): BadRecord | null {
  for (const { id } of store.datasets.all()) {
    try {
      if (JSON.stringify(store.datasets.rebuild(id)) !== JSON.stringify(store.datasets.cases(id))) {
        return badRow('cases', `data set ${id}`, 'the list of cases is not the one on the record');
      }
    } catch (error) {
      return badRow('cases', `data set ${id}`, failure(error));
    }
  }
  const experiments = new Map(store.experiments.all().map((row) => [row.name, row]));
  const trials = new Map(store.trials.all().map((row) => [row.trial, row]));
  for (const chain of chainsOf(store)) {
    const name = chain[0]?.trial ?? '';
    const isExperiment = name.startsWith(experimentPrefix);
    try {
      if (isExperiment) {
        const experiment = name.slice(experimentPrefix.length);
        const derived = store.experiments.derive(experiment);
        if (JSON.stringify(experiments.get(experiment)) !== JSON.stringify(derived)) {
          return badRow('experiments', experiment, 'the row is not what the events amount to');
        }
        experiments.delete(experiment);
      } else {
        const derived = store.trials.derive(name, chain);
        if (JSON.stringify(trials.get(name)) !== JSON.stringify(derived)) return badRow('trials', name, 'the row is not what the events amount to');
        trials.delete(name);
      }
    } catch (error) {
      return badRow(isExperiment ? 'experiments' : 'trials', name, failure(error));
    }
  }
  const [lostTrial] = trials.keys();
  if (lostTrial !== undefined) return badRow('trials', lostTrial, 'the events of this trial are missing');
  const [lostExperiment] = experiments.keys();
  return lostExperiment === undefined ? null : badRow('experiments', lostExperiment, 'the events of this experiment are missing');
}
