// Queries: what the figures of deliberation, and those of single protocols, are drawn from.

import { z } from 'zod';
import { deliberationFigures } from '../../../core/figures/deliberation.ts';
import type { EndedTrial } from '../../../core/figures/endedTrials.ts';
import { type TracedTrial, tracesOver } from '../../../core/figures/traces.ts';
import { decidedTrial } from '../../../core/trajectory/decidedTrial.ts';
import { tracesOf } from '../../../core/trajectory/traces.ts';
import { type DeliberationFigures, deliberationFiguresSchema } from '../../../shared/api/deliberation.ts';
import { type Panel, type ProtocolFigures, panelSchema, protocolFiguresSchema } from '../../../shared/api/protocolFigures.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { subtopicsSchema } from '../../../shared/moderation.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { resultsFolder } from '../audit/damage.ts';
import { settingsOf } from '../lab/armSettings.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { cachedOr } from '../report/resultCache.ts';
import { caseTerms, claimsIn, resamplingOf } from '../report/statistics.ts';
import { figuresKey } from '../report/statisticsCache.ts';
import { trialLines } from '../report/trialLines.ts';
import { subsetReader } from '../report/where.ts';
import type { Store } from '../store/store.ts';
import type { FiguresInput, Query, TellProgress } from './query.ts';
import { textOf } from './trial.ts';

/** Share of the time that reading takes, roughly. */
const reading = 0.8;

function inSteps(tell: TellProgress) {
  let reported = 0;
  return (share: number, what: string) => {
    if (share - reported < 0.01) return;
    reported = share;
    tell({ share: Math.min(1, share), what });
  };
}

/** What is kept: trials under their hashes, without the ids of their cases, which stand in the data set and go with it. */
const keptDeliberationSchema = deliberationFiguresSchema.omit({ cases: true });

function casesOf(store: Store, { trial, case: places }: DeliberationFigures['rows']): string[] {
  const cases: string[] = [];
  places.forEach((place, row) => {
    cases[place] ??= store.trials.get(trial[row] ?? '')?.case_id ?? '';
  });
  return cases;
}

function deliberationOf(
  store: Store,
  frozen: FrozenExperiment,
  subset: Subset | undefined,
  tell: TellProgress,
): DeliberationFigures {
  const { labels, positive, multiLabel } = caseTerms(frozen);
  const claimsOf = claimsIn(frozen);
  const report = inSteps(tell);
  /** Arms with something exchanged or changed would count each case again: they are in where they are asked for by name. */
  const isInArms = (arm: string) => !frozen.isVaried(arm) || subset?.arms?.includes(arm) === true;
  const isInSubset = subsetReader(store, frozen, subset);
  const ended = [...trialLines(store, frozen)].filter((line) => line.status === 'done' && isInArms(line.arm) && isInSubset(line));
  const trials = ended.map((line, index): EndedTrial => {
    report((reading * index) / ended.length, 'reading the trials');
    if (line.outcome !== 'decided') return { line, decided: null };
    return { line, decided: decidedTrial(store.trajectories.of(line.trial), claimsOf(line.arm), positive) };
  });
  const terms = {
    arms: frozen.arms.filter(({ name }) => isInArms(name)).map(({ name, protocol }) => ({ name, protocol })),
    labels,
    positive,
    multiLabel,
  };
  report(reading, 'intervals');
  return deliberationFigures(trials, terms, resamplingOf(frozen.definition));
}

/** What the figures about deliberation are drawn from. Reads every trial: seconds for ten thousand of them, where nothing is kept. */
export const deliberation: Query<FiguresInput, DeliberationFigures> = {
  run(store, { experiment, subset, cache = null }, tell) {
    const frozen = loadFrozen(store, experiment);
    const keyOf = () => figuresKey(store, 'deliberation', experiment, subset);
    const kept = cachedOr({ folder: resultsFolder(store, experiment, cache), keyOf, schema: keptDeliberationSchema }, () => {
      const { cases: _cases, ...rest } = deliberationOf(store, frozen, subset, tell);
      return rest;
    });
    return { ...kept, cases: casesOf(store, kept.rows) };
  },
};

/** Trials of an arm whose values are listed one by one; means are over all. */
const mostListed = 1000;
const mostPanels = 1000;
/** Protocols whose trials have steps to follow: those of others are not read. */
const followed = new Set(['evince', 'socrasynth', 'debate-feedback']);

