// Query: the data of the figures of deliberation.
import { deliberationFigures } from '../../../core/figures/deliberation.ts';
import type { EndedTrial } from '../../../core/figures/endedTrials.ts';
import { decidedTrial } from '../../../core/trajectory/decidedTrial.ts';
import { type DeliberationFigures, deliberationFiguresSchema } from '../../../shared/api/deliberation.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { cachedOr } from '../report/resultCache.ts';
import { caseTerms, claimsIn, resamplingOf } from '../report/statistics.ts';
import { cacheFor, figuresKey } from '../report/statisticsCache.ts';
import { trialLines } from '../report/trialLines.ts';
import { subsetReader } from '../report/where.ts';
import type { Store } from '../store/store.ts';
import type { FiguresInput, Query, TellProgress } from './query.ts';

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
const keptSchema = deliberationFiguresSchema.omit({ cases: true });

function casesOf(store: Store, { trial, case: places }: DeliberationFigures['rows']): string[] {
  const cases: string[] = [];
  places.forEach((place, row) => {
    cases[place] ??= store.trials.get(trial[row] ?? '')?.case_id ?? '';
  });
  return cases;
}

function figuresOf(store: Store, frozen: FrozenExperiment, subset: Subset | undefined, tell: TellProgress): DeliberationFigures {
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
    const kept = cachedOr({ folder: cacheFor(store, cache), keyOf, schema: keptSchema }, () => {
      const { cases: _cases, ...rest } = figuresOf(store, frozen, subset, tell);
      return rest;
    });
    return { ...kept, cases: casesOf(store, kept.rows) };
  },
};
