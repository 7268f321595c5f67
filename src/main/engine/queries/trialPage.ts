import { bothRanges, isEverything, namesLabel } from '../../../core/figures/subset.ts';
import { unfoundedSpeeches } from '../../../core/text/unfoundedSpeeches.ts';
import { queuesOf } from '../../../core/trajectory/queues.ts';
import { trajectoryOf } from '../../../core/trajectory/trajectory.ts';
import { movementOf } from '../../../core/trajectory/verdictPath.ts';
import type { QueueCounts, TrialPage, TrialQuery, TrialQueue } from '../../../shared/api/experiments.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { isVaried, type TrialLine } from '../../../shared/trialLine.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { eventsOf } from '../report/readTrials.ts';
import { queueFolder } from '../report/statisticsCache.ts';
import { transcriptEntry } from '../report/transcriptEntries.ts';
import { lineReader, plannedAs, withCourse } from '../report/trialLines.ts';
import { subsetReader } from '../report/where.ts';
import { readReviews } from '../reviews/ledger.ts';
import { cacheDatabaseOf } from '../store/cacheDatabase.ts';
import { type QueuedTrial, type QueueIndex, withQueueIndex } from '../store/queueIndex.ts';
import type { Store } from '../store/store.ts';
import type { TrialRow } from '../store/trials.ts';
import { liveLine } from './findTrial.ts';
import type { Query } from './query.ts';

/** Kinds of events that say what was said aloud, and what was known before. */
const aloud = ['trial-open', 'utterance-make', 'ruling-give', 'precedent-retrieve'] as const;

/** Whether something that was said in a trial is marked as not among the facts of its case. */
function unfoundedReader(store: Store, frozen: FrozenExperiment): (row: TrialRow) => boolean {
  const read = (ref: string) => store.blobs.get(ref) ?? null;
  return ({ trial, arm }) => {
    const attempt = eventsOf(store, trial, aloud);
    const [open] = attempt;
    if (open?.kind !== 'trial-open') return false;
    const kase = frozen.changedCase(arm, store.datasets.outline(open.payload.case));
    const entries = attempt.flatMap((event) => transcriptEntry(event, read) ?? []);
    const { counts } = unfoundedSpeeches(kase, entries);
    return counts !== null && counts.number + counts.quote > 0;
  };
}

/** Trials that are read between two writings of the index. */
const together = 10_000;

function readerOf(store: Store, frozen: FrozenExperiment): (row: TrialRow) => QueuedTrial {
  const lineOf = lineReader(store, frozen);
  const isBare = store.trajectories.bareAmong(frozen.name);
  const hasUnfounded = unfoundedReader(store, frozen);
  const nothing = trajectoryOf([]);
  return (row) => {
    const line = lineOf(plannedAs(row), row);
    const { prediction, correct } = line;
    const bare = isBare(line);
    const trajectory = bare ? nothing : store.trajectories.of(row.trial);
    return {
      trial: row.trial,
      head: row.head_hash ?? '',
      case: row.case_id,
      queues: [
        ...queuesOf(line, trajectory),
        ...(!bare && store.events.namesOutside(row.trial) ? ['outside-facts' as const] : []),
        // Single answers are too many to read them all for a list.
        ...(trajectory.speeches.length > 0 && hasUnfounded(row) ? ['not-in-facts' as const] : []),
      ],
      arm: row.arm,
      prediction: prediction === null ? null : JSON.stringify([prediction].flat().toSorted()),
      wrong: correct === null || isVaried(line) || prediction === null ? null : !correct,
      movement: movementOf(trajectory),
    };
  };
}

/** Trials of which a person gave another label than the court. */
function contradicted(store: Store, frozen: FrozenExperiment): string[] {
  const lineOf = lineReader(store, frozen);
  return readReviews(store, frozen.name).reviews.flatMap(({ trial, label, head }) => {
    const row = label === null ? undefined : store.trials.get(trial);
    if (row === undefined || row.head_hash !== head) return [];
    const { prediction } = lineOf(plannedAs(row), row);
    return prediction !== null && prediction !== label ? [trial] : [];
  });
}

function bringUpToDate(store: Store, frozen: FrozenExperiment, index: QueueIndex): void {
  const state = store.events.last() ?? '';
  if (index.isOf(state)) return;
  const known = index.heads();
  const read = readerOf(store, frozen);
  const changed: QueuedTrial[] = [];
  // Both files have their rows in the order of ids.
  for (const row of store.trials.eachEnded(frozen.name)) {
    const isKnown = known.get(row.trial) === row.head_hash;
    known.delete(row.trial);
    if (!isKnown) changed.push(read(row));
    if (changed.length === together) index.put(changed.splice(0));
  }
  index.put(changed);
  index.drop([...known.keys()]);
  index.settle(state, contradicted(store, frozen));
}

