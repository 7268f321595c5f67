// Queries: one experiment with its arms, counts, casts and log, the list of all, and the runs that have not ended.
import { basename } from 'node:path';
import { z } from 'zod';
import { castMember, seatNames } from '../../../core/protocols/cast.ts';
import { findProtocol } from '../../../core/protocols/index.ts';
import { foldTrial } from '../../../core/record/fold.ts';
import type { ExperimentList, ExperimentSummary, ExperimentView } from '../../../shared/api/experiments.ts';
import type { LoggedEvent, RunLogReport } from '../../../shared/commandOutputs.ts';
import { type Prediction, predictionSchema } from '../../../shared/domain.ts';
import { AssizeError } from '../../../shared/errors.ts';
import type { CastMember, Experiment } from '../../../shared/experiment.ts';
import { isImported } from '../../../shared/imported.ts';
import { isInPart } from '../../../shared/part.ts';
import { attempt } from '../attempt.ts';
import { answerable } from '../lab/contamination.ts';
import { erasureOf } from '../lab/erasedData.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { isDemoHere, lastAnswerer } from '../lab/lastAnswerer.ts';
import { lastPartOf } from '../lab/part.ts';
import { pendingTrials } from '../lab/pendingTrials.ts';
import { countOutcomes, restOf } from '../lab/recordedProgress.ts';
import { endedByRule } from '../lab/stopping.ts';
import { isTold } from '../lab/tryOut.ts';
import { lineReader, plannedAs } from '../report/trialLines.ts';
import { explained, isAboutPart, isDatabaseError } from '../store/databaseError.ts';
import { adoptionOfExperiment } from '../store/origin.ts';
import { parseChain } from '../store/parseChain.ts';
import type { RunRow } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { liveLine } from './findTrial.ts';
import type { Query } from './query.ts';

const mostLogLines = 200;
const detailSchema = z.record(z.string(), z.unknown());

/** The definition with only the name of its data file: folders are private. */
export const withoutFolder = (definition: Experiment): Experiment => ({
  ...definition,
  dataset: { ...definition.dataset, path: basename(definition.dataset.path.replaceAll('\\', '/')) },
});

/** Sampling options that replace the protocol's own; nothing where none are set. */
const optionsOf = ({ options }: CastMember) => (Object.keys(options).length === 0 ? {} : { options: JSON.stringify(options) });

/** Who plays in an arm, in the protocol's order of roles; a role with several seats by its seats where they differ. */
export function castOf(frozen: FrozenExperiment, arm: FrozenExperiment['arms'][number]) {
  const { cast } = frozen.terms(arm);
  const roles = findProtocol(arm.protocol)?.roles ?? Object.keys(cast);
  const seats = frozen.protocol(arm)?.seats;
  return roles.flatMap((role) => {
    const seated = seatNames(role, seats).map((name) => ({ name, member: castMember(cast, name) }));
    const alike = seated.every(({ member }) => member === seated[0]?.member);
    const shown = alike ? [{ name: role, member: seated[0]?.member }] : seated;
    return shown.flatMap(({ name, member }) =>
      member === undefined ? [] : [{ role: name, model: member.model, backend: member.backend, ...optionsOf(member) }],
    );
  });
}

const importedTermsSchema = z.object({ system: z.string() });

/** Role -> model; of an imported arm, the system that predicted. */
function modelsOf(frozen: FrozenExperiment, arm: FrozenExperiment['arms'][number]): Record<string, string> {
  if (isImported(arm)) return importedTermsSchema.parse(frozen.terms(arm).params);
  return Object.fromEntries(castOf(frozen, arm).map(({ role, model }) => [role, model]));
}

/** Cases of an experiment's data set, and those of the shares that its sample is drawn from. */
function casesIn(store: Store, { dataset, definition }: FrozenExperiment) {
  const { from } = definition.dataset.sample;
  const share = store.datasets.sizes(dataset.id).filter(({ split }) => from === 'all' || split === from);
  return {
    dataset_cases: store.datasets.size(dataset.id),
    share_cases: share.reduce((total, { cases }) => total + cases, 0),
  };
}

/** What happened in the runs of an experiment, the oldest entry first. */
export const runLogOf = (store: Store, name: string): LoggedEvent[] =>
  store.runLog.of(name).map(({ at, event, detail }) => ({ at, event, detail: detailSchema.parse(JSON.parse(detail)) }));

/** What the GPUs used in the runs of an experiment, as far as it is known. */
export function energyIn(store: Store, name: string): Pick<ExperimentView, 'energy'> {
  const energy = store.runLog.energy(name);
  return energy === null ? {} : { energy };
}

export function importsOf(store: Store, name: string): NonNullable<RunLogReport['imported']> {
  const rows = Map.groupBy([...store.trials.ofExperiment(name)].filter(isImported), ({ arm }) => arm);
  return [...rows].map(([arm, trials]) => {
    const events = trials.slice(0, 1).flatMap(({ trial }) => parseChain(store.events.chain(trial)));
    const open = events.find((event) => event.kind === 'trial-open')?.payload;
    return { arm, system: foldTrial(events).system ?? arm, predictions: trials.length, at: open?.at ?? '' };
  });
}

