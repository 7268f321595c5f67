import { z } from 'zod';
import { foldTrial } from '../../../core/record/fold.ts';
import { isTrialChain, trialId } from '../../../core/record/identity.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { RecordEvent } from '../../../shared/events.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { checkRecord } from '../commandText.ts';
import type { Blobs } from './blobs.ts';
import type { Connection } from './connection.ts';
import { isDatabaseError } from './databaseError.ts';
import type { Datasets } from './datasets.ts';
import type { Events } from './events.ts';
import type { Experiments } from './experiments.ts';
import { laterColumn } from './laterTable.ts';
import { parseChain } from './parseChain.ts';
import type { Trajectories } from './trajectories.ts';
import { openTrialPages } from './trialPages.ts';

/** A row of the projection; nested values are JSON text. */
export interface TrialRow extends Readonly<Pick<TrialLine, LineColumn>> {
  readonly case_id: string;
  readonly status: 'running' | 'done';
  readonly outcome: string | null;
  readonly incomplete: number;
  readonly inconsistent: number;
  readonly prediction: string | null;
  readonly belief: string | null;
  readonly belief_source: string | null;
  readonly models: string;
  readonly backends: string;
  readonly standin: number;
  /** 1, 0, or null where it was not asked. */
  readonly ambiguous: number | null;
}

/** What a line has as the row has it. */
type LineColumn =
  | ('trial' | 'experiment' | 'arm' | 'replicate' | 'attempt' | 'seed' | 'protocol' | 'protocol_version' | 'confidence')
  | ('calls' | 'attempts' | 'prompt_tokens' | 'completion_tokens' | 'model_ms' | 'wall_ms' | 'head_hash');

/** Of the finished trials of an arm together: milliseconds of their calls, one after the other, and the sum of their squares. */
export interface SpentOfArm {
  readonly arm: string;
  readonly trials: number;
  readonly calls: number;
  readonly wallMs: number;
  readonly wallMsSquared: number;
}

export type TrialHead = Pick<TrialRow, 'trial' | 'arm' | 'case_id' | 'status' | 'outcome' | 'incomplete' | 'head_hash'>;

export interface TrialPlace {
  readonly id: string;
  readonly arm: string;
  readonly caseId: string;
  readonly replicate: number;
  readonly seed: number;
}

const columns = [
  'trial',
  'experiment',
  'arm',
  'case_id',
  'replicate',
  'attempt',
  'seed',
  'protocol',
  'protocol_version',
  'status',
  'outcome',
  'incomplete',
  'inconsistent',
  'prediction',
  'confidence',
  'belief',
  'belief_source',
  'calls',
  'attempts',
  'prompt_tokens',
  'completion_tokens',
  'model_ms',
  'wall_ms',
  'models',
  'backends',
  'standin',
  'ambiguous',
  'head_hash',
] as const satisfies readonly (keyof TrialRow)[];

/** Model and backend of a call, as its setup text has them. */
const setupSchema = z.object({ model: z.string(), backend: z.string(), standin: z.boolean().nullable() });

const json = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
const distinct = (values: readonly string[]) => JSON.stringify([...new Set(values)]);

interface Sources {
  readonly events: Events;
  readonly blobs: Blobs;
  readonly datasets: Datasets;
  readonly experiments: Experiments;
  readonly trajectories: Trajectories;
  /** Whether the rows are read, or made from the events. */
  readonly believed: boolean;
}

