// Queues of trials, and how far the belief of each judge moved: a cache in a separate file, made from the record.
import type { Database } from 'better-sqlite3';
import { computation } from '../../../core/trajectory/trajectory.ts';
import { countsOfCases, isCaseQueue, type QueueCounts, type TrialQueue, trialQueues } from '../../../shared/api/experiments.ts';
import { withCacheDatabase } from './cacheDatabase.ts';

export interface QueuedTrial {
  readonly trial: string;
  readonly head: string;
  readonly case: string;
  readonly queues: readonly TrialQueue[];
  readonly arm: string;
  /** The verdict as JSON; null where there is none. */
  readonly prediction: string | null;
  /** Whether that is wrong; null where it says nothing of the label of its case. */
  readonly wrong: boolean | null;
  /** How far the judge's belief moved, 0-1; null where there are not two. */
  readonly movement: number | null;
}

/** So many trials of a case have to agree on another answer than its label before the label is in doubt. */
export const leastInDoubt = 3;

const schema = {
  version: 1000 * computation + 11,
  sql: `
    -- seen: the state of the record that the rows are of, with all that is known of labels in doubt.
    CREATE TABLE experiments (name TEXT PRIMARY KEY, seen TEXT NOT NULL) WITHOUT ROWID;
    -- queues: one bit for each.
    CREATE TABLE trials (
      experiment TEXT NOT NULL, trial TEXT NOT NULL, head TEXT NOT NULL, case_id TEXT NOT NULL, queues INTEGER NOT NULL,
      arm TEXT NOT NULL, prediction TEXT, wrong INTEGER, movement REAL, PRIMARY KEY (experiment, trial)
    ) WITHOUT ROWID`,
};

const bitOf = (queue: TrialQueue): number => 1 << trialQueues.indexOf(queue);

function openQueueIndex(db: Database, experiment: string) {
  const seen = db.prepare<[string], string>('SELECT seen FROM experiments WHERE name = ?').pluck();
  const see = db.prepare('INSERT OR REPLACE INTO experiments VALUES (?, ?)');
  const heads = db.prepare<[string], { trial: string; head: string }>('SELECT trial, head FROM trials WHERE experiment = ?');
  const insert = db.prepare('INSERT OR REPLACE INTO trials VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const remove = db.prepare('DELETE FROM trials WHERE experiment = ? AND trial = ?');
  const [doubt, people, repeats] = [bitOf('label-in-doubt'), bitOf('people-disagree'), bitOf('repeats-differ')];
  const sums = [
    ...trialQueues.map((queue) => `total(queues & ${bitOf(queue)} <> 0) AS "${queue}"`),
    ...trialQueues
      .filter(isCaseQueue)
      .map((queue) => `count(DISTINCT iif(queues & ${bitOf(queue)}, case_id, NULL)) AS "${countsOfCases[queue]}"`),
  ].join(', ');
  return {
    /** Whether all that the record had in this state is in the index. */
    isOf: (state: string): boolean => seen.get(experiment) === state,
    /** Trial -> head of the chain that its row was made from. */
    heads: (): Map<string, string> => new Map(heads.all(experiment).map(({ trial, head }) => [trial, head])),
    put: (trials: readonly QueuedTrial[]): void =>
      db
        .transaction(() => {
          for (const { trial, head, case: id, queues, arm, prediction, wrong, movement } of trials) {
            const bits = queues.reduce((sum, queue) => sum | bitOf(queue), 0);
            insert.run(experiment, trial, head, id, bits, arm, prediction, wrong === null ? null : Number(wrong), movement);
          }
        })
        .immediate(),
    drop: (trials: readonly string[]): void =>
      db
        .transaction(() => {
          for (const trial of trials) remove.run(experiment, trial);
        })
        .immediate(),
    /** Finds the labels in doubt and the repeats that differ, and notes the state that the index is of. @param contradicted trials whose verdict a person contradicts */
    settle: (state: string, contradicted: readonly string[]): void =>
      db
        .transaction(() => {
          const all = doubt | people | repeats;
          db.prepare(`UPDATE trials SET queues = queues & ~${all} WHERE experiment = ? AND queues & ${all}`).run(experiment);
          db.prepare(
            `UPDATE trials SET queues = queues | ${people} WHERE experiment = ? AND trial IN (SELECT value FROM json_each(?))`,
          ).run(experiment, JSON.stringify(contradicted));
          db.prepare(
            `UPDATE trials SET queues = queues | ${doubt} WHERE experiment = :experiment AND case_id IN (
               SELECT case_id FROM trials WHERE experiment = :experiment AND wrong IS NOT NULL GROUP BY case_id
               HAVING count(*) >= ${leastInDoubt} AND min(wrong) = 1 AND min(prediction) = max(prediction))`,
          ).run({ experiment });
          db.prepare(
            `UPDATE trials SET queues = queues | ${repeats} WHERE experiment = :experiment AND (arm, case_id) IN (
               SELECT arm, case_id FROM trials WHERE experiment = :experiment GROUP BY arm, case_id
               HAVING count(DISTINCT coalesce(prediction, '')) > 1)`,
          ).run({ experiment });
          see.run(experiment, state);
        })
        .immediate(),
    counts: (): QueueCounts =>
      db.prepare<[string], QueueCounts>(`SELECT ${sums} FROM trials WHERE experiment = ?`).get(experiment) as QueueCounts,
    listed: (queue: TrialQueue): string =>
      db
        .prepare<[string], string>(`SELECT json_group_array(trial) FROM trials WHERE experiment = ? AND queues & ${bitOf(queue)}`)
        .pluck()
        .get(experiment) ?? '[]',
    /** Trial -> how far its judge's belief moved, of those where it is known, in JSON. */
    movements: (): string =>
      db
        .prepare<[string], string>(
          'SELECT json_group_object(trial, movement) FROM trials WHERE experiment = ? AND movement IS NOT NULL',
        )
        .pluck()
        .get(experiment) ?? '{}',
  };
}

export type QueueIndex = ReturnType<typeof openQueueIndex>;

/** Works with the index at a path. @param path `:memory:` for one that is not kept */
export const withQueueIndex = <T>(path: string, experiment: string, work: (index: QueueIndex) => T): T =>
  withCacheDatabase(path, schema, (db) => work(openQueueIndex(db, experiment)));
