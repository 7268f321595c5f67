import { holdsId, isId } from '../../../core/cases/heldIds.ts';
import { noise } from '../../../core/statistics/sameNumber.ts';
import type { TrialQuery } from '../../../shared/api/experiments.ts';
import type { Connection } from './connection.ts';

/** Which trials of an experiment, and in what order. */
export type TrialFilter = Pick<
  TrialQuery,
  'experiment' | 'arm' | 'status' | 'outcome' | 'search' | 'order' | 'ambiguous' | 'confidence' | 'trials'
> & {
  /** Only those with a verdict. */
  readonly decided?: boolean;
  readonly arms?: readonly string[] | undefined;
  readonly outcomes?: readonly string[] | undefined;
  /** Only these trials: a list in JSON. */
  readonly listed?: string | undefined;
  /** Trial -> how far its judge's belief moved, in JSON: for the order `movement`. */
  readonly movements?: string | undefined;
};

/** Text ids that end in numbers come in the order of their numbers. */
const byCase = 'length(case_id), case_id, arm, replicate';
/** The row id of an event shows when it was written; the index on (trial, seq) has it. */
const newestEvent = '(SELECT rowid FROM events WHERE events.trial = trials.trial ORDER BY seq DESC LIMIT 1)';

const orders: Readonly<Record<TrialQuery['order'], string>> = {
  newest: `${newestEvent} DESC`,
  case: byCase,
  outcome: `outcome IS NULL, outcome, ${byCase}`,
  confidence: `confidence IS NULL, confidence DESC, ${byCase}`,
  movement: `movement IS NULL, movement DESC, ${newestEvent} DESC`,
};

/** Materialized, so that SQLite gives it an index: else it goes through the whole list for each trial. */
const withMovements = 'WITH moved AS MATERIALIZED (SELECT key AS mover, value AS movement FROM json_each(:movements))';

/** SQL of the rows that a filter lets through, and of their number, with what it binds. */
export function pageQuery(columns: string, filter: TrialFilter) {
  const { experiment, arm, status, outcome, search, decided = false, order, ambiguous, confidence, ...lists } = filter;
  const { arms, outcomes, trials, listed } = lists;
  const byMovement = order === 'movement';
  const below = confidence?.to === 1 ? 'confidence <= :to' : 'confidence < :to';
  const conditions = [
    // A list leads to its trials by their ids: quicker than going through all of the experiment.
    listed === undefined ? 'experiment = :experiment' : '+experiment = :experiment',
    ...(arm === undefined ? [] : ['arm = :arm']),
    ...(status === undefined ? [] : ['status = :status']),
    ...(outcome === undefined ? [] : ['outcome = :outcome']),
    ...(decided ? ["outcome = 'decided'"] : []),
    ...(arms === undefined ? [] : ['arm IN (SELECT value FROM json_each(:arms))']),
    ...(outcomes === undefined ? [] : ['outcome IN (SELECT value FROM json_each(:outcomes))']),
    ...(trials === undefined ? [] : ['trial IN (SELECT value FROM json_each(:trials))']),
    ...(listed === undefined ? [] : ['trial IN (SELECT value FROM json_each(:listed))']),
    ...(ambiguous === undefined ? [] : ['ambiguous = :ambiguous']),
    ...(confidence === undefined ? [] : [`confidence >= :from AND ${below}`]),
    ...(search === undefined || search === '' ? [] : ['holds_id(case_id, :search)']),
  ].join(' AND ');
  const json = (values: readonly string[] | undefined) => values && JSON.stringify(values);
  const bound = Object.entries({
    experiment,
    arm,
    status,
    outcome,
    search: search || undefined,
    arms: json(arms),
    outcomes: json(outcomes),
    trials: json(trials),
    listed,
    ambiguous: ambiguous === undefined ? undefined : Number(ambiguous),
    // As bins count: what differs from an edge only by rounding is on it, and so above it.
    from: confidence && confidence.from - noise,
    to: confidence && (confidence.to === 1 ? 1 : confidence.to - noise),
  });
  return {
    rows: `${byMovement ? withMovements : ''} SELECT ${columns} FROM trials ${byMovement ? 'LEFT JOIN moved ON mover = trial' : ''}
      WHERE ${conditions} ORDER BY ${search ? 'NOT is_id(case_id, :search), ' : ''}${orders[order]} LIMIT :limit OFFSET :offset`,
    newest: newestRows(columns, conditions),
    total: `SELECT count(*) AS total FROM trials WHERE ${conditions}`,
    bound: Object.fromEntries(bound.filter(([, value]) => value !== undefined)),
  };
}

