import { isImported } from '../../../shared/imported.ts';
import type { ArmStatistics, BaselineStatistics, StatsReport } from '../../../shared/outputs.ts';
import { baselineMark } from '../../../shared/primary.ts';
import type { AnswerCounts, Resampling } from '../../../shared/statistics.ts';
import { isVaried, type TrialLine } from '../../../shared/trialLine.ts';
import { type Baseline, type Baselines, drawnBaseline } from '../../baselines/baseline.ts';
import type { VerdictPath } from '../../trajectory/verdictPath.ts';
import { armStatistics } from '../armStatistics.ts';
import { truthByStep } from '../truthByStep.ts';
import { ambiguityStatistics } from './ambiguity.ts';
import { type ArmPlan, armMeasures, type CaseTerms, planArm } from './armMeasures.ts';
import { baselineLines } from './baselineLines.ts';
import { bestArm } from './bestArm.ts';
import { type Contender, comparisonsOf, contender } from './comparisons.ts';
import { changeStatistics } from './declaredChanges.ts';
import { derivedArms } from './derivedArms.ts';
import { type FindingMaterial, findingOf, type Ranked } from './finding.ts';
import { mostGroups } from './groups.ts';
import { mostLabels } from './labelMeasures.ts';
import { type PrimaryMaterial, primaryComparison } from './primaryComparison.ts';
import { raterAgreement } from './raterAgreement.ts';
import { type PairedTrial, swapStatistics } from './swapMeasures.ts';
import type { MeasuredTrial } from './trials.ts';

/** Goes up with every change of a number of the report: what was kept before is then no longer looked at. */
export const statisticsVersion = 17;

/** Rounds that were settled, and those of them that did not pass. */
export interface RoundCounts {
  readonly settled: number;
  readonly unreliable: number;
}

/** What a report is made from. */
export interface ReportMaterial {
  readonly experiment: string;
  /** Every planned trial of the arms that are reported. */
  readonly lines: readonly TrialLine[];
  /** In the order of the report. */
  readonly arms: readonly string[];
  /** Planned trials of further arms: they are not reported, but their tests count where p-values are adjusted. */
  readonly others?: readonly TrialLine[];
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
  readonly terms: CaseTerms;
  readonly baselines: Baselines;
  readonly resampling: Resampling;
  /** The arm that answers alone, to which gains on ambiguous cases are relative; null or absent: there is none. */
  readonly reference?: string | null;
  /** The experiment that sets of labels are calibrated in, and its trials; absent: none. */
  readonly calibration?: { readonly experiment: string; readonly lines: readonly TrialLine[] } | undefined;
  /** What was decided beforehand; null or absent: nothing. */
  readonly decided?: PrimaryMaterial | null;
}

/** Told how much of the work is done. `what` names what is being done next. */
export type OnProgress = (done: number, of: number, what: string) => void;

interface Entry {
  readonly name: string;
  readonly baseline: Baseline | null;
  readonly lines: readonly TrialLine[];
  readonly plan: ArmPlan;
}

/** Finished trials with their paths. */
export function measured(lines: readonly TrialLine[], paths: ReportMaterial['paths']): (PairedTrial & TrialLine)[] {
  return lines.filter(({ status }) => status === 'done').map((line) => ({ ...line, path: paths.get(line.trial) ?? null }));
}

/** The same with nothing but what is measured: many trials are kept as long as a report takes. */
function measuredOf(lines: readonly TrialLine[], paths: ReportMaterial['paths']): MeasuredTrial[] {
  return lines.flatMap(
    ({ status, trial, case: id, outcome, incomplete, inconsistent, prediction, confidence, belief, truth, groups, weight }) => {
      const path = paths.get(trial) ?? null;
      const known = { case: id, outcome, incomplete, inconsistent, prediction, confidence, belief, truth, groups, weight, path };
      return status === 'done' ? [known] : [];
    },
  );
}

function entriesOf({ arms, lines, others = [], paths, terms, baselines, calibration }: ReportMaterial): Entry[] {
  const elsewhere = Map.groupBy(calibration?.lines ?? [], ({ arm }) => arm);
  const byArm = Map.groupBy(lines, ({ arm }) => arm);
  const entry = (name: string, baseline: Baseline | null, mine: readonly TrialLine[]): Entry => ({
    name,
    baseline,
    lines: mine,
    plan: planArm(
      measuredOf(mine, paths),
      terms,
      calibration === undefined || baseline !== null
        ? undefined
        : { experiment: calibration.experiment, trials: measuredOf(elsewhere.get(name) ?? [], paths) },
    ),
  });
  return [
    ...arms.map((name) => entry(name, null, byArm.get(name) ?? [])),
    ...baselines.baselines.map((baseline) =>
      entry(baselineTitle(baseline.name, arms), baseline, baselineLines(baseline, [...others, ...lines])),
    ),
  ];
}

/** Rounds from which on a share of them says something, and the share from which on an arm hardly leaves its first opinion. */
const fewestRounds = 10;
const hardlyAny = 0.9;

