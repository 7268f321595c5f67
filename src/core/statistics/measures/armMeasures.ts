// All measures of one arm, put together from their families.
import type { ArmStatistics } from '../../../shared/outputs.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import { accuracyMeasures } from './accuracyMeasures.ts';
import { agreementMeasures } from './agreementMeasures.ts';
import { beliefMeasures } from './beliefMeasures.ts';
import { calibrationMeasures, labelReliability } from './calibrationMeasures.ts';
import { completionMeasures } from './completionMeasures.ts';
import { confidenceMeasures, reliability } from './confidenceMeasures.ts';
import { type Calibration, declining, decliningMeasures, plannedConformal } from './decliningMeasures.ts';
import { estimates } from './estimates.ts';
import { plannedFairness } from './fairness.ts';
import { plannedGroups, selectionRate } from './groups.ts';
import { withIntersections } from './intersections.ts';
import { labelMeasures, mostLabels } from './labelMeasures.ts';
import { outcomeMeasures } from './outcomeMeasures.ts';
import { pathMeasures } from './pathMeasures.ts';
import type { PlannedMeasure } from './planned.ts';
import { prevalenceMeasures } from './prevalenceMeasures.ts';
import { type CasedTrials, casedTrials, type MeasuredTrial } from './trials.ts';
import { weightedMeasures } from './weightedMeasures.ts';

export interface CaseTerms {
  /** Candidate labels in order; none for open cases. */
  readonly labels: readonly string[];
  readonly positive: string | null;
  readonly multiLabel: boolean;
  /** Group columns of the data set. */
  readonly groups: readonly string[];
  /** Cases that were erased: it is no longer known which groups they belong to. Absent: none. */
  readonly erased?: ReadonlySet<string>;
  /** Whether the labels are cells of a table that models complete, as the probe of memory has it. */
  readonly completed?: boolean;
  /** Share of the positive label in another population, 0-1, for which predictive values are wanted; absent: none. */
  readonly prevalence?: number | undefined;
  /** Who decided what the labels are; absent where they are the truth. */
  readonly decided_by?: string | undefined;
}

type ArmPlan = ReturnType<typeof planArm>;

function plannedMeasures(trials: CasedTrials, { labels, positive, multiLabel, completed = false }: CaseTerms): PlannedMeasure[] {
  const labelled = labels.length > 0;
  return [
    ...accuracyMeasures(trials),
    ...(completed ? completionMeasures(trials, labels) : []),
    ...(labelled ? labelMeasures(trials, labels, multiLabel) : []),
    ...(labelled && !multiLabel && labels.length <= mostLabels ? agreementMeasures(trials, labels) : []),
    ...(labelled ? beliefMeasures(trials, labels, positive, multiLabel) : []),
    ...(labelled ? confidenceMeasures(trials, multiLabel) : []),
    ...(labelled && !multiLabel ? calibrationMeasures(trials, labels, positive) : []),
    ...(labelled && !multiLabel ? decliningMeasures(trials) : []),
    ...(positive === null || multiLabel ? [] : [selectionRate(trials, positive)]),
    ...outcomeMeasures(trials),
    ...(labelled ? pathMeasures(trials, positive) : []),
    ...weightedMeasures(trials, multiLabel ? null : positive),
  ];
}

/**
 * @param finished the finished trials of an arm
 * @param elsewhere those of the same arm that its sets of labels are calibrated on; absent: one half of its cases
 * @returns `leftOut`: group columns with too many values; `atPrevalence`: null where none is stated
 */
export function planArm(finished: readonly MeasuredTrial[], terms: CaseTerms, elsewhere?: Calibration) {
  const { trials: crossed, pairs } = withIntersections(finished, terms.groups);
  const trials = casedTrials(crossed);
  const { erased = new Set<string>() } = terms;
  const grouped = crossed.filter(({ case: id }) => !erased.has(id));
  const { groups, leftOut: many } = plannedGroups(grouped, terms.groups, terms);
  const { groups: intersections, leftOut: manyPairs } = plannedGroups(grouped, pairs, terms);
  const leftOut = [...many, ...manyPairs];
  const { positive, multiLabel, prevalence } = terms;
  const attributes = positive === null || multiLabel ? [] : [...terms.groups, ...pairs].filter((each) => !leftOut.includes(each));
  const fairness = positive === null ? [] : attributes.map((attribute) => plannedFairness(trials, attribute, positive, erased));
  const atPrevalence =
    prevalence === undefined || positive === null || multiLabel ? null : prevalenceMeasures(trials, positive, prevalence);
  const conformal = terms.labels.length === 0 || multiLabel ? undefined : plannedConformal(trials, terms.labels, elsewhere);
  const measures = [...plannedMeasures(trials, terms), ...(conformal?.measures ?? [])];
  return { trials, terms, measures, groups, intersections, fairness, atPrevalence, conformal, leftOut };
}

export function armMeasures(
  { trials, terms, measures, groups, intersections, fairness, atPrevalence, conformal }: ArmPlan,
  resampling: Resampling,
): Pick<
  ArmStatistics,
  | 'measures'
  | 'reliability'
  | 'label_reliability'
  | 'groups'
  | 'intersections'
  | 'fairness'
  | 'at_prevalence'
  | 'declining'
  | 'conformal'
> {
  const curve = declining(trials);
  const ofLabel = terms.multiLabel ? undefined : labelReliability(trials, terms.labels, terms.positive);
  // Fairness and what is at a prevalence are over the same cases: their resamples are drawn once.
  const whole = [...measures, ...fairness.flatMap((each) => each.measures), ...(atPrevalence ?? [])];
  const all = [whole, ...[...groups, ...intersections].map((group) => group.measures)];
  const [found = [], ...parts] = all.map((planned, place) => estimates(planned, resampling, place === 0 ? 'arm' : 'group'));
  let next = measures.length;
  return {
    measures: found.slice(0, next),
    reliability: [...reliability(trials)],
    ...(ofLabel === undefined ? {} : { label_reliability: ofLabel }),
    groups: groups.map((group, place) => ({ ...group, measures: parts[place] ?? [] })),
    ...(intersections.length === 0
      ? {}
      : { intersections: intersections.map((group, place) => ({ ...group, measures: parts[groups.length + place] ?? [] })) }),
    fairness: fairness.map(({ attribute, leftOut, tooFew, measures: mine }) => {
      const from = next;
      next += mine.length;
      const lacking = tooFew.length === 0 ? {} : { too_few: tooFew.map((each) => ({ ...each, groups: [...each.groups] })) };
      return { attribute, left_out: [...leftOut], ...lacking, measures: found.slice(from, next) };
    }),
    ...(atPrevalence === null ? {} : { at_prevalence: found.slice(-atPrevalence.length) }),
    ...(curve === undefined ? {} : { declining: curve }),
    ...(conformal === undefined ? {} : { conformal: conformal.about }),
  };
}
