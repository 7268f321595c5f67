import { isImported } from '../../../shared/imported.ts';
import type { ArmStatistics, BaselineStatistics, StatsReport } from '../../../shared/outputs.ts';
import { baselineMark } from '../../../shared/primary.ts';
import type { AnswerCounts, Measure, Resampling } from '../../../shared/statistics.ts';
import { isVaried } from '../../../shared/trialLine.ts';
import { type Baseline, type Baselines, drawnBaseline } from '../../baselines/baseline.ts';
import { ownProbabilities } from '../../imported/ownProbability.ts';
import type { VerdictPath } from '../../trajectory/verdictPath.ts';
import { armStatistics } from '../armStatistics.ts';
import { truthByStep } from '../truthByStep.ts';
import { accuracyMeasures } from './accuracyMeasures.ts';
import { ambiguityStatistics } from './ambiguity.ts';
import { armMeasures, type CaseTerms, planArm } from './armMeasures.ts';
import { baselineLines, baselineTitle } from './baselineLines.ts';
import { bestArm } from './bestArm.ts';
import { changesOfReport } from './changesOfReport.ts';
import { type Contender, comparisonsOf, contender } from './comparisons.ts';
import { derivedArms } from './derivedArms.ts';
import { estimates, inParts, missingEstimate, type OnProgress, type RunPart } from './estimates.ts';
import { type FindingMaterial, findingOf, oneAnswer, type Ranked } from './finding.ts';
import { heldTrials, type ReportedTrial } from './heldTrials.ts';
import { armToCome, withIntervalsToCome } from './intervalsToCome.ts';
import { languageStatistics, type SpokenArm } from './languageStatistics.ts';
import { type PrimaryMaterial, primaryComparison } from './primaryComparison.ts';
import { raterAgreement } from './raterAgreement.ts';
import { recordedGroups } from './recordedGroups.ts';
import { type Measured, notesOf, type RaisedReplicates, type RoundCounts } from './reportNotes.ts';
import { type PairedTrial, swapStatistics } from './swapMeasures.ts';
import { casedTrials } from './trials.ts';

/** Goes up with every change of a number or a sentence of the report: what was kept before is then no longer looked at. */
export const statisticsVersion = 80;

export interface ReportMaterial {
  readonly experiment: string;
  /** Every planned trial of the arms that are reported. */
  readonly lines: readonly ReportedTrial[];
  /** In the order of the report. */
  readonly arms: readonly string[];
  /** Planned trials of further arms: they are not reported, but their tests count where p-values are adjusted. */
  readonly others?: readonly ReportedTrial[];
  /** By trial; those that are not in it have no path. */
  readonly paths: ReadonlyMap<string, VerdictPath>;
  /** How the answers of ended trials were read, by arm; an arm without any, or that was not looked up, is not in it. */
  readonly answers?: ReadonlyMap<string, AnswerCounts>;
  /** Rounds of debates that are rated, by arm. */
  readonly rounds?: ReadonlyMap<string, RoundCounts>;
  /** Arms that are others with something masked in their cases: they vote in no derived arm. */
  readonly masked?: readonly string[];
  /** How many judges voted for each label, by trial; trials without several judges are not in it. */
  readonly votes?: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** What was said, by arm; absent: not read. */
  readonly language?: readonly SpokenArm[];
  readonly terms: CaseTerms;
  readonly baselines: Baselines;
  readonly resampling: Resampling;
  /** The arm that answers alone, to which gains on ambiguous cases are relative; null or absent: there is none. */
  readonly reference?: string | null;
  /** The experiment that sets of labels are calibrated in, and its trials; absent: none. */
  readonly calibration?: { readonly experiment: string; readonly lines: readonly ReportedTrial[] } | undefined;
  /** What was decided beforehand; null or absent: nothing. */
  readonly decided?: PrimaryMaterial | null;
  /** Arms and replicates that were added after the first freeze, to be noted; absent: none. */
  readonly added?: readonly string[];
  readonly raised?: readonly RaisedReplicates[];
}