/** Arms whose debates nearly never count. */
const unmovedArms = ({ rounds = new Map() }: ReportMaterial): string[] =>
  [...rounds].flatMap(([arm, { settled, unreliable }]) =>
    settled < fewestRounds || unreliable < hardlyAny * settled
      ? []
      : [
          `${arm}: ${unreliable} of ${settled} rounds did not pass, so that its verdicts are nearly all its first opinion. Lower the threshold, or let the best rating decide.`,
        ],
  );

/** Arms that decided nothing: mostly labels that were spelled in another way. */
const undecidedArms = (entries: readonly Entry[]): string[] =>
  entries.flatMap(({ name, plan: { trials } }) =>
    trials.trials.length > 0 && trials.trials.every(({ outcome }) => outcome === 'undecided')
      ? [
          `${name}: all ${trials.trials.length} trials are undecided, since none of its values is a label. If they are labels in another spelling, import them under another name with --map VALUE=LABEL.`,
        ]
      : [],
  );

/** True cases of a label below which its F1 has no trustworthy interval: docs/statistics.md has the simulation. */
const fewestTrue = 10;

function rareLabels({ lines, terms: { labels } }: ReportMaterial): string[] {
  const truths = new Map(
    lines.flatMap(({ status, case: id, truth }) => (status === 'done' && truth !== null ? [[id, truth] as const] : [])),
  );
  const counts = new Map<string, number>();
  for (const label of [...truths.values()].flat()) counts.set(label, (counts.get(label) ?? 0) + 1);
  const rare = labels.filter((label) => (counts.get(label) ?? 0) < fewestTrue).length;
  return truths.size === 0 || rare === 0
    ? []
    : [
        `${rare} of ${labels.length} labels are the truth of fewer than ${fewestTrue} cases each: F1 and macro-F1 are then too low on average, and their 95% intervals hold the true value less often than in 95 of 100 experiments.`,
      ];
}

function notesOf(material: ReportMaterial, entries: readonly Entry[]): string[] {
  const { terms } = material;
  const several = entries.some(({ plan: { trials } }) => trials.trials.length > trials.cases.length);
  const attributes = [...new Set(entries.flatMap(({ plan }) => plan.leftOut))];
  return [
    ...(several
      ? ['Cases were tried several times: each case weighs the same, and intervals are drawn by resampling cases, not trials.']
      : []),
    ...unmovedArms(material),
    ...undecidedArms(entries),
    ...rareLabels(material),
    ...(material.lines.some(({ protocol }) => protocol === 'completion')
      ? [
          'Arms of protocol completion are no verdicts on cases: their accuracy is the share of cells that were completed exactly. Above that of the most frequent value (baseline majority) and of the baselines that learned the column from other rows, it tells of memory; at or below, of none that this can find.',
        ]
      : []),
    ...attributes.map(
      (attribute) => `${attribute} has more than ${mostGroups} values, so that there are no rates by ${attribute}.`,
    ),
    ...(terms.labels.length > mostLabels
      ? [`There are more than ${mostLabels} labels: no interval is drawn for each of them, and no agreement beyond chance.`]
      : []),
  ];
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
  return first === undefined || first.cases === 0 ? null : first;
}

/** Whether the arm is another one with one thing exchanged or changed. */
const isVariedArm = ([first]: readonly TrialLine[]) => first !== undefined && isVaried(first);

/** The arms that are not reported. */
function othersOf({ others = [], paths, terms }: ReportMaterial): Contender[] {
  const byArm = [...Map.groupBy(others, ({ arm }) => arm)].filter(([, mine]) => !isVariedArm(mine));
  return byArm.map(([name, mine]) => contender(name, false, measuredOf(mine, paths), terms));
}

/** Each arm of the report beside itself with something exchanged. */
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

/** Each arm of the report beside itself with a declared change. */
function changesIn({ arms, lines, paths, terms, resampling }: ReportMaterial) {
  const byArm = Map.groupBy(lines, ({ arm }) => arm);
  const trialsOf = (arm: string) => measured(byArm.get(arm) ?? [], paths);
  const declared = arms.flatMap((name) => {
    const [line] = byArm.get(name) ?? [];
    const { change, base_arm: base = null } = line ?? {};
    return change === undefined || base === null || !byArm.has(base) ? [] : [{ name, base, change }];
  });
  const seedsOf = (base: string) =>
    declared.flatMap((each) => (each.base === base && each.change.kind === 'seed' ? [each.name] : []));
  const changes = declared.map(({ name, base, change: { kind, text, expect } }) => ({
    ...{ arm: base, changed_arm: name, kind, change: text },
    ...(expect === undefined ? {} : { expect }),
    control: [base, ...seedsOf(base)].flatMap(trialsOf),
  }));
  return changeStatistics(changes, trialsOf, terms, resampling);
}

