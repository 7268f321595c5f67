// The projection of trajectories: what figures and statistics read of ended trials.
import { lastAttempt } from '../../../core/record/fold.ts';
import { computation, type Trajectory, trajectoryKinds, trajectoryOf } from '../../../core/trajectory/trajectory.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import type { Connection } from './connection.ts';
import type { Events } from './events.ts';
import { laterTable } from './laterTable.ts';
import { parseChain } from './parseChain.ts';

/** A row of the projection. */
export interface TrajectoryRow {
  readonly trial: string;
  /** Of the chain that it was made from, hexadecimal. */
  readonly head_hash: string;
  /** JSON. */
  readonly trajectory: string;
}

/**
 * The courses of ended trials, so that figures and statistics read no chain. A row of another computation, or of an earlier
 * head of its chain, counts as none, and a trial without a row is read from its chain: the result is the same.
 */
export interface Trajectories {
  /** Of a trial's last attempt. */
  of(trial: string): Trajectory;
  /** The row of this computation, also one of an earlier head. */
  get(trial: string): TrajectoryRow | undefined;
  /** The row that the chain of an ended trial amounts to, without storing it. */
  derive(trial: string, chain: readonly RecordEvent[]): TrajectoryRow;
  put(row: TrajectoryRow): void;
  /** Makes the row of an ended trial anew from its events and stores it. */
  project(trial: string): void;
  /** Ended trials without a row, of one experiment or of all. */
  missing(experiment: string | null): string[];
  /** A row of a trial that has no events, if there is one. */
  withoutEvents(): string | undefined;
}

/** @param believed whether rows are read, or every trial from its chain */
export function openTrajectories(db: Connection, events: Events, believed: boolean): Trajectories {
  const present = laterTable(db, 'trajectories');
  const columns = 'trial, head_hash, trajectory';
  const isOfHead = 'trajectories.trial = trials.trial AND trajectories.head_hash = trials.head_hash';
  const prepareText = () => {
    const select = `SELECT trajectory FROM trials JOIN trajectories ON ${isOfHead} WHERE trials.trial = ? AND computation = ${computation}`;
    return db.prepare<[string], string>(select).pluck();
  };
  let selectText: ReturnType<typeof prepareText> | null = null;
  const derive = (trial: string, chain: readonly RecordEvent[]): TrajectoryRow => ({
    trial,
    head_hash: chain.at(-1)?.hash ?? '',
    trajectory: JSON.stringify(trajectoryOf(lastAttempt(chain))),
  });
  const prepareInsert = () =>
    db.prepare<[string, string, string]>(
      `INSERT OR REPLACE INTO trajectories (${columns}, computation) VALUES (?, ?, ?, ${computation})`,
    );
  let insert: ReturnType<typeof prepareInsert> | null = null;
  const put = ({ trial, head_hash, trajectory }: TrajectoryRow) => {
    insert ??= prepareInsert();
    insert.run(trial, head_hash, trajectory);
  };
  const prepareOne = () =>
    db.prepare<[string], TrajectoryRow>(`SELECT ${columns} FROM trajectories WHERE trial = ? AND computation = ${computation}`);
  let selectOne: ReturnType<typeof prepareOne> | null = null;
  return {
    of(trial) {
      // A reader leaves a store of an older format as it is.
      if (believed && present()) selectText ??= prepareText();
      const text = selectText?.get(trial);
      if (text !== undefined) return JSON.parse(text);
      return trajectoryOf(lastAttempt(parseChain(events.ofKinds(trial, trajectoryKinds))));
    },
    get(trial) {
      if (!present()) return undefined;
      selectOne ??= prepareOne();
      return selectOne.get(trial);
    },
    derive,
    put,
    project: (trial) => put(derive(trial, parseChain(events.ofKinds(trial, [...trajectoryKinds, 'trial-close'])))),
    missing: (experiment) =>
      db
        .prepare<[object], string>(
          `SELECT trial FROM trials WHERE head_hash IS NOT NULL AND (:experiment IS NULL OR experiment = :experiment)
             AND NOT EXISTS (SELECT 1 FROM trajectories WHERE ${isOfHead} AND computation = ${computation})`,
        )
        .pluck()
        .all({ experiment }),
    withoutEvents() {
      if (!present()) return undefined;
      const select = `SELECT trial FROM trajectories AS made
        WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.trial = made.trial) ORDER BY trial LIMIT 1`;
      return db.prepare<[], string>(select).pluck().get();
    },
  };
}