type Report = Omit<StatsReport, 'store'>;
type RestOfReport = Pick<
  Report,
  | 'swaps'
  | 'changes'
  | 'facts'
  | 'speech_worth'
  | 'turn_effects'
  | 'language'
  | 'ambiguity'
  | 'agreement'
  | 'derived'
  | 'recorded_labels'
>;

interface Entry {
  readonly name: string;
  readonly baseline: Baseline | null;
  readonly size: number;
  /** Its trials; those of a baseline are made at each call, so that they are held only while they are read. */
  lines(): readonly ReportedTrial[];
}

const isDone = ({ status }: ReportedTrial) => status === 'done';

export const measured = (
  lines: readonly ReportedTrial[],
  paths: ReportMaterial['paths'],
): readonly (PairedTrial & ReportedTrial)[] => heldTrials(lines.filter(isDone), paths);

function entriesOf({ arms, lines, others = [], baselines }: ReportMaterial): Entry[] {
  const byArm = Map.groupBy(lines, ({ arm }) => arm);
  return [
    ...arms.map((name) => {
      const own = byArm.get(name) ?? [];
      return { name, baseline: null, size: own.length, lines: () => own };
    }),
    ...baselines.baselines.map((baseline) => ({
      name: baselineTitle(baseline.name, arms),
      baseline,
      size: baseline.predictions.length,
      lines: () => heldTrials(baselineLines(baseline, [...others, ...lines])),
    })),
  ];
}

function ownProbabilityOf(lines: readonly ReportedTrial[], terms: CaseTerms) {
  const found = ownProbabilities(terms);
  for (const line of lines)
    if (typeof line.prediction === 'string' && line.belief !== null) found.add(line.prediction, line.belief, line);
  return found.found();
}

const takenAsTheyAre =
  'imported predictions are taken as they are: their author may have had another threshold than the highest probability. Those that go against their own probability are counted in the finding';

/** The statistics of one arm, with as many resamples as are wanted. What they are made from is several times as large as its trials. */
function plannedArm(entry: Entry, material: ReportMaterial): (resampling: Resampling) => Measured {
  const { name, baseline } = entry;
  const lines = entry.lines();
  const { terms, paths, calibration, answers } = material;
  const elsewhere =
    calibration === undefined || baseline !== null
      ? undefined
      : {
          experiment: calibration.experiment,
          trials: measured(
            calibration.lines.filter(({ arm }) => arm === name),
            paths,
          ),
        };
  const plan = planArm(measured(lines, paths), terms, elsewhere);
  const { trials, cases, share } = plan.trials;
  const read = baseline === null ? answers?.get(name) : undefined;
  const way = truthByStep(trials, share);
  const notes = { severalTimes: trials.length > cases.length, leftOut: plan.leftOut };
  // An imported prediction that goes against its own probability is counted apart: its author may have had another threshold.
  const isTaken = lines.some(isImported);
  const asTaken = (measure: Measure): Measure =>
    measure.name === 'inconsistent' && isTaken ? { ...measure, ...missingEstimate(measure.level, takenAsTheyAre) } : measure;
  const own = isTaken ? ownProbabilityOf(lines, terms) : null;
  return (resampling) => {
    const { measures, ...parts } = armMeasures(plan, resampling);
    return {
      statistics: {
        ...armStatistics(lines, terms.labels, terms.positive),
        arm: name,
        ...parts,
        measures: measures.map(asTaken),
        ...(way.length === 0 ? {} : { truth_by_step: way }),
        ...(read === undefined ? {} : { answers: read }),
        ...(own === null ? {} : { own_probability: own }),
      },
      ...notes,
    };
  };
}

