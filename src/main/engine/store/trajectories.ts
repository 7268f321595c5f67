// The projection of trajectories: what figures and statistics read of ended trials.
import { lastAttempt } from '../../../core/record/fold.ts';
import {
  computation,
  type Trajectory,
  trajectoryKinds,
  trajectoryOf,
  trajectorySchema,
} from '../../../core/trajectory/trajectory.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import { importedProtocol } from '../../../shared/imported.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { attempt } from '../attempt.ts';
import type { Connection } from './connection.ts';
import type { Events } from './events.ts';
import { laterTable } from './laterTable.ts';
import { parseChain } from './parseChain.ts';

export interface TrajectoryRow {
  readonly trial: string;
  /** Of the chain that it was made from, hexadecimal. */
  readonly head_hash: string;
  readonly computation: number;
  /** JSON. */
  readonly trajectory: string;
}

const readRow = (text: string): Trajectory | null => attempt(() => trajectorySchema.parse(JSON.parse(text)), null);

/**
 * The courses of ended trials, so that figures and statistics read no chain. A row of another computation, of an earlier
 * head of its chain, or one that cannot be read is not believed, and such a trial is read from its chain, as is one without a
 * row: the result is the same.
 * Imported predictions are many, and most have no course: those have no row, and an imported trial without a row is one of them.
 */
export type Trajectories = ReturnType<typeof openTrajectories>;

/** @param believed whether rows are read, or every trial from its chain */
export function openTrajectories(db: Connection, events: Events, believed: boolean) {
  const present = laterTable(db, 'trajectories');
  const columns = 'trial, head_hash, computation, trajectory';
  const isCurrent = `trajectories.head_hash = trials.head_hash AND computation = ${computation}`;
  const canBeBare = `protocol = '${importedProtocol.id}' AND trials.head_hash IS NOT NULL AND trajectories.trial IS NULL`;
  const withRows = 'trials LEFT JOIN trajectories ON trajectories.trial = trials.trial';
  const text = `CASE WHEN ${isCurrent} THEN trajectory WHEN ${canBeBare} THEN '' END`;
  const selectText = db.prepare<[string], string | null>(`SELECT ${text} FROM ${withRows} WHERE trials.trial = ?`).pluck();
  const derive = (trial: string, chain: readonly RecordEvent[]): TrajectoryRow => ({
    trial,
    head_hash: chain.at(-1)?.hash ?? '',
    computation,
    trajectory: JSON.stringify(trajectoryOf(lastAttempt(chain))),
  });
  const insert = db.prepare<TrajectoryRow>(
    `INSERT OR REPLACE INTO trajectories (${columns}) VALUES (:trial, :head_hash, :computation, :trajectory)`,
  );
  const remove = db.prepare<[string]>('DELETE FROM trajectories WHERE trial = ?');
  const isBare = (chain: readonly RecordEvent[]) =>
    lastAttempt(chain).some(({ kind, payload }) => kind === 'prediction-import' && payload.course === undefined);
  const keep = (trial: string, chain: readonly RecordEvent[]) => {
    if (isBare(chain)) remove.run(trial);
    else insert.run(derive(trial, chain));
  };
  // In this order: there can be many imported trials, and few of them have a row.
  const selectWithRow = db
    .prepare<[string], string>(
      `SELECT trial FROM trajectories CROSS JOIN trials USING (trial) WHERE experiment = ? AND protocol = '${importedProtocol.id}'`,
    )
    .pluck();
  const selectOne = db.prepare<[string], TrajectoryRow>(`SELECT ${columns} FROM trajectories WHERE trial = ?`);
  return {
    /** Of a trial's last attempt. */
    of(trial: string) {
      // A reader leaves a store of an older format as it is.
      const text = believed && present() ? selectText.get(trial) : null;
      if (text === '') return trajectoryOf([]);
      const read = text === undefined || text === null ? null : readRow(text);
      return read ?? trajectoryOf(lastAttempt(parseChain(events.ofKinds(trial, trajectoryKinds))));
    },
    /** Returns the imported trials of an experiment of which `of` has nothing, without a look at each. */
    bareAmong(experiment: string): (trial: Pick<TrialLine, 'trial' | 'protocol' | 'status'>) => boolean {
      if (!believed || !present()) return () => false;
      let withRow: ReadonlySet<string> | null = null;
      return ({ trial, protocol, status }) => {
        if (protocol !== importedProtocol.id || status !== 'done') return false;
        withRow ??= new Set(selectWithRow.all(experiment));
        return !withRow.has(trial);
      };
    },
    /** The row, also one of another computation or of an earlier head. */
    get: (trial: string) => (present() ? selectOne.get(trial) : undefined),
    /** The row that the chain of an ended trial amounts to, without storing it. */
    derive,
    /** Whether nothing happened in a trial but that a prediction was imported, so that it has no row. */
    isBare,
    /** Stores the row of an ended trial, or removes one that it need not have. */
    keep,
    project: (trial: string) => keep(trial, parseChain(events.ofKinds(trial, [...trajectoryKinds, 'trial-close']))),
    /** Ended trials without a row, of one experiment or of all. */
    missing: (experiment: string | null) =>
      db
        .prepare<[object], string>(
          `SELECT trials.trial FROM ${withRows} WHERE trials.head_hash IS NOT NULL
             AND (:experiment IS NULL OR experiment = :experiment) AND (${isCurrent}) IS NOT TRUE AND NOT (${canBeBare})`,
        )
        .pluck()
        .all({ experiment }),
    /** A row of a trial that has no events, if there is one. */
    withoutEvents() {
      if (!present()) return undefined;
      const select = `SELECT trial FROM trajectories AS made
        WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.trial = made.trial) ORDER BY trial LIMIT 1`;
      return db.prepare<[], string>(select).pluck().get();
    },
  };
}