/** An experiment as recorded; its run and the place in the stream of changes are the engine's to add. */
export const experiment: Query<
  { experiment: string },
  Omit<ExperimentView, 'summary' | 'cursor' | 'asks'> & { summary: RecordedSummary }
> = {
  run(store, { experiment: name }) {
    const frozen = loadFrozen(store, name);
    const tallied = tallyArms(store, frozen);
    const { arms } = tallied;
    const { labels = [], positive = null } = frozen.definition.dataset;
    const rest = restOf(store, lastPartOf(store, frozen));
    const adopted = adoptionOfExperiment(store, name);
    const isDemoChosen = store.runs.of(name)?.backend === 'standin';
    return {
      ...(rest === undefined ? {} : { rest }),
      ...(adopted === null ? {} : { adopted }),
      demo_chosen: isDemoChosen,
      demo_offered: isDemoChosen || (tallied.standin && isDemoHere(lastAnswerer(store, name))),
      summary: summaryOf(store, frozen, tallied),
      definition: withoutFolder(frozen.definition),
      labels,
      positive,
      ...casesIn(store, frozen),
      arms: arms.map(({ arm, ...tally }) => {
        const first = frozen.protocol(arm)?.firstAnswer ?? null;
        const canBeRight = answerable(store, frozen, arm);
        return {
          ...(first === null ? {} : { first_answer: first }),
          ...(canBeRight === undefined ? {} : { can_be_right: canBeRight }),
          protocol: arm.protocol,
          protocol_version: arm.protocolVersion,
          models: modelsOf(frozen, arm),
          swap: frozen.swapOf(arm.name),
          base_arm: frozen.baseOf(arm.name),
          change: frozen.changeOf(arm.name) ?? null,
          prompts: arm.prompts ?? null,
          ...tally,
        };
      }),
      log: runLogOf(store, name).slice(-mostLogLines).toReversed(),
      ...energyIn(store, name),
    };
  },
};

type RecordedList = Omit<ExperimentList, 'experiments'> & { readonly experiments: readonly RecordedSummary[] };

/** Every experiment on the record, the newest first. One that is damaged hides no other. */
export const experimentList: Query<null, RecordedList> = {
  run(store) {
    const experiments: RecordedSummary[] = [];
    const unreadable: RecordedList['unreadable'][number][] = [];
    for (const name of store.experiments.names()) {
      try {
        experiments.push(summaryOf(store, loadFrozen(store, name)));
      } catch (error) {
        if (isDatabaseError(error) && !isAboutPart(error)) throw error;
        const cause = explained(error, store.path);
        unreadable.push({ name, problem: cause instanceof AssizeError ? cause.message : 'its description is damaged' });
      }
    }
    experiments.sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
    return { experiments, unreadable };
  },
  withoutStore: () => ({ experiments: [], unreadable: [] }),
};

/** Trials under way that are looked at; all of a run ask the same servers. */
const mostLookedAt = 8;

type Tally = Pick<ExperimentSummary, 'planned' | 'done' | 'running' | 'outcomes'>;

export function tallyArms(store: Store, frozen: FrozenExperiment) {
  const counts = store.trials.counts(frozen.name);
  const planned = frozen.sampleSize() * frozen.definition.replicates;
  const arms = frozen.arms.map((arm) => {
    const { name } = arm;
    const mine = counts.filter(({ arm }) => arm === name);
    const done = mine.filter(({ status }) => status === 'done');
    const sum = (rows: typeof mine) => rows.reduce((total, { trials }) => total + trials, 0);
    const tally: Tally = {
      planned: isImported(arm) ? sum(mine) : planned,
      done: sum(done),
      running: sum(mine) - sum(done),
      outcomes: Object.fromEntries(done.map(({ outcome, trials }) => [outcome ?? '', trials])),
    };
    return { arm, name, ...tally };
  });
  const names = new Set(arms.map(({ name }) => name));
  const altered = counts.reduce((total, { arm, trials }) => total + (names.has(arm) ? 0 : trials), 0);
  // Of running trials the record has it call by call, and the rows only at the end.
  const reader = lineReader(store, frozen);
  const live = () =>
    store.trials
      .page({ experiment: frozen.name, status: 'running', order: 'newest' }, { offset: 0, limit: mostLookedAt })
      .rows.some((row) => liveLine(store, reader(plannedAs(row), row)).standin);
  // Without a trial under way the table is gone through once.
  const running = arms.some((arm) => arm.running > 0);
  return {
    arms,
    altered,
    running,
    standin: counts.some(({ standin }) => standin === 1) || (running && live()),
  };
}

/** Counts of the part that continues, with what was imported; undefined where it is all trials. */
function tallyPart(store: Store, frozen: FrozenExperiment): ExperimentSummary['part'] {
  const { part, runTrials } = lastPartOf(store, frozen);
  if (part === undefined) return undefined;
  const rows = store.trials.ofExperiment(frozen.name).filter((row) => isImported(row) || isInPart(part, row.trial));
  const done = rows.filter(({ status }) => status === 'done');
  const outcomes = Map.groupBy(done, ({ outcome }) => outcome ?? '');
  return {
    ...part,
    planned: runTrials().length + rows.filter(isImported).length,
    done: done.length,
    running: rows.length - done.length,
    outcomes: Object.fromEntries([...outcomes].map(([outcome, { length }]) => [outcome, length])),
  };
}