function rankedBy(arms: readonly Pick<ArmStatistics, 'arm' | 'measures'>[]): Ranked[] {
  return arms.flatMap(({ arm, measures }) => {
    const accuracy = measures.find(({ name, over }) => name === 'accuracy' && over === 'all');
    return accuracy === undefined ? [] : [{ name: arm, accuracy }];
  });
}

/** The most frequent true label of the cases that were tried, the first of equally frequent ones. */
function commonestTruth({ lines, terms }: ReportMaterial): FindingMaterial['commonest'] {
  const tried = lines.filter(({ status }) => status === 'done');
  const truths = new Map(tried.flatMap(({ case: id, truth }) => (typeof truth === 'string' ? [[id, truth] as const] : [])));
  const [first] = terms.labels
    .map((label) => ({ label, cases: [...truths.values()].filter((truth) => truth === label).length, of: truths.size }))
    .toSorted((one, other) => other.cases - one.cases);
  if (first === undefined || first.cases === 0) return null;
  const byArm = [...Map.groupBy(tried, ({ arm }) => arm).values()].filter((mine) => !isVariedArm(mine));
  const [counted, ...others] = byArm.map((mine) => ({
    n: mine.filter(({ truth }) => truth === first.label).length,
    of: mine.filter(({ truth }) => typeof truth === 'string').length,
  }));
  const isSame = counted !== undefined && others.every(({ n, of }) => n === counted.n && of === counted.of);
  return { ...first, trials: isSame && counted.of > first.of ? counted : null };
}

const isVariedArm = ([first]: readonly ReportedTrial[]) => first !== undefined && isVaried(first);

function othersOf({ others = [], terms }: ReportMaterial, isMeant: (line: ReportedTrial) => boolean): Contender[] {
  const byArm = [...Map.groupBy(others, ({ arm }) => arm)].filter(([, mine]) => !isVariedArm(mine));
  return byArm.map(([name, mine]) => contender(name, false, () => mine.filter(isDone).filter(isMeant), terms));
}

function swapsIn({ arms, lines, paths, terms, resampling }: ReportMaterial) {
  const byArm = Map.groupBy(lines, ({ arm }) => arm);
  const linesOf = (arm: string) => byArm.get(arm) ?? [];
  const swaps = arms.flatMap((base) =>
    arms.flatMap((name) => {
      const [line] = linesOf(name);
      return line?.base_arm === base && line.swap !== null ? [{ arm: base, swap: line.swap, swapped_arm: name }] : [];
    }),
  );
  return swapStatistics(swaps, (arm) => measured(linesOf(arm), paths), terms, resampling);
}

const ratingArms = (entries: readonly Entry[]) =>
  entries.flatMap(({ name, baseline, lines }) =>
    baseline === null ? [{ name, imported: lines().some(isImported), lines: lines().filter(isDone) }] : [],
  );

/** The two that were compared beforehand: an arm with something exchanged or changed is in no other comparison, and so among no contenders. */
function decidedPair(
  { decided = null, arms, lines, others = [], terms }: ReportMaterial,
  contenders: readonly Contender[],
  isMeant: (line: ReportedTrial) => boolean,
) {
  const varied = (name: string) => {
    const mine = [...lines, ...others].filter((line) => line.arm === name && isMeant(line));
    return mine.length === 0 ? undefined : contender(name, false, () => mine.filter(isDone), terms);
  };
  const named = (name: string) => {
    const title = name.startsWith(baselineMark) ? baselineTitle(name.slice(baselineMark.length), arms) : name;
    const isNamed = ({ name: own, baseline }: Contender) => own === title && baseline;
    return contenders.find((each) => each.name === name) ?? contenders.find(isNamed) ?? varied(name);
  };
  const [a, b] = decided?.primary.compare.map(named) ?? [];
  return [a, b] as const;
}

/** Shares of the time that the parts of a report take, roughly. */
const shares = {
  ...{ language: 0.04, arms: 0.64, pairs: 0.16, best: 0.06, primary: 0.02, swaps: 0.02 },
  ...{ ambiguity: 0.01, agreement: 0.01, derived: 0.01, recorded: 0.01 },
};

