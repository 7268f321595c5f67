// The table of experiments and their freezes.
import { experimentChain } from '../../../core/record/identity.ts';
import type { EventPayload } from '../../../shared/events.ts';
import { fromKey, toKey } from './blobs.ts';
import type { Connection } from './connection.ts';
import type { Datasets } from './datasets.ts';
import type { Events } from './events.ts';
import { parseChain } from './parseChain.ts';

export type FreezeEvent = {
  kind: 'experiment-freeze' | 'experiment-extend';
  hash: string;
  payload: EventPayload<'experiment-freeze'>;
};

export interface ExperimentRow {
  readonly name: string;
  readonly dataset: number;
  readonly definition: string;
  /** Hash of the freeze or extension in force, hexadecimal. */
  readonly headHash: string;
}

type StoredRow = Omit<ExperimentRow, 'definition'> & { readonly definition: Buffer };

export type Experiments = ReturnType<typeof openExperiments>;

export function openExperiments(db: Connection, events: Events, datasets: Datasets) {
  const upsert = db.prepare<[string, number, Buffer, string]>(
    'INSERT OR REPLACE INTO experiments (name, dataset, definition, head_hash) VALUES (?, ?, ?, ?)',
  );
  const columns = 'name, dataset, definition, head_hash AS headHash';
  const selectAll = db.prepare<[], StoredRow>(`SELECT ${columns} FROM experiments ORDER BY name`);
  const selectOne = db.prepare<[string], StoredRow>(`SELECT ${columns} FROM experiments WHERE name = ?`);
  const experimentOfHash = new Map<string, string>();

  const asRow = (row: StoredRow): ExperimentRow => ({ ...row, definition: fromKey(row.definition) });
  const all = (): ExperimentRow[] => selectAll.all().map(asRow);
  const get = (name: string) => {
    const row = selectOne.get(name);
    return row === undefined ? undefined : asRow(row);
  };

  const history = (name: string): FreezeEvent[] =>
    parseChain(events.chain(experimentChain(name))).flatMap((event) =>
      event.kind === 'experiment-freeze' || event.kind === 'experiment-extend'
        ? [{ kind: event.kind, hash: event.hash, payload: event.payload }]
        : [],
    );

  const derive = (name: string): ExperimentRow => {
    const last = history(name).at(-1);
    if (last === undefined) throw new Error(`experiment ${name} is not in the record`);
    if (last.payload.name !== name) throw new Error(`the events of experiment ${name} name another one`);
    const dataset = datasets.all().find(({ manifest }) => manifest === last.payload.dataset.manifest);
    if (dataset === undefined) throw new Error(`the data set of experiment ${name} is not in the store`);
    return { name, dataset: dataset.id, definition: last.payload.definition, headHash: last.hash };
  };

  const restore = (name: string): ExperimentRow => {
    const row = derive(name);
    upsert.run(row.name, row.dataset, toKey(row.definition), row.headHash);
    return row;
  };

  return {
    names: () => all().map(({ name }) => name),
    get,
    /** The freeze and the extensions of an experiment, in order. */
    history,
    freeze(kind: FreezeEvent['kind'], payload: FreezeEvent['payload']) {
      events.append(experimentChain(payload.name), kind, payload);
      return restore(payload.name);
    },
    /** Stores the row that the events of an experiment amount to. */
    restore,
    ofFreeze(hash: string) {
      if (!experimentOfHash.has(hash)) {
        for (const { name } of all()) for (const event of history(name)) experimentOfHash.set(event.hash, name);
      }
      const name = experimentOfHash.get(hash);
      return name === undefined ? undefined : get(name);
    },
    /** The row that the events of an experiment amount to, without storing it. */
    derive,
    all,
  };
}
