// Which trials are worth reading first: answered from an index that is brought up to date first.
import { queuesOf } from '../../../core/trajectory/queues.ts';
import { movementOf } from '../../../core/trajectory/verdictPath.ts';
import type { QueueCounts, TrialQueue } from '../../../shared/api/experiments.ts';
import { isVaried } from '../../../shared/trialLine.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { queueFolder } from '../report/statisticsCache.ts';
import { lineReader, plannedAs } from '../report/trialLines.ts';
import { readReviews } from '../reviews/ledger.ts';
import { cacheDatabaseOf } from '../store/cacheDatabase.ts';
import { type QueuedTrial, type QueueIndex, withQueueIndex } from '../store/queueIndex.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';
import type { Query } from './query.ts';

/** Trials that are read between two writings of the index. */
const together = 1_000;

function readerOf(store: Store, frozen: FrozenExperiment): (row: TrialRow) => QueuedTrial {
  const lineOf = lineReader(store, frozen);
  return (row) => {
    const line = lineOf(plannedAs(row), row);
    const against = line.correct === null || isVaried(line) || row.prediction === null ? null : row.prediction;
    const trajectory = store.trajectories.of(row.trial);
    return {
      trial: row.trial,
      head: row.head_hash ?? '',
      case: row.case_id,
      queues: store.events.namesOutside(row.trial)
        ? [...queuesOf(line, trajectory), 'outside-facts']
        : queuesOf(line, trajectory),
      against: against === null ? null : { prediction: against, wrong: line.correct === false },
      movement: movementOf(trajectory),
    };
  };
}

/** Cases of which a person gave another label than the data set has, and trials of which one gave another than the court. */
function contradicted(store: Store, frozen: FrozenExperiment): { readonly cases: string[]; readonly trials: string[] } {
  const lineOf = lineReader(store, frozen);
  const labelled = readReviews(store, frozen.name).reviews.flatMap(({ trial, label, head }) => {
    const row = label === null ? undefined : store.trials.get(trial);
    return row === undefined ? [] : [{ line: lineOf(plannedAs(row), row), label, isCurrent: row.head_hash === head }];
  });
  const differs = (found: unknown, label: string | null) => found !== null && found !== label;
  return {
    cases: labelled.flatMap(({ line, label }) => (!isVaried(line) && differs(line.truth, label) ? [line.case] : [])),
    trials: labelled.flatMap(({ line, label, isCurrent }) => (isCurrent && differs(line.prediction, label) ? [line.trial] : [])),
  };
}

function bringUpToDate(store: Store, frozen: FrozenExperiment, index: QueueIndex): void {
  const state = store.events.last() ?? '';
  if (index.isOf(state)) return;
  const known = index.heads();
  const ended = store.trials.heads(frozen.name).filter(({ head_hash }) => head_hash !== null);
  // Both files have their rows in the order of ids.
  const missing = ended
    .filter(({ trial, head_hash }) => known.get(trial) !== head_hash)
    .toSorted((one, other) => (one.trial < other.trial ? -1 : 1));
  for (const { trial } of ended) known.delete(trial);
  index.drop([...known.keys()]);
  const read = readerOf(store, frozen);
  for (let done = 0; done < missing.length; done += together) {
    const rows = missing.slice(done, done + together).flatMap(({ trial }) => store.trials.get(trial) ?? []);
    index.put(rows.map(read));
  }
  index.settle(state, contradicted(store, frozen));
}

function asked<T>(store: Store, frozen: FrozenExperiment, ask: (index: QueueIndex) => T): T {
  return withQueueIndex(cacheDatabaseOf(queueFolder(), store.path), frozen.name, (index) => {
    bringUpToDate(store, frozen, index);
    return ask(index);
  });
}

export const queuedTrials = (store: Store, frozen: FrozenExperiment, queue: TrialQueue): string =>
  asked(store, frozen, (index) => index.listed(queue));

/** Trial -> how far its judge's belief moved, 0-1, of those where it is known, in JSON. */
export const trialMovements = (store: Store, frozen: FrozenExperiment): string =>
  asked(store, frozen, (index) => index.movements());

/** How many trials of an experiment are in each queue. */
export const queueCounts: Query<{ experiment: string }, QueueCounts> = {
  run: (store, { experiment }) => asked(store, loadFrozen(store, experiment), (index) => index.counts()),
};
