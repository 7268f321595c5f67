// Differences of every measure between two, over the cases that both have it of.
import { readOnce } from '../../../shared/remembered.ts';
import type { Comparison, Measure, Resampling } from '../../../shared/statistics.ts';
import { type CaseStatistic, valueOfAll } from '../caseStatistic.ts';
import { accuracyMeasures, decidedRightly } from './accuracyMeasures.ts';
import type { CaseTerms } from './armMeasures.ts';
import { beliefMeasures, lossReader } from './beliefMeasures.ts';
import { cautionOf } from './cautions.ts';
import { drawnDifferences, type Estimate, missingEstimate } from './estimates.ts';
import { macroF1Measure, mostLabels } from './labelMeasures.ts';
import type { PlannedMeasure } from './planned.ts';
import { type CasedTrials, casedTrials, type MeasuredTrial } from './trials.ts';

type Terms = Pick<CaseTerms, 'labels' | 'multiLabel'>;
export type Difference = Comparison['differences'][number];

export interface Quality {
  readonly name: string;
  readonly over: Measure['over'];
  readonly trials: CasedTrials;
  plan(trials: CasedTrials): PlannedMeasure | undefined;
}

const beliefNames = ['brier', 'log_loss', 'area_under_curve', 'miscalibration'] as const;

/** What two can be compared in: accuracy of all first, then macro-F1, Brier score, log loss, area under the curve and miscalibration. */
export function qualitiesOf(trials: readonly MeasuredTrial[], { labels, multiLabel }: Terms): Quality[] {
  const beliefs = readOnce((cased: CasedTrials) => beliefMeasures(cased, labels, null, multiLabel));
  const casesOf = sharedCases();
  const accuracy: Quality = {
    name: 'accuracy',
    over: 'all',
    trials: casesOf(trials.filter(({ truth }) => truth !== null)),
    plan: (cased) => accuracyMeasures(cased)[0],
  };
  if (labels.length === 0) return [accuracy];
  const decided = casesOf(trials.filter((trial) => decidedRightly(trial) !== null));
  const macroF1: Quality = { name: 'macro_f1', over: 'decided', trials: decided, plan: (cased) => macroF1Measure(cased, labels) };
  const believed = casesOf(believedTrials(trials, { labels, multiLabel }));
  return [
    accuracy,
    ...(labels.length > mostLabels ? [] : [macroF1]),
    ...beliefNames
      .filter((name) => !multiLabel || name === 'brier')
      .map(
        (wanted): Quality => ({
          name: wanted,
          over: 'believed',
          trials: believed,
          plan: (cased) => beliefs(cased).find(({ name }) => name === wanted),
        }),
      ),
  ];
}

/** A function by itself, so that what it reads is not held with what is planned. */
function believedTrials(trials: readonly MeasuredTrial[], { labels, multiLabel }: Terms): MeasuredTrial[] {
  const lossOf = lossReader(labels, multiLabel);
  return trials.filter((trial) => lossOf(trial) !== null);
}

/** The cases of some of the same trials: one object for those that are as many, each a part of the one before. */
function sharedCases(): (trials: readonly MeasuredTrial[]) => CasedTrials {
  let last: CasedTrials = casedTrials([]);
  return (trials) => {
    if (last.trials.length !== trials.length) last = casedTrials(trials);
    return last;
  };
}

export function trialsOf(all: CasedTrials, wanted: readonly string[]): CasedTrials {
  const { cases, trials, caseOf } = all;
  if (trials.length === wanted.length && trials.every((trial, place) => trial.case === wanted[place])) return all;
  const places = new Map(wanted.map((id, place) => [id, place]));
  const placeOf = Array.from(cases, (id) => places.get(id) ?? -1);
  const kept = [...trials.keys()].filter((index) => placeOf[caseOf[index] ?? 0] !== -1);
  const place = (index: number) => placeOf[caseOf[index] ?? 0] ?? 0;
  return casedTrials(kept.toSorted((one, other) => place(one) - place(other)).flatMap((index) => trials[index] ?? []));
}

/** The cases that two lists have in common, in the order of the first: each list kept once however many pairs share it. */
function casesInCommon() {
  const byText = new Map<string, readonly string[]>();
  const kept = (ids: readonly string[]) => {
    const text = JSON.stringify(ids);
    const found = byText.get(text) ?? ids;
    byText.set(text, found);
    return found;
  };
  const among = (first: readonly string[], second: readonly string[]) => {
    const there = new Set(second);
    return kept(first.filter((id) => there.has(id)));
  };
  const common = readOnce((first: readonly string[]) =>
    readOnce((second: readonly string[]) => (first === second ? first : among(first, second))),
  );
  return { kept, common: (first: readonly string[], second: readonly string[]) => common(first)(second) };
}

