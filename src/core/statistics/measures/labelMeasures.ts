import { caseF1, f1, macroF1, microF1, requireListed } from '../classScores.ts';
import type { ClassCounts } from '../confusion.ts';
import { noDecided } from './accuracyMeasures.ts';
import { type MeasureName, type PlannedMeasure, plannedMean, plannedShare, plannedSums } from './planned.ts';
import { type CasedTrials, type MeasuredTrial, ofReading } from './trials.ts';

/** Beyond these, a measure for each label would be thousands of numbers that no one reads. */
export const mostLabels = 50;

const listed = (value: string | readonly string[]): readonly string[] => (typeof value === 'string' ? [value] : value);

function pairOf({ outcome, truth, prediction }: MeasuredTrial) {
  return outcome !== 'decided' || truth === null || prediction === null
    ? null
    : { truth: listed(truth), prediction: listed(prediction) };
}

/** A measure of true positives, false positives and false negatives of some labels, in columns of three. */
function plannedCounts(
  name: MeasureName,
  trials: CasedTrials,
  { all, counted }: { all: readonly string[]; counted: readonly string[] },
  measure: (counts: readonly ClassCounts[]) => number | null,
): PlannedMeasure {
  // The same objects at each call: a jackknife takes as many as there are cases.
  const counts = counted.map(() => ({ truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 0 }));
  const countsOf = (sums: ArrayLike<number>): readonly ClassCounts[] => {
    counts.forEach((each, place) => {
      each.truePositives = sums[3 * place] ?? 0;
      each.falsePositives = sums[3 * place + 1] ?? 0;
      each.falseNegatives = sums[3 * place + 2] ?? 0;
    });
    return counts;
  };
  return plannedSums(
    name,
    trials,
    3 * counted.length,
    (trial, add) => {
      const pair = pairOf(trial);
      if (pair === null) return false;
      requireListed(pair, all);
      const { truth, prediction } = pair;
      counted.forEach((label, place) => {
        const start = 3 * place;
        if (prediction.includes(label)) add(truth.includes(label) ? start : start + 1);
        else if (truth.includes(label)) add(start + 2);
      });
      return true;
    },
    { measure: (sums) => measure(countsOf(sums)), none: noDecided },
  );
}

function ofLabel(trials: CasedTrials, labels: readonly string[], label: string): PlannedMeasure[] {
  const among = (trial: MeasuredTrial, side: 'truth' | 'prediction') => pairOf(trial)?.[side].includes(label) ?? false;
  return [
    plannedShare(
      { name: 'precision', label, over: 'decided' },
      trials,
      (trial) => (among(trial, 'prediction') ? among(trial, 'truth') : null),
      'the label was never predicted',
    ),
    plannedShare(
      { name: 'recall', label, over: 'decided' },
      trials,
      (trial) => (among(trial, 'truth') ? among(trial, 'prediction') : null),
      'the label is the truth of no decided trial',
    ),
    plannedCounts({ name: 'f1', label, over: 'decided' }, trials, { all: labels, counted: [label] }, ([counts]) =>
      counts === undefined ? null : f1(counts),
    ),
  ];
}

/** Mean F1 of all labels, an undefined one as 0, over decided trials. */
export const macroF1Measure = (trials: CasedTrials, labels: readonly string[]): PlannedMeasure =>
  plannedCounts({ name: 'macro_f1', over: 'decided' }, trials, { all: labels, counted: labels }, macroF1);

/** Precision, recall and F1 by label (up to `mostLabels`), macro, and for several labels micro and by case, of decided trials. */
export function labelMeasures(trials: CasedTrials, labels: readonly string[], multiLabel: boolean): PlannedMeasure[] {
  const every = { all: labels, counted: labels };
  return [
    ...(labels.length > mostLabels ? [] : labels.flatMap((label) => ofLabel(trials, labels, label))),
    macroF1Measure(trials, labels),
    ...(multiLabel
      ? [
          plannedCounts({ name: 'micro_f1', over: 'decided' }, trials, every, microF1),
          plannedMean(
            { name: 'samples_f1', over: 'decided' },
            trials,
            ofReading(pairOf, (pair) => caseF1(pair, labels)),
            noDecided,
          ),
        ]
      : []),
  ];
}
