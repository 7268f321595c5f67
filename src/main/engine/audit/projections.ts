// Checks the tables that are derived from events: computes their rows again and compares.
import { z } from 'zod';
import { computation } from '../../../core/trajectory/trajectory.ts';
import { importedProtocol } from '../../../shared/imported.ts';
import { isDatabaseError } from '../store/databaseError.ts';
import type { StoredEvent } from '../store/events.ts';
import { parseStored } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { type BadRecord, faultOfKind } from './chain.ts';

const experimentPrefix = 'experiment/';

const decidedSchema = z.looseObject({ primary: z.unknown().optional(), stop: z.unknown().optional() });

const badRow = (kind: string, name: string, problem: string): BadRecord => ({
  ...faultOfKind(kind, `${name}: ${problem}`),
  trial: kind === 'trials' || kind === 'trajectories' ? name : null,
});

/** Names what an error says as the fault of a row; a damaged file is no fault of a row and passes through. */
function orFailure(kind: string, name: string, compare: () => BadRecord | null): BadRecord | null {
  try {
    return compare();
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    return badRow(kind, name, error instanceof Error ? error.message.slice(0, 200) : String(error));
  }
}

function differing(stored: object, derived: object): string[] {
  return Object.keys(derived).filter((column) => !Object.is(Reflect.get(stored, column), Reflect.get(derived, column)));
}

function compareRow(kind: string, name: string, stored: object | undefined, derived: object): BadRecord | null {
  if (stored === undefined) return badRow(kind, name, 'the row is missing');
  const columns = differing(stored, derived);
  return columns.length === 0 ? null : badRow(kind, name, `the row is not what the events amount to (${columns.join(', ')})`);
}

function compareCases(store: Store, dataset: number, manifest: string | null): BadRecord | null {
  const name = `data set ${dataset}`;
  if ((manifest === null) !== (dataset === 0))
    return badRow('cases', name, manifest === null ? 'its list of cases is missing' : 'it can have no list of cases');
  const listed = store.datasets.rebuild(dataset);
  const stored = store.datasets.cases(dataset);
  const place = listed.findIndex((kase, index) => differing(stored[index] ?? {}, kase).length > 0);
  if (place >= 0) return badRow('cases', name, `the case at position ${place} is not the one on the record`);
  return stored.length > listed.length ? badRow('cases', name, 'it has more cases than the record') : null;
}

/** What an experiment decides beforehand is in its first freeze, and no extension may change it. */
export function compareDecided(store: Store, name: string): BadRecord | null {
  const [first, ...later] = store.experiments.history(name).map(({ payload }) => {
    const { primary, stop } = decidedSchema.parse(JSON.parse(store.blobs.need(payload.definition)));
    return JSON.stringify([primary, stop]);
  });
  return later.every((decided) => decided === first)
    ? null
    : badRow('experiments', name, 'what was decided beforehand was changed later');
}

/** Remakes the rows of data sets and experiments, from which trials are derived. */
export function compareFoundations(store: Store): BadRecord | null {
  for (const { id, manifest } of store.datasets.all()) {
    const bad = orFailure('cases', `data set ${id}`, () => compareCases(store, id, manifest));
    if (bad !== null) return bad;
  }
  const stray = store.datasets.stray();
  if (stray !== undefined)
    return badRow('cases', `data set ${stray.dataset}`, `the case at position ${stray.position} belongs to no data set`);
  const rows = new Map(store.experiments.all().map((row) => [row.name, row]));
  for (const chain of store.events.names(experimentPrefix)) {
    const name = chain.slice(experimentPrefix.length);
    const bad = orFailure(
      'experiments',
      name,
      () => compareRow('experiments', name, rows.get(name), store.experiments.derive(name)) ?? compareDecided(store, name),
    );
    if (bad !== null) return bad;
    rows.delete(name);
  }
  const [lost] = rows.keys();
  return lost === undefined ? null : badRow('experiments', lost, 'the events of this experiment are missing');
}

/** Remakes a trial's rows from its chain; a trajectory of another computation is skipped, unless the trial was imported. */
export function compareTrial(store: Store, chain: readonly StoredEvent[]): BadRecord | null {
  const name = chain[0]?.trial ?? '';
  return orFailure('trials', name, () => {
    const events = chain.map(parseStored);
    const row = store.trials.derive(name, events);
    const bad = compareRow('trials', name, store.trials.get(name), row);
    if (bad !== null || row.status !== 'done') return bad;
    const trajectory = store.trajectories.get(name);
    const mayLack = row.protocol !== importedProtocol.id || store.trajectories.isBare(events);
    if (trajectory === undefined ? mayLack : trajectory.computation !== computation) return null;
    return compareRow('trajectories', name, trajectory, store.trajectories.derive(name, events));
  });
}

export function findLostTrial(store: Store): BadRecord | null {
  for (const kind of ['trials', 'trajectories'] as const) {
    const lost = store[kind].withoutEvents();
    if (lost !== undefined) return badRow(kind, lost, 'the events of this trial are missing');
  }
  return null;
}