interface Wanted extends Pick<Quality, 'name' | 'over'> {
  readonly pair: number;
  readonly cases: readonly string[];
}

interface Planned extends Wanted {
  readonly a: PlannedMeasure;
  readonly b: PlannedMeasure;
}

/** Measures over some cases; each made once, so that all pairs over the same cases share it. */
function plansOf(qualities: readonly Quality[], wanted: readonly Wanted[]) {
  const trialsIn = readOnce((trials: CasedTrials) => readOnce((cases: readonly string[]) => trialsOf(trials, cases)));
  return new Map(
    qualities.map(({ name, trials, plan }) => {
      const sets = new Set(wanted.flatMap((each) => (each.name === name ? [each.cases] : [])));
      return [name, new Map([...sets].map((cases) => [cases, plan(trialsIn(trials)(cases)) ?? null]))];
    }),
  );
}

/** A function by itself, and one after the other: no more trials are held than those of one, and none with what is planned. */
function plannedPairs<Each>(pairs: readonly (readonly [Each, Each])[], read: (each: Each) => readonly Quality[]): Planned[] {
  const { kept, common } = casesInCommon();
  const all = [...new Set(pairs.flat())];
  const had = new Map(
    all.map((each) => [each, read(each).map(({ name, over, trials }) => ({ name, over, cases: kept(trials.cases) }))]),
  );
  const wanted = pairs.flatMap(([a, b], pair) =>
    (had.get(a) ?? []).flatMap(({ name, over, cases: own }): Wanted[] => {
      const other = had.get(b)?.find((each) => each.name === name);
      const cases = other === undefined ? [] : common(own, other.cases);
      return cases.length === 0 ? [] : [{ pair, name, over, cases }];
    }),
  );
  const wantedOf = (each: Each) => wanted.filter(({ pair }) => pairs[pair]?.includes(each));
  const plans = new Map(all.map((each) => [each, plansOf(read(each), wantedOf(each))]));
  const planOf = (each: Each | undefined, { name, cases }: Wanted) =>
    each === undefined ? null : (plans.get(each)?.get(name)?.get(cases) ?? null);
  return wanted.flatMap((each): Planned[] => {
    const [one, against] = [planOf(pairs[each.pair]?.[0], each), planOf(pairs[each.pair]?.[1], each)];
    return one === null || against === null ? [] : [{ ...each, a: one, b: against }];
  });
}

/**
 * Differences of measures between pairs, a less b, each over the cases of which both have it: BCa intervals by resampling these
 * cases, each with all its trials, and both measures computed again in each resample.
 * @param qualitiesOf what one of two can be compared in; asked for twice
 */
export function pairedDifferences<Each>(
  pairs: readonly (readonly [Each, Each])[],
  qualitiesOf: (each: Each) => readonly Quality[],
  resampling: Resampling,
  none: string,
): Difference[][] {
  const all = plannedPairs(pairs, qualitiesOf);
  const estimated = new Map<Planned, Estimate>();
  for (const some of Map.groupBy(all, ({ cases }) => cases).values()) {
    const statistics = [...new Set(some.flatMap(({ a, b }) => [a.statistic, b.statistic]))].filter((each) => each !== null);
    const places = new Map<CaseStatistic | null, number>(statistics.map((statistic, place) => [statistic, place]));
    const drawn = some.flatMap((each) => {
      const [one, other] = [places.get(each.a.statistic), places.get(each.b.statistic)];
      return one === undefined || other === undefined ? [] : [{ each, places: [one, other] as const }];
    });
    const estimates = drawnDifferences(
      statistics,
      drawn.map((each) => each.places),
      resampling,
    );
    for (const [place, { each }] of drawn.entries()) {
      estimated.set(each, estimates[place] ?? missingEstimate(resampling.level, none));
    }
  }
  const byPair = Map.groupBy(all, ({ pair }) => pair);
  return pairs.map((_, pair) =>
    (byPair.get(pair) ?? []).flatMap((each): Difference[] => {
      const estimate = estimated.get(each);
      if (estimate === undefined) return [];
      const value = ({ statistic }: PlannedMeasure) => (statistic === null ? null : valueOfAll(statistic));
      const about = { name: each.name, over: each.over, cases: each.cases.length };
      const caution = cautionOf('difference', { ...estimate, ...about, n: each.a.n });
      return [{ ...about, a: value(each.a), b: value(each.b), ...estimate, ...caution }];
    }),
  );
}
