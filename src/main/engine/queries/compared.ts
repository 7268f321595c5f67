// Queries: parts of the statistics that depend on what somebody chooses. One arm against another or a baseline, with the cases side
// by side; what a changed setting did; pairs of trials whose verdicts differ; verdicts at another prevalence; calibrated sets of labels.
import { isSameSet } from '../../../core/beliefs/independentBelief.ts';
import { shownFacts } from '../../../core/cases/columnNames.ts';
import { holdsId } from '../../../core/cases/heldIds.ts';
import { differingIn } from '../../../core/figures/ablations.ts';
import { baselineLines, baselineTitle } from '../../../core/statistics/measures/baselineLines.ts';
import { changeMeasures } from '../../../core/statistics/measures/changeMeasures.ts';
import { undecided } from '../../../core/statistics/measures/chosenByTruth.ts';
import { caseStandings, comparisonsOf, contender } from '../../../core/statistics/measures/comparisons.ts';
import { plannedExcess } from '../../../core/statistics/measures/declaredChanges.ts';
import { plannedConformal } from '../../../core/statistics/measures/decliningMeasures.ts';
import { estimates } from '../../../core/statistics/measures/estimates.ts';
import { isByTruth, unadjusted } from '../../../core/statistics/measures/ofPart.ts';
import { paperStyle } from '../../../core/statistics/measures/paperStyle.ts';
import { prevalenceMeasures } from '../../../core/statistics/measures/prevalenceMeasures.ts';
import { measured } from '../../../core/statistics/measures/statisticsReport.ts';
import {
  isFlipped,
  pairStatistics,
  replicatePairsOfBoth,
  type SwapPair,
  swapPairs,
} from '../../../core/statistics/measures/swapMeasures.ts';
import { casedTrials } from '../../../core/statistics/measures/trials.ts';
import { sharedMisses } from '../../../core/telling/sharedMisses.ts';
import type {
  Changed,
  ChangedQuery,
  Compared,
  ComparedQuery,
  ComparedVerdict,
  FlippedPairs,
  FlippedQuery,
  Standing,
} from '../../../shared/api/compared.ts';
import type {
  AtPrevalence,
  Calibrated,
  CalibratedQuery,
  CalibrationChoice,
  PrevalenceQuery,
} from '../../../shared/api/statistics.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import type { DatasetCase } from '../../../shared/domain.ts';
import { badInput } from '../../../shared/errors.ts';
import { readOnce } from '../../../shared/remembered.ts';
import { isVaried, type TrialLine } from '../../../shared/trialLine.ts';
import { settingsOfPair } from '../lab/armSettings.ts';
import { experimentBaselines } from '../lab/baselines.ts';
import { columnTermsOf, type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { calibrationIn, sharedArms, whyUnfit } from '../report/calibration.ts';
import { caseTerms, resamplingOf } from '../report/statistics.ts';
import { trialLines } from '../report/trialLines.ts';
import { subsetReader } from '../report/where.ts';
import type { Store } from '../store/store.ts';
import type { Query } from './query.ts';

/** The finished trials (or a part) of an arm and of another arm or baseline, by case. Throws bad input for an unknown name. */
function contendersOf(
  store: Store,
  frozen: FrozenExperiment,
  { a, b, baseline, subset }: { a: string; b: string; baseline: boolean; subset?: Subset | undefined },
) {
  const arms = frozen.arms.map(({ name }) => name);
  const lines = [...trialLines(store, frozen)];
  const linesOf = (name: string, field: string): TrialLine[] => {
    if (!arms.includes(name)) throw badInput(`the experiment has no arm ${JSON.stringify(name)}`, field);
    return lines.filter(({ arm, status }) => arm === name && status === 'done');
  };
  const linesOfBaseline = (): TrialLine[] => {
    const found = experimentBaselines(store, frozen).baselines.find(({ name }) => baselineTitle(name, arms) === b);
    if (found === undefined) throw badInput(`the experiment has no baseline ${JSON.stringify(b)}`, 'b');
    return [...baselineLines(found, lines)];
  };
  const terms = caseTerms(frozen);
  // A baseline has no trial, and an answer to every case: conditions on trials apply only to the arms, as in the report.
  const { groups, truths, paired } = subset ?? {};
  const ofBaseline: Subset = { groups, truths, paired };
  const contending = (name: string, isBaseline: boolean, all: readonly TrialLine[]) => {
    const some = all.filter(subsetReader(store, frozen, isBaseline ? ofBaseline : subset));
    const trials = measured(some, new Map());
    return { lines: some, trials, contender: contender(name, isBaseline, () => trials, terms) };
  };
  return {
    a: contending(a, false, linesOf(a, 'a')),
    b: contending(b, baseline, baseline ? linesOfBaseline() : linesOf(b, 'b')),
  };
}

function verdictOf({ trial, ...line }: TrialLine): ComparedVerdict {
  const { replicate, outcome, prediction, confidence, belief_source, correct } = line;
  return { trial: trial === '' ? null : trial, replicate, outcome, prediction, confidence, belief_source, correct };
}

/** Two trials of a case to read side by side: of the first replicate in which the verdicts differ, else of the first that both have. */
export function besideOf(a: readonly TrialLine[], b: readonly TrialLine[]): readonly [string, string] | null {
  const pairs = a.flatMap((one) =>
    b.filter(({ replicate }) => replicate === one.replicate).map((other) => [one, other] as const),
  );
  const labelsOf = ({ prediction }: TrialLine) => [prediction ?? []].flat();
  const isAlike = (left: TrialLine, right: TrialLine) =>
    left.outcome === right.outcome &&
    (left.prediction === null) === (right.prediction === null) &&
    isSameSet(labelsOf(left), labelsOf(right));
  const [one, other] = pairs.find(([left, right]) => !isAlike(left, right)) ?? pairs[0] ?? [a[0], b[0]];
  return one === undefined || other === undefined || one.trial === '' || other.trial === '' ? null : [one.trial, other.trial];
}

/** Cases by their ids; null for one that the record no longer lists. */
const caseReader = (store: Store, { dataset }: FrozenExperiment) =>
  readOnce((id: string): DatasetCase | null => {
    const stored = store.datasets.caseOfId(dataset.id, id);
    return stored === undefined ? null : store.datasets.outline(stored.ref);
  });

function decidedByOf({ definition: { dataset } }: FrozenExperiment) {
  return dataset.label?.decidedBy === undefined ? {} : { decided_by: dataset.label.decidedBy };
}

function countsOf(all: readonly Standing[]): Compared['counts'] {
  const counts = { a_only: 0, b_only: 0, both_right: 0, both_wrong: 0, equally: 0 };
  for (const standing of all) counts[standing] += 1;
  return counts;
}

/** Whether a text occurs in the id or the facts of a case, in upper or lower case. */
function holds(id: string, kase: DatasetCase | null, text: string): boolean {
  const wanted = text.toLowerCase();
  return holdsId(id, text) || (kase?.facts ?? []).some(({ value }) => value.toLowerCase().includes(wanted));
}

/** An arm against another or a baseline: the comparison, and the cases side by side. */
export const compared: Query<ComparedQuery, Compared> = {
  run(store, { experiment, standings: wanted, search = '', group, resampled, facts, offset, limit, ...pair }) {
    if (pair.a === pair.b) throw badInput('an arm cannot be compared with itself; choose another one', 'b');
    const frozen = loadFrozen(store, experiment);
    const { dataset, seed } = frozen.definition;
    const { a, b } = contendersOf(store, frozen, pair);
    const sampling = resamplingOf(frozen.definition, resampled ? undefined : 0);
    const [comparison] = comparisonsOf([a.contender, b.contender], sampling).comparisons;
    if (comparison === undefined) throw new Error('two contenders make one pair');
    const all = caseStandings(a.contender, b.contender);
    const caseOf = caseReader(store, frozen);
    const [ofA, ofB] = [Map.groupBy(a.lines, (line) => line.case), Map.groupBy(b.lines, (line) => line.case)];
    const groupsOf = (id: string) => ofA.get(id)?.[0]?.groups ?? {};
    const fitting = all.filter(
      ({ case: id, standing }) =>
        (wanted === undefined || wanted.includes(standing)) &&
        (group === undefined || groupsOf(id)[group.column] === group.value) &&
        (search === '' || holds(id, caseOf(id), search)),
    );
    const columns = columnTermsOf(store, frozen);
    const factsOf = (id: string) => {
      const kase = caseOf(id);
      return kase === null ? null : shownFacts(kase.facts, columns);
    };
    const ids = all.map(({ case: id }) => id);
    const isChosen = isByTruth(pair.subset ?? {}, dataset.labels ?? []);
    const differences = isChosen ? undecided(comparison.differences) : comparison.differences;
    return {
      comparison: { ...unadjusted(comparison), differences },
      counts: countsOf(all.map(({ standing }) => standing)),
      mostly: {
        a: all.filter(({ mostly }) => mostly === 'a').length,
        b: all.filter(({ mostly }) => mostly === 'b').length,
      },
      misses: sharedMisses(a.lines, b.lines, caseTerms(frozen)),
      replicated: [...ofA.values(), ...ofB.values()].some((tried) => tried.length > 1),
      ...decidedByOf(frozen),
      paper_style: (resampled ? paperStyle(a.trials, b.trials, ids, caseTerms(frozen), seed) : []).filter(
        ({ measure }) => !isChosen || measure === 'accuracy',
      ),
      groups: Object.fromEntries(
        dataset.groups.map((column) => [column, [...new Set(ids.flatMap((id) => groupsOf(id)[column] ?? []))].sort()]),
      ),
      total: fitting.length,
      offset,
      cases: fitting.slice(offset, offset + limit).map(({ case: id, standing }) => ({
        case: id,
        standing,
        truth: ofA.get(id)?.[0]?.truth ?? null,
        groups: groupsOf(id),
        facts: facts ? factsOf(id) : null,
        a: (ofA.get(id) ?? []).map(verdictOf),
        b: (ofB.get(id) ?? []).map(verdictOf),
        beside: besideOf(ofA.get(id) ?? [], ofB.get(id) ?? []),
      })),
    };
  },
};

/** What became right and wrong from the base to the other, over pairs with a known truth. */
export function turnedIn(pairs: readonly SwapPair<TrialLine>[]): Changed['turned'] {
  const known = pairs.filter(({ base }) => base.truth !== null);
  const only = (one: 'base' | 'swapped', other: 'base' | 'swapped') =>
    known.filter((pair) => pair[one].correct === true && pair[other].correct !== true);
  const [right, wrong] = [only('swapped', 'base'), only('base', 'swapped')];
  const undecided = [...right, ...wrong].filter(({ base, swapped }) => base.prediction === null || swapped.prediction === null);
  return { right: right.length, wrong: wrong.length, undecided: undecided.length, of: known.length };
}

/** Over pairs of trials: verdicts, calibration, failures and tokens. */
export const changed: Query<ChangedQuery, Changed> = {
  run(store, { experiment, ...pair }) {
    const frozen = loadFrozen(store, experiment);
    const { a, b } = contendersOf(store, frozen, { ...pair, baseline: false });
    const [terms, resampling] = [caseTerms(frozen), resamplingOf(frozen.definition)];
    const [of, against] = [measured(a.lines, new Map()), measured(b.lines, new Map())];
    const alike = replicatePairsOfBoth(against, of);
    const flips = pairStatistics(against, of, terms, resampling, (pairs) => [plannedExcess(pairs, alike)], alike);
    const every = changeMeasures(of, against, terms, resampling);
    const measures = isByTruth(pair.subset ?? {}, terms.labels) ? undecided(every) : every;
    const settings = settingsOfPair(frozen, pair.a, pair.b);
    const turned = turnedIn(swapPairs(b.lines, a.lines));
    return { settings: settings === null ? [] : differingIn(...settings), flips, turned, measures };
  },
};

const pairedVerdict = ({ trial, prediction, confidence, belief_source, correct }: TrialLine) => ({
  trial,
  prediction,
  confidence,
  belief_source,
  correct,
});

const mostPairs = 500;

/** The pairs of trials of two arms whose verdicts differ, or all of them. */
export const flipped: Query<FlippedQuery, FlippedPairs> = {
  run(store, { experiment, base: from, swapped: to, subset, all = false }) {
    const frozen = loadFrozen(store, experiment);
    const { a, b } = contendersOf(store, frozen, { a: to, b: from, baseline: false, subset });
    const pairs = swapPairs(b.lines, a.lines).filter((pair) => all || isFlipped(pair) === true);
    return {
      total: pairs.length,
      replicates: frozen.definition.replicates,
      ...decidedByOf(frozen),
      pairs: pairs.slice(0, mostPairs).map(({ case: id, replicate, base, swapped }) => ({
        case: id,
        replicate,
        base: pairedVerdict(base),
        swapped: pairedVerdict(swapped),
      })),
    };
  },
};

/** The same numbers as `at_prevalence` of a report, without the rest of it. */
export const atPrevalence: Query<PrevalenceQuery, AtPrevalence> = {
  run(store, { experiment, prevalence, subset }) {
    const frozen = loadFrozen(store, experiment);
    const { positive } = caseTerms(frozen, prevalence);
    const isIn = subsetReader(store, frozen, subset);
    const lines = [...trialLines(store, frozen)].filter(isIn);
    const byArm = Map.groupBy(
      lines.filter((line) => !isVaried(line)),
      ({ arm }) => arm,
    );
    const { baselines } = experimentBaselines(store, frozen);
    const names = frozen.arms.map(({ name }) => name);
    const fitted = baselines.map(
      (baseline) => [baselineTitle(baseline.name, names), [...baselineLines(baseline, lines)]] as const,
    );
    const resampling = resamplingOf(frozen.definition);
    return [...byArm, ...fitted].map(([arm, lines]) => {
      const planned = prevalenceMeasures(casedTrials(measured(lines, new Map())), positive ?? '', prevalence);
      return { arm, measures: estimates(planned, resampling) };
    });
  },
};

const armsOf = (frozen: FrozenExperiment) => frozen.arms.flatMap(({ name }) => (frozen.isVaried(name) ? [] : [name]));

/** Experiments with the same labels and an arm of the same name, and why one of them does not fit. */
export const calibrationChoices: Query<{ experiment: string }, CalibrationChoice[]> = {
  run(store, { experiment }) {
    const frozen = loadFrozen(store, experiment);
    return store.experiments.names().flatMap((name) => {
      if (name === experiment) return [];
      const other = loadFrozen(store, name);
      const arms = sharedArms(frozen, other, armsOf(frozen));
      return arms.length === 0
        ? []
        : [{ experiment: name, cases: other.sample().length, why: whyUnfit(store, frozen, other, arms) }];
    });
  },
};

/** The same sets as those of `stats --calibration`, of the arms that both experiments have. */
export const calibrated: Query<CalibratedQuery, Calibrated> = {
  run(store, { experiment, calibration, subset }) {
    const frozen = loadFrozen(store, experiment);
    const names = armsOf(frozen);
    const shared = sharedArms(frozen, loadFrozen(store, calibration), names);
    const elsewhere = Map.groupBy(calibrationIn(store, frozen, shared, calibration).lines, ({ arm }) => arm);
    const isIn = subsetReader(store, frozen, subset);
    const byArm = Map.groupBy([...trialLines(store, frozen)].filter(isIn), ({ arm }) => arm);
    const { labels } = caseTerms(frozen);
    const resampling = resamplingOf(frozen.definition);
    return {
      arms: shared.flatMap((arm) => {
        const trialsOf = (lines: typeof byArm) => measured(lines.get(arm) ?? [], new Map());
        const source = { experiment: calibration, trials: trialsOf(elsewhere) };
        const planned = plannedConformal(casedTrials(trialsOf(byArm)), labels, source);
        if (planned === undefined) return [];
        const { about, measures } = planned;
        return [{ arm, conformal: about, measures: estimates(measures, resampling) }];
      }),
      missing: names.filter((name) => !shared.includes(name)),
    };
  },
};