function asked<T>(store: Store, frozen: FrozenExperiment, ask: (index: QueueIndex) => T): T {
  return withQueueIndex(cacheDatabaseOf(queueFolder(), store.path), frozen.name, (index) => {
    bringUpToDate(store, frozen, index);
    return ask(index);
  });
}

const queuedTrials = (store: Store, frozen: FrozenExperiment, queue: TrialQueue): string =>
  asked(store, frozen, (index) => index.listed(queue));

/** Trial -> how far its judge's belief moved, 0-1, of those where it is known, in JSON. */
const trialMovements = (store: Store, frozen: FrozenExperiment): string => asked(store, frozen, (index) => index.movements());

export const queueCounts: Query<{ experiment: string }, QueueCounts> = {
  run: (store, { experiment }) => asked(store, loadFrozen(store, experiment), (index) => index.counts()),
};

/** Conditions on what is in no column of the store: the cases' truth and groups, and lists as JSON. */
function onLines(
  { correct, prediction, truth, first, subset }: Pick<TrialQuery, 'correct' | 'prediction' | 'truth' | 'first' | 'subset'>,
  isIn: (rest: Subset) => (line: TrialLine) => boolean,
) {
  const conditions: ((line: TrialLine) => boolean)[] = [];
  if (correct !== undefined) conditions.push((line) => line.correct === correct);
  if (prediction !== undefined) conditions.push((line) => namesLabel(line.prediction, prediction));
  if (truth !== undefined) conditions.push((line) => namesLabel(line.truth, truth));
  const { arms: _arms, outcomes: _outcomes, confidence: _confidence, ...rest } = subset ?? {};
  if (!isEverything(rest)) conditions.push(isIn(rest));
  if (first !== undefined) conditions.push(isIn({ first: [first] }));
  return conditions;
}

const placeOf = { case: (line: TrialLine) => line.case, replicate: (line: TrialLine) => `${line.replicate} ${line.case}` };

/** Whether each of some arms has one of these trials of the same case, or of the same case and replicate. */
function onMatches({ arms, by }: NonNullable<TrialQuery['matched']>, among: readonly TrialLine[]) {
  const places = arms.map((arm) => new Set(among.filter((line) => line.arm === arm).map(placeOf[by])));
  return (line: TrialLine) => places.length > 0 && places.every((mine) => mine.has(placeOf[by](line)));
}

function movementsAmong(lines: readonly TrialLine[], movements: string): Record<string, number> {
  const known: Record<string, number> = JSON.parse(movements);
  return Object.fromEntries(lines.flatMap(({ trial }) => (known[trial] === undefined ? [] : [[trial, known[trial]]])));
}

export const trialPage: Query<TrialQuery, TrialPage> = {
  run(store, { offset, limit, correct, prediction, truth, first, subset, matched, queue, ...rest }) {
    const frozen = loadFrozen(store, rest.experiment);
    const { replicates } = frozen.definition;
    const listed = queue === undefined ? undefined : queuedTrials(store, frozen, queue);
    const movements = rest.order === 'movement' ? trialMovements(store, frozen) : undefined;
    const confidence = bothRanges(rest.confidence, subset?.confidence);
    const filter = { ...rest, listed, movements, arms: subset?.arms, outcomes: subset?.outcomes, confidence };
    const lineOf = lineReader(store, frozen);
    const line = (row: TrialRow) => liveLine(store, lineOf(plannedAs(row), row));
    const conditions = onLines({ correct, prediction, truth, first, subset }, (part) => subsetReader(store, frozen, part));
    if (matched !== undefined) {
      const { experiment, arms, outcomes, trials } = filter;
      const isIn = subsetReader(store, frozen, subset);
      const { rows } = store.trials.page({ experiment, arms, outcomes, trials, order: 'case', status: 'done' }, null);
      conditions.push(onMatches(matched, rows.map(line).filter(isIn)));
    }
    const shown = (lines: readonly TrialLine[]) => ({
      lines: lines.map((each) => withCourse(store, each)),
      ...(movements === undefined ? {} : { movements: movementsAmong(lines, movements) }),
    });
    if (conditions.length === 0) {
      const { total, rows } = store.trials.page(filter, { offset, limit });
      return { total, replicates, ...shown(rows.map(line)) };
    }
    // Every trial that the columns let through has to be looked at.
    const decided = typeof correct === 'boolean' || prediction !== undefined;
    const { rows } = store.trials.page({ ...filter, decided }, null);
    const lines = rows.map(line).filter((each) => conditions.every((fits) => fits(each)));
    return { total: lines.length, replicates, ...shown(lines.slice(offset, offset + limit)) };
  },
};
