import type { GroupStatistics, Measure } from '../../../shared/statistics.ts';
import { accuracyMeasures, decidedRightly, noDecided } from './accuracyMeasures.ts';
import { calibrationInTheLarge } from './calibrationMeasures.ts';
import { type PlannedMeasure, plannedShare } from './planned.ts';
import { type CasedTrials, casedTrials, type MeasuredTrial, ofReading } from './trials.ts';

/** With more values an attribute divides single cases and not groups. */
export const mostGroups = 50;

export interface PlannedGroup extends Pick<GroupStatistics, 'attribute' | 'value' | 'n' | 'decided' | 'counts'> {
  readonly measures: readonly PlannedMeasure[];
}

/** Of decided trials with a known truth: whether the truth and the prediction are the positive label. */
function signsOf({ outcome, truth, prediction }: MeasuredTrial, positive: string) {
  return outcome !== 'decided' || typeof truth !== 'string' || typeof prediction !== 'string'
    ? null
    : { truth: truth === positive, prediction: prediction === positive };
}

function errorRates(trials: CasedTrials, positive: string): PlannedMeasure[] {
  const rate = (name: string, over: 'truly-negative' | 'truly-positive', none: string) =>
    plannedShare(
      { name, label: positive, over },
      trials,
      ofReading(
        (trial: MeasuredTrial) => signsOf(trial, positive),
        (signs) => (signs.truth === (over === 'truly-positive') ? signs.prediction !== signs.truth : null),
      ),
      none,
    );
  return [
    rate('false_positive_rate', 'truly-negative', 'no decided trial whose truth is another label than the positive one'),
    rate('false_negative_rate', 'truly-positive', 'no decided trial whose truth is the positive label'),
    ...selectionRates(trials, positive),
  ];
}

/** How often the positive label is given where a truth is known, so that it compares with how often it is true. */
export const selectionRate = (trials: CasedTrials, positive: string): PlannedMeasure =>
  plannedShare(
    { name: 'selection_rate', label: positive, over: 'decided' },
    trials,
    (trial) => (decidedRightly(trial) === null ? null : trial.prediction === positive),
    noDecided,
  );

/** How often the positive label is given: of the decided, and with what was not decided as not given. */
function selectionRates(trials: CasedTrials, positive: string): PlannedMeasure[] {
  const isGiven = ({ outcome, prediction }: MeasuredTrial) => outcome === 'decided' && prediction === positive;
  const share = (name: string, over: Measure['over'], counts: (trial: MeasuredTrial) => boolean, fits = isGiven) =>
    plannedShare({ name, label: positive, over }, trials, (trial) => (counts(trial) ? fits(trial) : null), 'no trial counts');
  const isDecided = ({ outcome }: MeasuredTrial) => outcome === 'decided';
  const isTruly = ({ truth }: MeasuredTrial, wanted: boolean) => typeof truth === 'string' && (truth === positive) === wanted;
  return [
    share('selection_rate', 'decided', isDecided),
    share('selection_rate', 'finished', () => true),
    share('true_positive_rate', 'truly-positive', (trial) => isDecided(trial) && isTruly(trial, true)),
    share('true_positive_rate', 'finished-truly-positive', (trial) => isTruly(trial, true)),
    share('false_positive_rate', 'finished-truly-negative', (trial) => isTruly(trial, false)),
    share(
      'positive_predictive_value',
      'selected',
      (trial) => isGiven(trial) && typeof trial.truth === 'string',
      ({ truth }) => truth === positive,
    ),
  ];
}

function countsOf(trials: readonly MeasuredTrial[], positive: string) {
  const counts = { tp: 0, tn: 0, fp: 0, fn: 0 };
  for (const trial of trials) {
    const signs = signsOf(trial, positive);
    if (signs === null) continue;
    if (signs.truth) counts[signs.prediction ? 'tp' : 'fn'] += 1;
    else counts[signs.prediction ? 'fp' : 'tn'] += 1;
  }
  return counts;
}

interface Terms {
  readonly labels: readonly string[];
  readonly positive: string | null;
}

function plannedGroup(
  attribute: string,
  value: string,
  mine: readonly MeasuredTrial[],
  { labels, positive }: Terms,
): PlannedGroup {
  const trials = casedTrials(mine);
  return {
    attribute,
    value,
    n: mine.length,
    decided: mine.filter(({ outcome }) => outcome === 'decided').length,
    counts: positive === null ? null : countsOf(mine, positive),
    measures: [
      ...accuracyMeasures(trials),
      ...(positive === null ? [] : [...errorRates(trials, positive), ...calibrationInTheLarge(trials, labels, positive)]),
      plannedShare(
        { name: 'failure_rate', over: 'finished' },
        trials,
        ({ outcome }) => outcome !== 'decided',
        'no finished trial',
      ),
    ],
  };
}

/**
 * Error rates by group: false-positive rate FP / (FP + TN) and false-negative rate FN / (FN + TP) of the decided trials
 * of each value of each attribute, with both accuracies, and whether beliefs are too high or too low on the whole. Values in the order of their names; trials without a value of an
 * attribute are the group of the empty name. Attributes with more than `mostGroups` values are named in `leftOut`.
 */
export function plannedGroups(
  trials: readonly MeasuredTrial[],
  attributes: readonly string[],
  terms: Terms,
): { groups: PlannedGroup[]; leftOut: string[] } {
  const leftOut: string[] = [];
  const groups = attributes.flatMap((attribute) => {
    const byValue = Map.groupBy(trials, ({ groups: own }) => (Object.hasOwn(own, attribute) ? (own[attribute] ?? '') : ''));
    if (byValue.size > mostGroups) {
      leftOut.push(attribute);
      return [];
    }
    return [...byValue]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([value, mine]) => plannedGroup(attribute, value, mine, terms));
  });
  return { groups, leftOut };
}