function comparedArms(ranked: readonly Entry[], material: ReportMaterial, runPart: RunPart) {
  const { terms, resampling, decided = null } = material;
  const contendersOf = (isMeant: (line: ReportedTrial) => boolean) => {
    const shown = ranked.map(({ name, baseline, lines }) => ({
      ...contender(name, baseline !== null, () => lines().filter(isDone).filter(isMeant), terms),
      drawn: baseline?.name === drawnBaseline,
    }));
    return { shown, others: othersOf(material, isMeant) };
  };
  const { shown: contenders, others } = contendersOf(() => true);
  const whole = [...contenders, ...others];
  const pair = decidedPair(material, whole, () => true);
  const planned = decided?.planned;
  const isPlanned = (line: ReportedTrial) =>
    planned === undefined || (planned.cases.has(line.case) && line.replicate < planned.replicates);
  const plannedPair = () => {
    if (planned === undefined) return pair;
    const both = contendersOf(isPlanned);
    return decidedPair(material, [...both.shown, ...both.others], isPlanned);
  };
  const arms = contenders.filter(({ baseline }) => !baseline);
  return {
    ...runPart(shares.pairs, 'comparing arms', () =>
      comparisonsOf(
        whole,
        resampling,
        (name) => material.arms.includes(name),
        // With what was added after the first trial, it is another test than the one that was decided.
        decided?.primary.measure === 'accuracy' && planned === undefined ? { pair, family: decided.primary.family } : null,
      ),
    ),
    chosen: runPart(shares.best, 'the best arm', () => bestArm(arms, resampling)),
    // Over all trials, including arms that are not reported.
    primary: runPart(shares.primary, 'the primary comparison', () =>
      decided === null
        ? null
        : primaryComparison(
            { ...decided, labelled: terms },
            plannedPair(),
            [...material.lines, ...(material.others ?? [])].filter(isPlanned),
            resampling.resamples > 0,
          ),
    ),
    unreported: others.map(({ name }) => name),
  };
}

const isAccuracy = ({ name }: { readonly name: string }) => name === 'accuracy';

/** An arm with the intervals of its accuracies, and of all other measures the values alone. */
function earlyArm({ lines }: Entry, planned: ReturnType<typeof plannedArm>, resampling: Resampling): Measured {
  const { statistics, ...notes } = planned({ ...resampling, resamples: 0 });
  const accuracies = accuracyMeasures(casedTrials(lines().filter(isDone)));
  const first = estimates(accuracies, resampling);
  const measures = [...first, ...statistics.measures.filter((measure) => !isAccuracy(measure))];
  return { ...notes, statistics: armToCome({ ...statistics, measures }) };
}

/**
 * The statistics of an experiment: everything but where it is stored.
 * @param onStage gets the report in stages, the most wanted part first: the primary comparison, the accuracies, and all pairs with the
 *   finding; then the measures of several arms together; then the other measures, arm by arm. Every stage has the finding and all
 *   values, and marks the intervals that are still missing. With it, the plans of all arms are held at once.
 */