/** Whether `try` made the experiment: one case in words. */
const isSingle = ({ definition }: FrozenExperiment) => isTold(definition) && definition.arms.length === 1;

/** An experiment in a line of a list; only the run manager knows its run. */
type RecordedSummary = Omit<ExperimentSummary, 'run'>;

/** A stored verdict; null where there is none, or where a changed row has something else in its place: `damage` names that. */
const verdictIn = (stored: string | null): Prediction =>
  attempt(() => (stored === null ? null : predictionSchema.parse(JSON.parse(stored))), null);

function outcomesOf(tallies: readonly Tally[]): Record<string, number> {
  const outcomes: Record<string, number> = {};
  for (const tally of tallies)
    for (const [outcome, trials] of Object.entries(tally.outcomes)) outcomes[outcome] = (outcomes[outcome] ?? 0) + trials;
  return outcomes;
}

export function summaryOf(store: Store, frozen: FrozenExperiment, tallied = tallyArms(store, frozen)): RecordedSummary {
  const { arms, altered, running, standin } = tallied;
  const { dataset, retrial } = frozen.definition;
  const sum = (count: (tally: Tally) => number) => arms.reduce((total, tally) => total + count(tally), 0);
  const single = isSingle(frozen);
  const [only] = single ? frozen.trials() : [];
  const trial = only?.id ?? null;
  const planned = sum((tally) => tally.planned);
  const done = sum((tally) => tally.done);
  const verdict = trial === null ? null : (store.trials.get(trial)?.prediction ?? null);
  const part = tallyPart(store, frozen);
  return {
    name: frozen.name,
    at: store.experiments.history(frozen.name)[0]?.payload.at ?? '',
    question: dataset.question ?? null,
    arms: frozen.arms.map(({ name }) => name),
    cases: frozen.sampleSize(),
    planned,
    done,
    running: sum(({ running }) => running),
    outcomes: outcomesOf(arms),
    ...(altered === 0 ? {} : { altered }),
    ...(part === undefined ? {} : { part }),
    stopped_by_rule: done < planned && endedByRule(store, frozen),
    open_run: store.runLog.isOpen(frozen.name),
    server_away: store.runLog.isAway(frozen.name),
    waiting: running ? store.trials.waiting(frozen.name).length : 0,
    standin,
    erased: erasureOf(store, frozen.name),
    single,
    retrial: retrial !== undefined,
    imported: frozen.arms.every(isImported),
    imported_outcomes: outcomesOf(arms.filter(({ arm }) => isImported(arm))),
    protocol: single ? (frozen.definition.arms[0]?.protocol ?? null) : null,
    trial,
    verdict: verdictIn(verdict),
  };
}

/** A run that has not ended on the record: it is under way, or the program that made it ended before. */
export type WantedRun = Readonly<ReturnType<typeof wantedOf>>;

function wantedOf(store: Store, { experiment, backend, concurrency, retry }: RunRow) {
  const frozen = lastPartOf(store, loadFrozen(store, experiment));
  const { done, decided } = countOutcomes(store, frozen);
  return {
    experiment,
    backend,
    concurrency,
    held: store.runLog.held(experiment),
    /** When a paused run is to continue by itself; null where the user decides. */
    heldUntil: store.runLog.heldUntil(experiment),
    /** The hours of every day in which it asks; null: all. */
    between: store.runLog.between(experiment),
    /** How often it had continued by itself. */
    recoveries: store.runLog.recoveries(experiment),
    /** Whether the program was closed; otherwise it ended in another way, or runs. */
    closed: store.runLog.closed(experiment),
    planned: frozen.runTrials().length,
    done,
    decided,
    /** Trials that it has still to do. */
    open: pendingTrials(store, frozen, { retry, retried: store.runs.retried(experiment) }).length,
  };
}

interface WantedRuns {
  readonly runs: readonly WantedRun[];
  /** Runs of which nothing can be said, for an unexpected reason. */
  readonly failures: readonly { readonly experiment: string; readonly error: unknown }[];
}

/** `ours`: those that this start of the program made; otherwise those of all others. */
export const wantedRuns: Query<{ session: string; ours: boolean }, WantedRuns> = {
  run(store, { session, ours }) {
    const runs: WantedRun[] = [];
    const failures: { experiment: string; error: unknown }[] = [];
    for (const run of store.runs.unended()) {
      if ((run.session === session) !== ours) continue;
      try {
        runs.push(wantedOf(store, run));
      } catch (error) {
        if (isDatabaseError(error) && !isAboutPart(error)) throw error;
        // A run that another version began cannot continue: its screens say why. No run may hide the others.
        if (!(error instanceof AssizeError)) failures.push({ experiment: run.experiment, error });
      }
    }
    return { runs, failures };
  },
  withoutStore: () => ({ runs: [], failures: [] }),
};
