// Computes the statistics of an experiment.
import { z } from 'zod';
import { type Baselines, baselineNames } from '../../../core/baselines/baseline.ts';
import { columnTitle } from '../../../core/cases/columnNames.ts';
import { severalSettings } from '../../../core/figures/ablations.ts';
import { bothSubsets, isEverything, subsetKey } from '../../../core/figures/subset.ts';
import { probes } from '../../../core/protocols/index.ts';
import { preparationChain } from '../../../core/record/identity.ts';
import { caseCoverage } from '../../../core/statistics/caseCoverage.ts';
import type { CaseTerms } from '../../../core/statistics/measures/armMeasures.ts';
import { heldTrials } from '../../../core/statistics/measures/heldTrials.ts';
import { withIntersections } from '../../../core/statistics/measures/intersections.ts';
import { isByTruth, ofPart, withoutFinding } from '../../../core/statistics/measures/ofPart.ts';
import { statisticsReport } from '../../../core/statistics/measures/statisticsReport.ts';
import { proxiesOf } from '../../../core/statistics/proxies.ts';
import { unsettledTrials } from '../../../core/statistics/unsettledTrials.ts';
import type { Subset } from '../../../shared/api/subset.ts';
import type { AttributeProxy } from '../../../shared/changeStatistics.ts';
import type { Damage } from '../../../shared/damage.ts';
import { hasTruths } from '../../../shared/decidedBy.ts';
import { badInput } from '../../../shared/errors.ts';
import type { Experiment } from '../../../shared/experiment.ts';
import { isImported } from '../../../shared/imported.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { baselineMark } from '../../../shared/primary.ts';
import { readOnce } from '../../../shared/remembered.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import type { BadRecord } from '../audit/chain.ts';
import { damageOf, faultText, resultsFolder, withFaults } from '../audit/damage.ts';
import { collectEarly } from '../collectEarly.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import { settingsOfPair } from '../lab/armSettings.ts';
import { experimentBaselines } from '../lab/baselines.ts';
import { contaminationOfRecord } from '../lab/contamination.ts';
import { columnTermsOf, type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { looksAt, type PrimaryNow } from '../lab/looks.ts';
import { plannedFirst, raisedReplicates } from '../lab/primary.ts';
import { parseReadable } from '../store/parseChain.ts';
import type { Store } from '../store/store.ts';
import { calibrationIn } from './calibration.ts';
import { readLanguage, readTrials, speechNamesIn, type TrialReadings } from './readTrials.ts';
import { cachedStatistics } from './statisticsCache.ts';
import { trialLines } from './trialLines.ts';
import { type Condition, checkValues, subsetOf, subsetReader } from './where.ts';

export const defaultResamples = 2000;

export interface StatisticsOptions {
  /** Bootstrap resamples of the cases; 0: only values and Wilson intervals. */
  readonly resamples?: number | undefined;
  /** Seed of the resamples; the experiment's where none is given. */
  readonly seed?: number | undefined;
  /** Share of the positive label in another population, between 0 and 1, for predictive values there. */
  readonly prevalence?: number | undefined;
  /** Experiment of the same arms over other cases that sets of labels are calibrated on; absent: one half of the cases. */
  readonly calibration?: string | undefined;
  /** Arms to report, in the order of the experiment; all where none are named. */
  readonly arms?: readonly string[] | undefined;
  /** Only of these trials; a condition on arms narrows `arms`. */
  readonly subset?: Subset | undefined;
  /** The same in the words of the command line; both have to be met. */
  readonly where?: readonly Condition[] | undefined;
  /** Only counts and accuracies, for a run under way: no baselines, nothing stored, and resamples only where they are asked for. */
  readonly quick?: boolean | undefined;
  /** Folder of the reports that were made before; null: neither look nor keep. */
  readonly cache: string | null;
}

/** What is being done, and the share of it that is done, 0-1. */
export type TellStatistics = (progress: { readonly share: number; readonly what: string }) => void;

const level = 0.95;
/** Shares of the time that the parts take, roughly. */
const parts = { paths: 0.1, baselines: 0.3 } as const;

/** What the cases of an experiment are. Throws bad input for a prevalence where there is no positive label. */
export function caseTerms({ definition: { name, dataset }, arms }: FrozenExperiment, prevalence?: number): CaseTerms {
  const { labels = [], positive = null, groups } = dataset;
  const multiLabel = isMultiLabel(dataset);
  if (prevalence !== undefined && (positive === null || multiLabel)) {
    throw badInput(`experiment ${JSON.stringify(name)} names no positive label, of which a prevalence could be`, '--prevalence');
  }
  const completed = arms.some(({ protocol }) => probes.some(({ id }) => id === protocol));
  return { labels, positive, multiLabel, groups, prevalence, completed, decided_by: dataset.label?.decidedBy };
}

/** How intervals are drawn unless a request says otherwise. */
export const resamplingOf = ({ seed }: Pick<Experiment, 'seed'>, resamples = defaultResamples): Resampling => ({
  resamples,
  seed,
  level,
});

function armsOf({ arms, name }: FrozenExperiment, wanted: readonly string[] | undefined): string[] {
  const names = arms.map((arm) => arm.name);
  if (wanted === undefined) return names;
  const unknown = wanted.find((each) => !names.includes(each));
  if (unknown !== undefined) {
    throw badInput(
      `experiment ${JSON.stringify(name)} has no arm ${JSON.stringify(unknown)}; it has ${names.map((each) => JSON.stringify(each)).join(', ')}`,
      '--arms',
    );
  }
  return names.filter((each) => wanted.includes(each));
}

/** Arms that are not in the first freeze: further ones of an extension, and imported ones. */
function armsOfLater(store: Store, { name, arms }: FrozenExperiment): string[] {
  const first = new Set(store.experiments.history(name)[0]?.payload.arms.map((arm) => arm.name));
  return arms.flatMap((arm) => (first.has(arm.name) ? [] : [arm.name]));
}

/** Those that were asked, of an experiment that was not made to try again what had been seen. */
export function addedArms(store: Store, frozen: FrozenExperiment): string[] {
  if (frozen.definition.retrial !== undefined) return [];
  const asked = new Set(frozen.arms.flatMap((arm) => (isImported(arm) ? [] : [arm.name])));
  return armsOfLater(store, frozen).filter((arm) => asked.has(arm));
}

const oneShotSchema = z.object({ shots: z.literal(1) });

const withoutBaselines: Baselines = {
  baselines: [],
  missing: baselineNames.map((name) => ({ name, why: 'it is not fitted while trials are under way' })),
};

/** Of trials that are under way, whose chains are not read. */
const notRead: TrialReadings = { paths: new Map(), answers: new Map(), rounds: new Map(), votes: new Map() };

/** Role -> label that it argues for, by arm; of arms whose trials settle it themselves nothing. */
export function claimsIn(frozen: FrozenExperiment) {
  const kase = frozen.case({ id: '', facts: [], question: null, truth: null, groups: {} });
  return readOnce((name: string): Readonly<Record<string, string>> => {
    const arm = frozen.arms.find((each) => each.name === name);
    const protocol = arm === undefined || isImported(arm) ? undefined : frozen.protocol(arm);
    return protocol?.claims(kase, frozen.swapOf(name)) ?? {};
  });
}

/** The arm that answers alone, as Courtroom-LLM compares with: one classification, at best after one example of each label. */
function referenceIn(frozen: FrozenExperiment, names: readonly string[]): string | null {
  const arms = frozen.arms.filter((arm) => names.includes(arm.name) && !frozen.isVaried(arm.name));
  const single = arms.filter(({ protocol }) => protocol === 'single');
  const oneShot = single.find((arm) => oneShotSchema.safeParse(frozen.terms(arm).params).success);
  return (oneShot ?? single[0] ?? arms.find(({ protocol }) => protocol === 'standard'))?.name ?? null;
}

/** Reports a part of the work as a share of the whole, and only steps forward. */
function inSteps(tell: TellStatistics) {
  let reported = -1;
  return (from: number, to: number, what: string) => {
    let isNew = true;
    return (done: number, of: number) => {
      const share = from + (of === 0 ? 1 : done / of) * (to - from);
      if (!isNew && share - reported < 0.005 && share < 1) return;
      isNew = false;
      reported = share;
      tell({ share: Math.min(1, share), what });
    };
  };
}

function erasedCases(store: Store, { dataset, sample }: FrozenExperiment): ReadonlySet<string> {
  if (store.erasures.list().length === 0) return new Set();
  return new Set(sample().filter((id) => store.erasures.has(store.datasets.caseOfId(dataset.id, id)?.ref ?? '')));
}

type Report = Omit<StatsReport, 'store'>;

/** Cases that associations are over at most, the first of the sample. */
const mostCases = 1000;

/** What goes with each attribute that an arm exchanges, over the cases on trial. */
function proxiesIn(store: Store, frozen: FrozenExperiment): AttributeProxy[] {
  const changes = frozen.arms.map(({ name }) => frozen.changeOf(name));
  const attributes = [...new Set(changes.flatMap((change) => (change?.kind === 'attribute' ? [change.attribute] : [])))];
  if (attributes.length === 0) return [];
  const cases = frozen
    .sample()
    .slice(0, mostCases)
    .flatMap((id) => {
      const stored = store.datasets.caseOfId(frozen.dataset.id, id);
      const isThere = stored !== undefined && !store.erasures.has(stored.ref);
      return isThere ? [frozen.case(store.datasets.outline(stored.ref)).facts] : [];
    });
  return attributes.flatMap((attribute) => proxiesOf(attribute, cases, frozen.definition.seed));
}

function ofDamaged(report: Report, damage: Damage): Report {
  const [first] = damage.first;
  const sentence = `The record is damaged or was changed: ${damage.damaged} of its parts ${damage.damaged === 1 ? 'fails' : 'fail'} the check. No number here can be relied on.`;
  const rule = `The first fault: ${first === undefined ? '' : faultText(first)}. "assize verify" checks the whole record.`;
  return withoutFinding({ ...report, damage }, sentence, rule);
}

/** With the compared pair's differing settings and the looks before the end, which are in no chain nor in the kept report. */
function withPairAndLooks(store: Store, frozen: FrozenExperiment, report: Report): Report {
  const { experiment, primary } = report;
  if (primary === null || primary === undefined) return report;
  const settings = settingsOfPair(frozen, ...primary.compare);
  const differ = settings === null ? [] : severalSettings(...settings);
  const found = { ...primary, looks: looksAt(store, experiment), ...(differ.length === 0 ? {} : { differ_in: differ }) };
  return { ...report, primary: found };
}

/** What people call the group columns and their intersections now, as far as they have other names. */
function groupTitles(store: Store, frozen: FrozenExperiment): Pick<Report, 'column_titles'> {
  const { groups } = frozen.definition.dataset;
  const terms = columnTermsOf(store, frozen);
  const crossed = (names: readonly string[]) => [...names, ...withIntersections([], names).pairs];
  const titles = crossed(groups.map((column) => columnTitle(column, terms)));
  const named = crossed(groups).flatMap((column, place) => {
    const title = titles[place] ?? column;
    return title === column ? [] : [[column, title] as const];
  });
  return named.length === 0 ? {} : { column_titles: Object.fromEntries(named) };
}

/** Adds the cases that each arm has tried, and its trials that are not decided. Ids are read again for each report, since a stored one has none. */
function coverageIn(store: Store, frozen: FrozenExperiment) {
  const onTrial = frozen.sample();
  const byArm = Map.groupBy(store.trials.eachHead(frozen.name), ({ arm }) => arm);
  const imported = new Set(frozen.arms.flatMap((arm) => (isImported(arm) ? [arm.name] : [])));
  const coverageOf = readOnce((arm: string) => {
    const begun = byArm.get(arm) ?? [];
    const finished = new Set(begun.flatMap((trial) => (trial.status === 'done' ? [trial.case_id] : [])));
    const times = imported.has(arm) ? 0 : frozen.definition.replicates;
    return { cases: caseCoverage(onTrial, finished), unsettled: unsettledTrials(onTrial, times, begun) };
  });
  return (arms: Report['arms']): Report['arms'] => arms.map((arm) => ({ ...arm, ...coverageOf(arm.arm) }));
}

/** The calls of the experiment's preparation, as far as they can be read. */
function sharedCallsIn(store: Store, experiment: string): Pick<StatsReport, 'shared_calls'> {
  const chain = [...store.events.chain(preparationChain(experiment))].filter(({ kind }) => kind === 'call-answer');
  const calls = parseReadable(chain).flatMap((event) => (event.kind === 'call-answer' ? [event.payload] : []));
  const sum = (of: 'promptTokens' | 'completionTokens') => calls.reduce((total, call) => total + call[of], 0);
  if (calls.length === 0) return {};
  return {
    shared_calls: { calls: calls.length, prompt_tokens: sum('promptTokens'), completion_tokens: sum('completionTokens') },
  };
}

/** Which cases on trial have a label. An erased case has no label to look for. */
function labelsIn(store: Store, frozen: FrozenExperiment) {
  const onTrial = frozen.sample();
  const labelled = onTrial.filter((id) => {
    const ref = store.datasets.caseOfId(frozen.dataset.id, id)?.ref;
    return ref === undefined || store.erasures.has(ref) || store.datasets.outline(ref).truth !== null;
  });
  return caseCoverage(onTrial, new Set(labelled));
}

/**
 * The statistics of an experiment, arm by arm, with baselines and comparisons. Takes seconds to minutes where none are
 * stored: call it in a worker. Throws not-found for an unknown experiment, bad input for an unknown arm.
 * @param onStage called with the report while its intervals are drawn, the most wanted part first; not where it was stored
 */
export function statistics(
  store: Store,
  experiment: string,
  options: StatisticsOptions,
  tell: TellStatistics,
  onStage?: (report: StatsReport) => void,
): StatsReport {
  const frozen = loadFrozen(store, experiment);
  const { seed: ownSeed } = frozen.definition;
  const quick = options.quick ?? false;
  const resampling = {
    resamples: options.resamples ?? (quick ? 0 : defaultResamples),
    seed: options.seed ?? ownSeed,
    level,
  };
  const terms = { ...caseTerms(frozen, options.prevalence), erased: erasedCases(store, frozen) };
  const where = options.where ?? [];
  const subset = bothSubsets(options.subset, subsetOf(frozen, where));
  const arms = armsOf(frozen, options.arms).filter((arm) => subset.arms?.includes(arm) ?? true);
  const contamination = contaminationOfRecord(store, frozen);
  const titles = {
    ...(terms.decided_by === undefined ? {} : { decided_by: terms.decided_by }),
    ...groupTitles(store, frozen),
    ...(quick ? {} : speechNamesIn(store, frozen)),
  };
  /** Speeches without their hash, which only a reader of texts meets. */
  const changed: BadRecord[] = [];
  let [checked, covering]: [Damage | null, ReturnType<typeof coverageIn> | null] = [null, null];
  let labelled: ReturnType<typeof labelsIn> | null = null;
  const unlabelledIn = (report: Report): Pick<Report, 'unlabelled'> => {
    if (!hasTruths(report) || report.arms.every(({ without_truth: without }) => without === 0)) return {};
    labelled ??= labelsIn(store, frozen);
    return { unlabelled: labelled };
  };
  const whole = (report: Report): StatsReport => {
    checked ??= quick ? null : withFaults(damageOf(store, experiment), changed);
    covering ??= coverageIn(store, frozen);
    const covered = isEverything(subset)
      ? {
          ...{ ...withPairAndLooks(store, frozen, report), arms: covering(report.arms), ...unlabelledIn(report) },
          ...(quick ? {} : sharedCallsIn(store, experiment)),
        }
      : report;
    const known = contamination === null ? covered : { ...covered, contamination };
    return { ...(checked === null || checked.damaged === 0 ? known : ofDamaged(known, checked)), ...titles, store: store.path };
  };
  const make = () => {
    collectEarly(frozen.sample().length * frozen.arms.length * frozen.definition.replicates);
    const part = inSteps(tell);
    const all = heldTrials(trialLines(store, frozen));
    checkValues(where, all);
    const isIn = subsetReader(store, frozen, subset);
    const lines = all.filter((line) => arms.includes(line.arm) && isIn(line));
    const read = quick ? notRead : readTrials(store, lines, claimsIn(frozen), part(0, parts.paths, 'reading the trials'));
    const fitting = part(parts.paths, parts.baselines, 'fitting the baselines');
    const baselines =
      quick || isByTruth(subset, terms.labels)
        ? { ...withoutBaselines, missing: quick ? withoutBaselines.missing : [] }
        : experimentBaselines(store, frozen, (share) => fitting(share, 1));
    const reference = referenceIn(frozen, arms);
    // A part makes no claim, so that the size of its family does not matter.
    const others = isEverything(subset) ? all.filter((line) => !arms.includes(line.arm)) : [];
    const masked = frozen.arms.flatMap((arm) => (frozen.terms(arm).mask === undefined ? [] : [arm.name]));
    const { primary, stop = null, seed } = frozen.definition;
    const decided =
      primary === undefined || !isEverything(subset)
        ? null
        : { primary, stop, seed, later: armsOfLater(store, frozen), planned: plannedFirst(store, frozen) };
    const calibration = options.calibration === undefined ? undefined : calibrationIn(store, frozen, arms, options.calibration);
    const material = {
      calibration,
      decided,
      added: primary === undefined ? addedArms(store, frozen) : [],
      raised: raisedReplicates(store, frozen),
      experiment,
      lines,
      others,
      arms,
      masked,
      ...read,
      language: quick ? [] : readLanguage(store, frozen, lines, (fault) => changed.push(fault)),
      terms,
      baselines,
      resampling,
      reference,
    };
    const proxies = quick ? [] : proxiesIn(store, frozen);
    // Trials say what their arm is of another one; a filter can leave none.
    const standing = (arm: Report['arms'][number]) =>
      arm.planned > 0 ? arm : { ...arm, swap: frozen.swapOf(arm.arm), base_arm: frozen.baseOf(arm.arm) };
    const finished = (made: Report) => {
      const report = { ...made, arms: made.arms.map(standing), ...(proxies.length === 0 ? {} : { proxies }) };
      return isEverything(subset) ? report : ofPart(report, subset, { trials: lines.length, of: all.length });
    };
    const progress = (share: number, what: string) => part(parts.baselines, 1, what)(share, 1);
    return finished(statisticsReport(material, progress, onStage && ((report) => onStage(whole(finished(report))))));
  };
  const report = quick
    ? make()
    : cachedStatistics(
        {
          store,
          frozen,
          arms,
          resampling,
          subset: subsetKey(subset),
          prevalence: options.prevalence,
          folder: options.calibration === undefined ? resultsFolder(store, experiment, options.cache) : null,
        },
        make,
        () => changed.length === 0,
      );
  return whole(report);
}

/** How the primary comparison of all trials is now; null where none was decided beforehand. Throws not-found. */
export function primaryNow(store: Store, experiment: string): PrimaryNow | null {
  const decided = loadFrozen(store, experiment).definition.primary;
  if (decided === undefined) return null;
  const found = (options: Pick<StatisticsOptions, 'quick' | 'resamples'>): PrimaryNow => {
    const { primary, arms } = statistics(store, experiment, { ...options, cache: null }, () => undefined);
    return { primary, arms };
  };
  const quick = found({ quick: true });
  // Without baselines it is not known how many cases both have.
  const isKnown = quick.primary?.final === true || !decided.compare.some((name) => name.startsWith(baselineMark));
  return isKnown ? quick : found({ resamples: 0 });
}
