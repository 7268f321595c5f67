import { z } from 'zod';
import { type BackendChoice, backendChoiceSchema } from '../../../shared/api/engine.ts';
import { type Outcome, outcomeSchema } from '../../../shared/domain.ts';
import type { Connection } from './connection.ts';
import { laterTable } from './laterTable.ts';

/** How an experiment was last run from a screen. */
export interface RunRow {
  readonly experiment: string;
  readonly backend: BackendChoice;
  /** Calls at a time. */
  readonly concurrency: number;
  /** The start of the program whose run it is; null where the run ended, or the user has ended it. */
  readonly session: string | null;
  readonly retry: readonly Outcome[];
  /** Entry of the list of data sets that its cases came from; null where it came from none. */
  readonly entry: string | null;
}

interface StoredRow extends Omit<RunRow, 'backend' | 'retry'> {
  readonly backend: string;
  readonly retry: string;
}

/** Outcome -> row of the last event before the retry was asked for. */
const retrySchema = z.partialRecord(outcomeSchema, z.int());

const parsed = (row: StoredRow): RunRow => ({
  ...row,
  backend: backendChoiceSchema.parse(row.backend),
  retry: z.array(outcomeSchema).parse(Object.keys(JSON.parse(row.retry))),
});

const columns = 'experiment, backend, concurrency, session, retry, entry';

/** What runs need to continue. No part of the record. */
export function openRuns(db: Connection) {
  const present = laterTable(db, 'runs');
  const placesOf = (experiment: string) => {
    const row = db.prepare<[string], { retry: string }>('SELECT retry FROM runs WHERE experiment = ?').get(experiment);
    return retrySchema.parse(JSON.parse(row?.retry ?? '{}'));
  };
  return {
    /** Without `entry` the one that was saved before stays; the outcomes to retry stay in any case. */
    save({ experiment, backend, concurrency, session, entry }: Omit<RunRow, 'entry' | 'retry'> & { readonly entry?: string }) {
      db.prepare(
        `INSERT INTO runs (experiment, backend, concurrency, session, retry, entry) VALUES (?, ?, ?, ?, '{}', ?)
         ON CONFLICT (experiment) DO UPDATE SET backend = excluded.backend, concurrency = excluded.concurrency,
           session = excluded.session, entry = coalesce(excluded.entry, entry)`,
      ).run(experiment.toWellFormed(), backend, concurrency, session, entry ?? null);
    },
    /** Asks a further attempt for the trials that have these outcomes now. Earlier wishes for other outcomes stay. */
    retry(experiment: string, outcomes: readonly Outcome[]) {
      const name = experiment.toWellFormed();
      const newest = db.prepare<[], { place: number | null }>('SELECT max(rowid) AS place FROM events').get()?.place ?? 0;
      const places = { ...placesOf(name), ...Object.fromEntries(outcomes.map((outcome) => [outcome, newest])) };
      db.prepare('UPDATE runs SET retry = ? WHERE experiment = ?').run(JSON.stringify(places), name);
    },
    /** The run has ended, or the user has ended it. `retry`: whether what it was to retry is left for a later one. */
    end(experiment: string, { retry }: { readonly retry: boolean }) {
      const forget = retry ? '' : ", retry = '{}'";
      db.prepare(`UPDATE runs SET session = NULL${forget} WHERE experiment = ?`).run(experiment.toWellFormed());
    },
    /** Trials that ended in an outcome to be retried after the retry was asked for: they have had their attempt. */
    retried(experiment: string) {
      if (!present()) return new Set<string>();
      const name = experiment.toWellFormed();
      const later = db
        .prepare<[string, string, number], string>(
          `SELECT trial FROM trials WHERE experiment = ? AND outcome = ?
             AND (SELECT rowid FROM events WHERE events.trial = trials.trial ORDER BY seq DESC LIMIT 1) > ?`,
        )
        .pluck();
      return new Set(Object.entries(placesOf(name)).flatMap(([outcome, place]) => later.all(name, outcome, place)));
    },
    of(experiment: string) {
      if (!present()) return undefined;
      const row = db
        .prepare<[string], StoredRow>(`SELECT ${columns} FROM runs WHERE experiment = ?`)
        .get(experiment.toWellFormed());
      return row === undefined ? undefined : parsed(row);
    },
    /** Runs that were under way when the program that made them ended, or are under way now. */
    unended: () =>
      present()
        ? db.prepare<[], StoredRow>(`SELECT ${columns} FROM runs WHERE session IS NOT NULL ORDER BY rowid`).all().map(parsed)
        : [],
    /** Names of the experiments that were made from an entry of the list of data sets. */
    ofEntry: (entry: string) =>
      present()
        ? db
            .prepare<[string], { experiment: string }>('SELECT experiment FROM runs WHERE entry = ? ORDER BY rowid')
            .all(entry)
            .map(({ experiment }) => experiment)
        : [],
  };
}