export function statisticsReport(material: ReportMaterial, onProgress: OnProgress, onStage?: (report: Report) => void): Report {
  const { experiment, terms, resampling, baselines } = material;
  const { labels, positive } = terms;
  const entries = entriesOf(material);
  const runPart = inParts(onProgress);
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  const armOf = ({ name, size }: Entry, plan: () => ReturnType<typeof plannedArm>) =>
    runPart((shares.arms * size) / Math.max(1, total), `intervals of ${name}`, () => plan()(resampling));
  const plans = onStage === undefined ? [] : entries.map((entry) => plannedArm(entry, material));
  let all = entries.map((entry, place) => {
    const planned = plans[place];
    return planned === undefined ? armOf(entry, () => plannedArm(entry, material)) : earlyArm(entry, planned, resampling);
  });
  const ranked = entries.filter(({ baseline, lines }) => baseline !== null || !isVariedArm(lines()));
  const { comparisons, family, chosen, primary, unreported } = comparedArms(ranked, material, runPart);
  const commonest = commonestTruth(material);
  const report = (rest: RestOfReport): Report => {
    const statistics = all.map((each) => each.statistics);
    const arms = statistics.filter((_, place) => entries[place]?.baseline === null);
    const fitted = statistics.flatMap((each, place): BaselineStatistics[] => {
      const baseline = entries[place]?.baseline ?? null;
      return baseline === null ? [] : [{ ...each, baseline: true, about: baseline.about }];
    });
    return {
      experiment,
      labels: [...labels],
      positive,
      ...(terms.prevalence === undefined ? {} : { prevalence: terms.prevalence }),
      interval: { method: 'wilson', level: resampling.level },
      standin: arms.some(({ standin }) => standin),
      arms,
      primary,
      finding: findingOf({
        arms: rankedBy(arms.filter((arm) => !isVaried(arm))),
        baselines: fitted
          .filter((_, place) => baselines.baselines[place]?.name !== drawnBaseline)
          .flatMap((each) => rankedBy([each]).map((ranked) => ({ ...ranked, always: oneAnswer(each) }))),
        comparisons,
        chosen,
        unreported: unreported.length,
        hasVaried: arms.some(isVaried),
        commonest,
        labelled: terms,
      }),
      resampling,
      baselines: fitted,
      missing_baselines: [...baselines.missing],
      comparisons,
      comparisons_left_out: 0,
      family,
      unreported_arms: unreported,
      ...rest,
      notes: notesOf(material, all),
    };
  };
  const rating = ratingArms(ranked);
  const voting = rating.filter(({ name }) => !(material.masked ?? []).includes(name));
  if (onStage !== undefined) {
    const together = derivedArms(voting, terms, { ...resampling, resamples: 0 });
    const derived = together.map(({ against: _toCome, ...each }) => ({ ...each, measures: withIntervalsToCome(each.measures) }));
    onStage(report({ swaps: [], derived }));
  }
  const swaps = runPart(shares.swaps, 'flip rates', () => swapsIn(material));
  const changed = changesOfReport({ ...material, finished: (lines) => measured(lines, material.paths) }, runPart);
  const language = runPart(shares.language, 'the language of debates', () =>
    (material.language ?? []).map((arm) => languageStatistics(arm, terms.groups, resampling)),
  );
  const tried = ranked.flatMap(({ name, baseline, lines }) =>
    baseline === null ? [{ name, lines: lines(), trials: lines().filter(isDone) }] : [],
  );
  const recorded = runPart(shares.recorded, 'the recorded labels', () => recordedGroups(material.lines, terms, resampling));
  const rest: RestOfReport = {
    swaps,
    ...changed,
    ...(language.length === 0 ? {} : { language }),
    ambiguity: runPart(shares.ambiguity, 'ambiguous cases', () =>
      ambiguityStatistics(tried, { reference: material.reference ?? null, terms, resampling }),
    ),
    agreement: runPart(shares.agreement, 'agreement of raters', () =>
      raterAgreement(rating, material.votes ?? new Map(), resampling),
    ),
    derived: runPart(shares.derived, 'derived arms', () => derivedArms(voting, terms, resampling)),
    ...(recorded === undefined ? {} : { recorded_labels: recorded }),
  };
  if (onStage !== undefined) {
    entries.forEach((entry, place) => {
      const planned = plans[place] ?? plannedArm(entry, material);
      delete plans[place];
      all = all.with(
        place,
        armOf(entry, () => planned),
      );
      // A set about one trial can have hundreds of changed arms, and each stage has all arms.
      if (ranked.includes(entry)) onStage(report(rest));
    });
  }
  return report(rest);
}
