import { energySum } from '../../../shared/energy.ts';
import { betweenSchema } from '../../../shared/hours.ts';
import { type Adoption, adoptionSchema } from '../../../shared/outputs.ts';
import { attempt } from '../attempt.ts';
import type { Connection } from './connection.ts';

/**
 * `run-pause` and `run-resume` are the backend's doing, `run-hold` and `run-continue` the user's. `run-recover`: the
 * run continues by itself after the engine had died; its start follows. `run-move`: a server of ours came back at another
 * address and is asked there from now on. `run-wave`: models were loaded again and again, so more trials are open from now on.
 * `run-warning`: the hardware makes it slow or wrong, weights are others than before, or the machine may go to sleep. `run-energy`: what the GPUs
 * used in the run so far, by the watts that they report; written again as it grows. `run-stop`: the experiment's stopping rule ended the run.
 * `result-look`: results were shown before the end, at so many finished cases. `run-interrupt`: an orderly end before all
 * was done.
 * `run-refuse`: a run could not begin, and why. A run that an error ended, or that ended with the program or the machine, has no entry of its end.
 * `record-adopt`: the whole record was copied from elsewhere; it is of no experiment.
 */
export type RunEvent =
  | 'run-start'
  | 'run-pause'
  | 'run-resume'
  | 'run-hold'
  | 'run-continue'
  | 'run-recover'
  | 'run-move'
  | 'run-wave'
  | 'run-warning'
  | 'run-energy'
  | 'run-stop'
  | 'result-look'
  | 'run-end'
  | 'run-interrupt'
  | 'run-refuse'
  | 'record-adopt';

/** Who ended a run in order before it was done: the user's Stop, the close of the program, or another run that takes its place. */
export type RunEnding = 'user' | 'close' | 'next';

export type NewAdoption = Omit<Adoption, 'at'> & { readonly at?: string };

/** What happened to runs: starts, pauses, resumes. Information only, outside every chain. @param believed whether the store is our own */
export function openRunLog(db: Connection, believed: boolean) {
  const insert = db.prepare<[string, string, string, string]>(
    'INSERT INTO run_log (at, experiment, event, detail) VALUES (?, ?, ?, ?)',
  );
  const select = db.prepare<[string], { at: string; event: string; detail: string }>(
    'SELECT at, event, detail FROM run_log WHERE experiment = ? ORDER BY id',
  );
  const selectWord = db.prepare<[string], { event: string; until: string | null; hours: string | null }>(
    "SELECT event, detail ->> 'until' AS until, detail ->> 'between' AS hours FROM run_log WHERE experiment = ? AND event IN ('run-hold', 'run-continue') ORDER BY id DESC LIMIT 1",
  );
  const selectBound = db.prepare<[string], { event: string }>(
    "SELECT event FROM run_log WHERE experiment = ? AND event IN ('run-start', 'run-recover', 'run-end', 'run-interrupt') ORDER BY id DESC LIMIT 1",
  );
  const selectAway = db
    .prepare<[{ experiment: string }], number>(
      `SELECT coalesce(detail ->> 'waits', event = 'run-pause') FROM run_log
       WHERE experiment = $experiment AND event IN ('run-pause', 'run-resume')
         AND id > (SELECT max(id) FROM run_log WHERE experiment = $experiment AND event = 'run-start') ORDER BY id DESC LIMIT 1`,
    )
    .pluck();
  const selectStart = db
    .prepare<[string], string>("SELECT detail FROM run_log WHERE experiment = ? AND event = 'run-start' ORDER BY id DESC LIMIT 1")
    .pluck();
  return {
    /** @returns the entry, for `rewrite` */
    add(experiment: string, event: RunEvent, detail: Readonly<Record<string, unknown>> = {}) {
      return insert.run(new Date().toISOString(), experiment, event, JSON.stringify(detail)).lastInsertRowid;
    },
    /** Gives an entry other details: of what grows during a run. */
    rewrite: (entry: number | bigint, detail: Readonly<Record<string, unknown>>): void =>
      void db.prepare('UPDATE run_log SET detail = ? WHERE id = ?').run(JSON.stringify(detail), entry),
    /** What the GPUs used in all runs of an experiment; null where no entry says it. */
    energy: (experiment: string) =>
      energySum(
        select
          .all(experiment)
          .filter(({ event }) => event === 'run-energy')
          .map(({ detail }) => JSON.parse(detail) as unknown),
      ),
    /** Notes where the record was copied from; now, or at another time where it is the note of a store that was joined. */
    addAdoption: ({ at = new Date().toISOString(), ...adoption }: NewAdoption): void =>
      void insert.run(at, '', 'record-adopt', JSON.stringify(adoption)),
    /** When and where the record was copied from; null for one that was made here, and where that cannot be read or believed. */
    adoption(): Adoption | null {
      if (!believed) return null;
      return attempt(() => {
        const entry = select.all('').findLast(({ event }) => event === 'record-adopt');
        return entry === undefined ? null : adoptionSchema.parse({ ...(JSON.parse(entry.detail) as object), at: entry.at });
      }, null);
    },
    /** Leaves of an experiment's entries what happened and when, without the details; looks keep their number of cases. */
    dropDetails: (experiment: string): void =>
      void db.prepare("UPDATE run_log SET detail = '{}' WHERE experiment = ? AND event <> 'result-look'").run(experiment),
    of: (experiment: string) => select.all(experiment),
    /** Details of the start of the last run. */
    lastStart: (experiment: string) => selectStart.get(experiment),
    /** How often the run that was begun last has continued by itself. */
    recoveries(experiment: string) {
      const events = select.all(experiment).map(({ event }) => event);
      const starts = events.filter((event) => event === 'run-start' || event === 'run-recover' || event === 'run-end');
      // A start without a recovery before it is the user's own.
      const own = starts.findLastIndex(
        (event, index) => event === 'run-end' || (event === 'run-start' && starts[index - 1] !== 'run-recover'),
      );
      return starts.slice(own + 1).filter((event) => event === 'run-recover').length;
    },
    /** Whether the last run ended in order before it was done: the program was closed, or the user stopped it. */
    closed(experiment: string) {
      const ends = select.all(experiment).filter(({ event }) => event === 'run-start' || event === 'run-interrupt');
      return ends.at(-1)?.event === 'run-interrupt';
    },
    /** Whether the last run has a beginning and no end: it runs, or it broke off. */
    isOpen: (experiment: string) => selectBound.get(experiment)?.event === 'run-start',
    /** Whether the last run waits for a server: it went away, and no other has its calls. */
    isAway: (experiment: string) => selectAway.get({ experiment }) === 1,
    held: (experiment: string) => selectWord.get(experiment)?.event === 'run-hold',
    /** When such a run is to continue by itself, in ISO 8601; null where the user decides. */
    heldUntil: (experiment: string) => selectWord.get(experiment)?.until ?? null,
    /** The hours of every day in which such a run, or one that continues, asks; null: all. */
    between: (experiment: string) => betweenSchema.safeParse(selectWord.get(experiment)?.hours).data ?? null,
  };
}
