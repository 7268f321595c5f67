import { type BackendChoice, backendChoiceSchema } from '../../../shared/api/engine.ts';
import type { Connection } from './connection.ts';
import { laterTable } from './laterTable.ts';

/** How an experiment was last run from a screen. */
export interface RunRow {
  readonly experiment: string;
  readonly backend: BackendChoice;
  /** Calls at a time. */
  readonly concurrency: number;
  /** Whether the run goes on by itself after the engine has died. */
  readonly wanted: boolean;
  /** Entry of the docket that its cases came from; null where it came from none. */
  readonly entry: string | null;
}

/** What runs go on with. No part of the record. */
export interface Runs {
  /** Without `entry` the one that was saved before stays. */
  save(run: Omit<RunRow, 'entry'> & { readonly entry?: string }): void;
  of(experiment: string): RunRow | undefined;
  wanted(): RunRow[];
  /** Names of the experiments that were made from an entry of the docket. */
  ofEntry(entry: string): string[];
}

interface StoredRow extends Omit<RunRow, 'backend' | 'wanted'> {
  readonly backend: string;
  readonly wanted: number;
}

const parsed = (row: StoredRow): RunRow => ({
  ...row,
  backend: backendChoiceSchema.parse(row.backend),
  wanted: row.wanted === 1,
});

const columns = 'experiment, backend, concurrency, wanted, entry';

export function openRuns(db: Connection): Runs {
  const present = laterTable(db, 'runs');
  return {
    save({ experiment, backend, concurrency, wanted, entry }) {
      db.prepare(
        `INSERT INTO runs (experiment, backend, concurrency, wanted, entry) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (experiment) DO UPDATE SET backend = excluded.backend, concurrency = excluded.concurrency,
           wanted = excluded.wanted, entry = coalesce(excluded.entry, entry)`,
      ).run(experiment.toWellFormed(), backend, concurrency, wanted ? 1 : 0, entry ?? null);
    },
    of(experiment) {
      if (!present()) return undefined;
      const row = db
        .prepare<[string], StoredRow>(`SELECT ${columns} FROM runs WHERE experiment = ?`)
        .get(experiment.toWellFormed());
      return row === undefined ? undefined : parsed(row);
    },
    wanted: () =>
      present() ? db.prepare<[], StoredRow>(`SELECT ${columns} FROM runs WHERE wanted = 1 ORDER BY rowid`).all().map(parsed) : [],
    ofEntry: (entry) =>
      present()
        ? db
            .prepare<[string], { experiment: string }>('SELECT experiment FROM runs WHERE entry = ? ORDER BY rowid')
            .all(entry)
            .map(({ experiment }) => experiment)
        : [],
  };
}