/** The arms whose verdicts are set beside each other. */
const ratingArms = (entries: readonly Entry[]) =>
  entries.flatMap(({ name, baseline, lines }) =>
    baseline === null ? [{ name, imported: lines.some(isImported), lines: lines.filter(({ status }) => status === 'done') }] : [],
  );

/** What a baseline is called in a report: an arm of the same name keeps its own. */
export const baselineTitle = (name: string, arms: readonly string[]): string =>
  arms.includes(name) ? `${name} (baseline)` : name;

/** The two that are compared beforehand; undefined where the report does not have one. */
function decidedPair({ decided = null, arms }: ReportMaterial, contenders: readonly Contender[]) {
  const named = (name: string) => {
    const title = name.startsWith(baselineMark) ? baselineTitle(name.slice(baselineMark.length), arms) : name;
    return contenders.find((each) => each.name === name) ?? contenders.find((each) => each.name === title && each.baseline);
  };
  const [a, b] = decided?.primary.compare.map(named) ?? [];
  return [a, b] as const;
}

/** The statistics of an experiment: everything but where it is stored. */
export function statisticsReport(material: ReportMaterial, onProgress: OnProgress): Omit<StatsReport, 'store'> {
  const { experiment, terms, resampling, baselines } = material;
  const { labels, positive } = terms;
  const entries = entriesOf(material);
  const ranked = entries.filter(({ lines }) => !isVariedArm(lines));
  const contenders = ranked.map(({ name, baseline, plan }) => ({
    ...contender(name, baseline !== null, plan.trials.trials, terms),
    drawn: baseline?.name === drawnBaseline,
  }));
  const others = othersOf(material);
  const measures = entries.map(({ plan }) => armMeasures(plan, resampling));
  const { decided = null } = material;
  const whole = [...contenders, ...others];
  const pair = decidedPair(material, whole);
  const pairs = comparisonsOf(
    whole,
    resampling,
    (name) => material.arms.includes(name),
    decided?.primary.measure === 'accuracy' ? { pair, family: decided.primary.family } : null,
  );
  const best = bestArm(
    contenders.filter(({ baseline }) => !baseline),
    resampling,
  );
  const swaps = swapsIn(material);
  const changes = changesIn(material);
  // Over all trials, whichever arms are reported.
  const primary =
    decided === null
      ? { work: 0, run: () => null }
      : primaryComparison(decided, pair, [...material.lines, ...(material.others ?? [])], resampling.resamples > 0);
  const ambiguity = ambiguityStatistics(
    ranked.flatMap(({ name, baseline, lines, plan }) => (baseline === null ? [{ name, lines, trials: plan.trials.trials }] : [])),
    { reference: material.reference ?? null, terms, resampling },
  );
  const rating = ratingArms(ranked);
  const agreement = raterAgreement(rating, material.votes ?? new Map(), resampling);
  const voting = rating.filter(({ name }) => !(material.masked ?? []).includes(name));
  const derived = derivedArms(voting, terms, resampling);
  const total = [...measures, pairs, best, swaps, changes, ambiguity, agreement, derived, primary].reduce(
    (sum, each) => sum + each.work,
    0,
  );
  let done = 0;
  const telling = (what: string) => (work: number) => {
    done += work;
    onProgress(done, total, what);
  };
  const statistics = entries.map(({ name, baseline, lines, plan }, place): ArmStatistics => {
    const answers = baseline === null ? material.answers?.get(name) : undefined;
    const way = truthByStep(plan.trials.trials, plan.trials.share);
    onProgress(done, total, `intervals of ${name}`);
    return {
      ...armStatistics(lines, labels, positive),
      arm: name,
      ...(measures[place] as (typeof measures)[number]).run(telling(`intervals of ${name}`)),
      ...(way.length === 0 ? {} : { truth_by_step: way }),
      ...(answers === undefined ? {} : { answers }),
    };
  });
  const { comparisons, family } = pairs.run(telling('comparing arms'));
  const chosen = best.run(telling('the best arm'));
  const swapped = swaps.run(telling('flip rates'));
  const changed = changes.run(telling('declared changes'));
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
    primary: primary.run(telling('the primary comparison')),
    finding: findingOf({
      arms: rankedBy(arms.filter(({ swap, change }) => swap === null && change === undefined)),
      baselines: rankedBy(fitted.filter((_, place) => baselines.baselines[place]?.name !== drawnBaseline)),
      comparisons,
      chosen,
      unreported: others.length,
      commonest: commonestTruth(material),
    }),
    resampling,
    baselines: fitted,
    missing_baselines: [...baselines.missing],
    comparisons,
    comparisons_left_out: 0,
    family,
    unreported_arms: others.map(({ name }) => name),
    swaps: swapped,
    ...(changed.length === 0 ? {} : { changes: changed }),
    ambiguity: ambiguity.run(telling('ambiguous cases')),
    agreement: agreement.run(telling('agreement')),
    derived: derived.run(telling('derived arms')),
    notes: notesOf(material, entries),
  };
}