/** The same rows of the newest trials, from only the newest events: complete if there are as many as the limit. */
const newestRows = (columns: string, conditions: string) =>
  `SELECT ${columns} FROM trials JOIN
     (SELECT events.trial AS recent, max(rowid) AS newest FROM events WHERE rowid > (SELECT max(rowid) FROM events) - :window GROUP BY events.trial)
     ON trial = recent WHERE ${conditions} ORDER BY newest DESC LIMIT :limit OFFSET :offset`;

/** Events of which a page of the newest trials is looked for first: several times as many as most trials have. */
const eventsPerTrial = 100;

interface TrialCount {
  readonly arm: string;
  readonly status: 'running' | 'done';
  readonly outcome: string | null;
  readonly trials: number;
  /** 1 where some answer came from the demo model. */
  readonly standin: number;
}

export function openTrialPages<Row>(db: Connection, columns: string) {
  for (const [name, test] of Object.entries({ holds_id: holdsId, is_id: isId }))
    db.function(name, { deterministic: true, directOnly: true }, (id, typed) => Number(test(String(id), String(typed))));
  const selectIsMuch = db
    .prepare<[string], number>('SELECT 3 * (SELECT count(*) FROM trials WHERE experiment = ?) > (SELECT count(*) FROM trials)')
    .pluck();
  // The index has rows in another order than the table: where it leads to many of them, going through all takes a third of the time.
  const ofExperiment = <Found>(sqlWhere: (condition: string) => string) => {
    const prepared = (condition: string) => db.prepare<[string], Found>(sqlWhere(condition));
    const [found, scanned] = [prepared('experiment = ?'), prepared('+experiment = ?')];
    return (experiment: string) => (selectIsMuch.get(experiment) === 1 ? scanned : found);
  };
  const selectCounts = ofExperiment<TrialCount>(
    (condition) => `SELECT arm, status, outcome, count(*) AS trials, max(standin) AS standin
       FROM trials WHERE ${condition} GROUP BY arm, status, outcome`,
  );
  const selectEnded = ofExperiment<Row>(
    (condition) => `SELECT ${columns} FROM trials WHERE ${condition} AND status = 'done' ORDER BY trial`,
  );
  return {
    /** Trials that have begun; all that the filter lets through where no part is named. */
    page(filter: TrialFilter, part: { offset: number; limit: number } | null): { total: number; rows: Row[] } {
      const { rows, newest, total, bound } = pageQuery(columns, filter);
      // SQLite takes a negative limit for none.
      const { offset, limit } = part ?? { offset: 0, limit: -1 };
      const page = { ...bound, offset, limit, ...(filter.order === 'movement' ? { movements: filter.movements ?? '{}' } : {}) };
      const all = () => db.prepare<[object], Row>(rows).all(page);
      const recent =
        filter.order === 'newest' && !filter.search && filter.listed === undefined && part !== null
          ? db.prepare<[object], Row>(newest).all({ ...page, window: eventsPerTrial * (offset + limit) })
          : [];
      return {
        total: db.prepare<[object], { total: number }>(total).get(bound)?.total ?? 0,
        rows: recent.length > 0 && recent.length === limit ? recent : all(),
      };
    },
    counts: (experiment: string) => selectCounts(experiment).all(experiment),
    eachEnded: (experiment: string) => selectEnded(experiment).iterate(experiment),
  };
}
