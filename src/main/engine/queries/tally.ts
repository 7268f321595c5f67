import type { ExperimentSummary } from '../../../shared/api/experiments.ts';
import { type Prediction, predictionSchema } from '../../../shared/domain.ts';
import { isImported } from '../../../shared/imported.ts';
import { attempt } from '../attempt.ts';
import { erasureOf } from '../lab/erasedData.ts';
import type { FrozenExperiment } from '../lab/frozen.ts';
import { endedByRule } from '../lab/stopping.ts';
import { isTold } from '../lab/tryOut.ts';
import { lineReader, plannedAs } from '../report/trialLines.ts';
import type { Store } from '../store/store.ts';
import { liveLine } from './liveLine.ts';

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
    return { name, ...tally };
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

/** Whether `try` made the experiment: one case in words. */
const isSingle = ({ definition }: FrozenExperiment) => isTold(definition) && definition.arms.length === 1;

/** An experiment in a line of a list; only the run manager knows its run. */
export type RecordedSummary = Omit<ExperimentSummary, 'run'>;

/** A stored verdict; null where there is none, or where a changed row has something else in its place: `damage` names that. */
const verdictIn = (stored: string | null): Prediction =>
  attempt(() => (stored === null ? null : predictionSchema.parse(JSON.parse(stored))), null);

export function summaryOf(store: Store, frozen: FrozenExperiment, tallied = tallyArms(store, frozen)): RecordedSummary {
  const { arms, altered, running, standin } = tallied;
  const { dataset, retrial } = frozen.definition;
  const sum = (count: (tally: Tally) => number) => arms.reduce((total, tally) => total + count(tally), 0);
  const outcomes: Record<string, number> = {};
  for (const arm of arms) {
    for (const [outcome, trials] of Object.entries(arm.outcomes)) outcomes[outcome] = (outcomes[outcome] ?? 0) + trials;
  }
  const single = isSingle(frozen);
  const [only] = single ? frozen.trials() : [];
  const trial = only?.id ?? null;
  const planned = sum((tally) => tally.planned);
  const done = sum((tally) => tally.done);
  const verdict = trial === null ? null : (store.trials.get(trial)?.prediction ?? null);
  return {
    name: frozen.name,
    at: store.experiments.history(frozen.name)[0]?.payload.at ?? '',
    question: dataset.question ?? null,
    arms: frozen.arms.map(({ name }) => name),
    cases: frozen.sampleSize(),
    planned,
    done,
    running: sum(({ running }) => running),
    outcomes,
    ...(altered === 0 ? {} : { altered }),
    stopped_by_rule: done < planned && endedByRule(store, frozen),
    open_run: store.runLog.isOpen(frozen.name),
    waiting: running ? store.trials.waiting(frozen.name).length : 0,
    standin,
    erased: erasureOf(store, frozen.name),
    single,
    retrial: retrial !== undefined,
    imported: frozen.arms.every(isImported),
    protocol: single ? (frozen.definition.arms[0]?.protocol ?? null) : null,
    trial,
    verdict: verdictIn(verdict),
  };
}