/** What is kept of a panel: neither its case nor what was written about it, which can be erased from the record. */
const cachedPanelSchema = panelSchema.omit({ case: true, subtopics: true });
type CachedPanel = z.infer<typeof cachedPanelSchema>;
const keptProtocolsSchema = protocolFiguresSchema.extend({ panels: z.array(cachedPanelSchema) });
type CachedFigures = z.infer<typeof keptProtocolsSchema>;

function grouped<T extends { trials: string[] }>(into: Map<string, T>, about: Omit<T, 'trials'>, trial: string): void {
  const key = JSON.stringify(about);
  const found = into.get(key) ?? ({ ...about, trials: [] } as unknown as T);
  found.trials.push(trial);
  into.set(key, found);
}

function readTrials(store: Store, lines: readonly TrialLine[], labels: readonly string[], onRead: (done: number) => void) {
  const ends = new Map<string, ProtocolFigures['ends'][number]>();
  const settlements = new Map<string, ProtocolFigures['settlements'][number]>();
  const traced = new Map<string, TracedTrial[]>();
  const panels: CachedPanel[] = [];
  let panelled = 0;
  lines.forEach(({ trial, arm, protocol, case: id, truth }, index) => {
    const trajectory = store.trajectories.of(trial);
    const { end, rounds, sheets } = trajectory;
    const ofArm = traced.get(arm) ?? [];
    ofArm.push({ trial, case: id, traces: tracesOf(trajectory, truth, labels) });
    traced.set(arm, ofArm);
    if (end !== null) grouped(ends, { arm, protocol, ...end }, trial);
    for (const { round, result } of rounds) grouped(settlements, { arm, round, result }, trial);
    if (sheets.length > 0) {
      panelled += 1;
      if (panels.length < mostPanels) panels.push({ trial, arm, sheets });
    }
    onRead(index + 1);
  });
  return { ends: [...ends.values()], settlements: [...settlements.values()], traced, panels, panelled };
}

/** Titles of the subtopics of a trial's last attempt; null where there are none, or they were erased. */
function titlesOf(store: Store, trial: string): string[] | null {
  const ref = store.trajectories.of(trial).subtopics;
  const text = ref === null ? null : textOf(store)(ref);
  return text === null ? null : subtopicsSchema.parse(JSON.parse(text)).map(({ title }) => title);
}

const wholePanel = (store: Store, { trial, arm, sheets }: CachedPanel): Panel => ({
  trial,
  arm,
  case: store.trials.get(trial)?.case_id ?? '',
  subtopics: titlesOf(store, trial),
  sheets,
});

function protocolsOf(store: Store, frozen: FrozenExperiment, subset: Subset | undefined, tell: TellProgress): CachedFigures {
  const isIn = subsetReader(store, frozen, subset);
  const finished = [...trialLines(store, frozen)].filter((line) => line.status === 'done' && isIn(line));
  const read = finished.filter(({ protocol }) => followed.has(protocol));
  const report = (share: number, what: string) => tell({ share, what });
  const { traced, ...figures } = readTrials(store, read, frozen.definition.dataset.labels ?? [], (done) => {
    if (done % 100 === 0) report((0.5 * done) / read.length, 'reading the trials');
  });
  const traces = [...traced].flatMap(([arm, trials], index) => {
    report(0.5 + (0.5 * index) / traced.size, 'drawing intervals');
    return tracesOver(arm, trials, mostListed, resamplingOf(frozen.definition));
  });
  return {
    trials: finished.length,
    // An arm with a declared change is another one with the same settings.
    arms: settingsOf(frozen).filter(({ arm }) => frozen.changeOf(arm) === undefined),
    listed: Object.fromEntries([...traced].map(([arm, trials]) => [arm, trials.slice(0, mostListed).map(({ trial }) => trial)])),
    traces,
    ...figures,
  };
}

/** What the figures of single protocols are drawn from. Reads the trials of these protocols, where nothing is kept. */
export const protocolFigures: Query<FiguresInput, ProtocolFigures> = {
  run(store, { experiment, subset, cache = null }, tell) {
    const frozen = loadFrozen(store, experiment);
    const keyOf = () => figuresKey(store, 'protocol-figures', experiment, subset);
    const kept = cachedOr({ folder: resultsFolder(store, experiment, cache), keyOf, schema: keptProtocolsSchema }, () =>
      protocolsOf(store, frozen, subset, tell),
    );
    return { ...kept, panels: kept.panels.map((panel) => wholePanel(store, panel)) };
  },
};