export function openTrials(db: Connection, { events, blobs, datasets, experiments, trajectories, believed }: Sources) {
  // A reader leaves a store of an older format as it is, which has no trial that could be ambiguous.
  const later = laterColumn(db, 'trials', 'ambiguous');
  const stored = columns.filter((column) => column !== 'ambiguous' || later);
  const upsert = db.prepare<TrialRow>(
    `INSERT OR REPLACE INTO trials (${stored.join(', ')}) VALUES (${stored.map((column) => `:${column}`).join(', ')})`,
  );
  const list = columns.map((column) => (column === 'ambiguous' && !later ? 'NULL AS ambiguous' : column)).join(', ');
  const selectEnded = db.prepare<[], { trial: string; experiment: string; head_hash: string }>(
    `SELECT trials.trial, experiment, head_hash FROM trials JOIN events ON events.trial = trials.trial AND seq = 0
     WHERE head_hash IS NOT NULL ORDER BY events.rowid`,
  );
  const selectOne = db.prepare<[string], TrialRow>(`SELECT ${list} FROM trials WHERE trial = ?`);
  const selectOfExperiment = db.prepare<[string], TrialRow>(`SELECT ${list} FROM trials WHERE experiment = ?`);
  const selectRowsOfArm = db.prepare<[string, string], TrialRow>(`SELECT ${list} FROM trials WHERE experiment = ? AND arm = ?`);
  // Long lists are read by iterate(): all() keeps a handle of V8 for each value until the last row is read, 22 MB for 400,000 heads.
  const headsSql = 'SELECT trial, arm, case_id, status, outcome, incomplete, head_hash FROM trials WHERE experiment = ?';
  const selectHeads = db.prepare<[string], TrialHead>(headsSql);
  const selectEachHead = db.prepare<[string], TrialHead>(`${headsSql} ORDER BY trial`);
  const selectOfArm = db.prepare<[string, string], TrialPlace>(
    'SELECT trial AS id, arm, case_id AS caseId, replicate, seed FROM trials WHERE experiment = ? AND arm = ?',
  );
  const selectWaiting = db.prepare<[string], { trial: string }>(
    `SELECT trial FROM trials WHERE experiment = ? AND status = 'running' AND
       (SELECT kind FROM events WHERE events.trial = trials.trial ORDER BY seq DESC LIMIT 1) = 'moderation-ask'`,
  );
  const selectLastBegun = db
    .prepare<[{ experiment: string }], string>(
      `SELECT trial FROM (SELECT trials.trial, max(events.rowid) FROM trials JOIN events ON events.trial = trials.trial AND seq = 0
         WHERE experiment = $experiment AND calls > 0 GROUP BY arm)
       UNION SELECT trial FROM trials WHERE experiment = $experiment AND status = 'running'`,
    )
    .pluck();
  const selectSpent = db.prepare<[string], SpentOfArm>(
    "SELECT arm, count(*) AS trials, sum(calls) AS calls, sum(wall_ms) AS wallMs, total(wall_ms * wall_ms) AS wallMsSquared FROM trials WHERE experiment = ? AND status = 'done' GROUP BY arm",
  );
  const selectAll = db.prepare<[], TrialRow>(`SELECT ${list} FROM trials ORDER BY trial`);
  const selectInvented = db.prepare<[], number>('SELECT count(*) FROM trials WHERE standin = 1').pluck();
  const selectNotEnded = db.prepare<[], number>("SELECT count(*) FROM trials WHERE status = 'running'").pluck();
  const selectOpen = db.prepare<[], string>("SELECT trial FROM trials WHERE status = 'running'").pluck();
  const selectWithoutEvents = db.prepare<[], { trial: string }>(
    'SELECT trial FROM trials WHERE NOT EXISTS (SELECT 1 FROM events WHERE events.trial = trials.trial) ORDER BY trial LIMIT 1',
  );

  const setupsOf = ({ setups }: Pick<ReturnType<typeof foldTrial>, 'setups'>) =>
    setups.map((ref) => setupSchema.parse(JSON.parse(blobs.need(ref))));

  const derive = (trial: string, chain: readonly RecordEvent[]): TrialRow => {
    const summary = foldTrial(chain);
    const { open } = summary;
    const experiment = experiments.ofFreeze(open.freeze);
    if (experiment === undefined) throw new Error(`trial ${trial} refers to an experiment that is not in the record`);
    const kase = datasets.caseOfRef(experiment.dataset, open.case);
    if (kase === undefined) throw new Error(`trial ${trial} refers to a case that is not in the record`);
    if (trialId({ experiment: experiment.name, arm: open.arm, case: kase.id, replicate: open.replicate }) !== trial) {
      throw new Error(`the experiment, arm, case and replicate of trial ${trial} do not give its id`);
    }
    const done = summary.status === 'done';
    const setups = done ? setupsOf(summary) : [];
    return {
      trial,
      experiment: experiment.name,
      arm: open.arm,
      case_id: kase.id,
      replicate: open.replicate,
      attempt: open.attempt,
      seed: open.seed,
      protocol: open.protocol,
      protocol_version: open.protocolVersion,
      status: summary.status,
      outcome: summary.outcome,
      incomplete: Number(summary.incomplete),
      inconsistent: Number(summary.inconsistent),
      prediction: json(summary.prediction),
      confidence: summary.confidence,
      belief: json(summary.belief),
      belief_source: summary.beliefSource,
      calls: done ? summary.calls : 0,
      attempts: done ? summary.attempts : 0,
      prompt_tokens: done ? summary.promptTokens : 0,
      completion_tokens: done ? summary.completionTokens : 0,
      model_ms: done ? summary.modelMs : 0,
      wall_ms: done ? summary.wallMs : 0,
      models: distinct(summary.system === null ? setups.map(({ model }) => model) : [summary.system]),
      backends: distinct(setups.map(({ backend }) => backend)),
      standin: Number(setups.some(({ standin }) => standin === true)),
      ambiguous: summary.ambiguous === null ? null : Number(summary.ambiguous),
      head_hash: done ? (chain.at(-1)?.hash ?? null) : null,
    };
  };

  const derivedOf = (experiment: string): TrialRow[] =>
    events
      .names('')
      .filter(isTrialChain)
      .map((trial) => {
        try {
          return derive(trial, parseChain(events.chain(trial)));
        } catch (error) {
          if (isDatabaseError(error)) throw error;
          const why = error instanceof Error ? error.message : String(error);
          throw new AssizeError('store-unreadable', `the record of trial ${trial} does not hold (${why})`, {
            remedy: checkRecord('to see what else is wrong'),
          });
        }
      })
      .filter((row) => row.experiment === experiment);

  const projectChain = (trial: string, chain: readonly RecordEvent[]): TrialRow => {
    const row = derive(trial, chain);
    upsert.run(row);
    if (row.status === 'done') trajectories.keep(trial, chain);
    return row;
  };

  const pages = openTrialPages<TrialRow>(db, list);
  return {
    ...pages,
    /** Remakes a trial's row from its events and stores it, and where the trial has ended its trajectory too. */
    project: (trial: string) => projectChain(trial, parseChain(events.chain(trial))),
    /** The same from a chain that was read, or written just now. */
    projectChain,
    /** The row that the events of a trial amount to, without storing it. */
    derive,
    get: (trial: string) => selectOne.get(trial),
    /** What figures and statistics are of: made from the events where the store is from elsewhere. Throws store-unreadable there. */
    ofExperiment: (experiment: string) => (believed ? [...selectOfExperiment.iterate(experiment)] : derivedOf(experiment)),
    /** The same, of one arm after the other. */
    byArm(experiment: string): (arm: string) => Iterable<TrialRow> {
      if (believed) return (arm) => selectRowsOfArm.iterate(experiment, arm);
      const derived = Map.groupBy(derivedOf(experiment), ({ arm }) => arm);
      return (arm) => derived.get(arm) ?? [];
    },
    /** Of the same rows no more than this, in a third of the time. */
    heads: (experiment: string): TrialHead[] => (believed ? [...selectHeads.iterate(experiment)] : derivedOf(experiment)),
    /** The same in the order of ids, one at a time: to hold them all takes a kilobyte for two. */
    eachHead: (experiment: string): Iterable<TrialHead> =>
      believed ? selectEachHead.iterate(experiment) : derivedOf(experiment),
    /** The rows of ended trials in the same order, one at a time. */
    eachEnded: (experiment: string): Iterable<TrialRow> =>
      believed ? pages.eachEnded(experiment) : derivedOf(experiment).filter(({ status }) => status === 'done'),
    /** Which trials of an arm are on the record, in no order. */
    ofArm: (experiment: string, arm: string) => [...selectOfArm.iterate(experiment, arm)],
    /** Open trials of an experiment whose last step is a question to the moderator. */
    waiting: (experiment: string) => selectWaiting.all(experiment).map(({ trial }) => trial),
    /** Of each arm the ended trial with calls that was begun last, and all that are open. */
    lastBegun: (experiment: string) => selectLastBegun.all({ experiment }),
    /** What the finished trials of each arm took, without reading a chain. */
    spent: (experiment: string) => selectSpent.all(experiment),
    all: () => [...selectAll.iterate()],
    /** Ended trials and the heads of their chains, in the order in which they were opened. */
    ended: () => [...selectEnded.iterate()],
    withoutEvents: () => selectWithoutEvents.get()?.trial,
    /** Only of ended trials it is known who answered. */
    invented: () => selectInvented.get() ?? 0,
    notEnded: () => selectNotEnded.get() ?? 0,
    /** Those of them that have an answer of the demo model, as their chains say. */
    inventedOpen: () =>
      selectOpen.all().filter((trial) => {
        const setups = setupsOf(foldTrial(parseChain(events.chain(trial))));
        return setups.some(({ standin }) => standin === true);
      }).length,
  };
}
