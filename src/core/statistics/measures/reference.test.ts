import { describe, expect, test } from 'vitest';
import { expectAgreement } from '../agreement.fixture.ts';
import { beliefSets, classificationSets, confidenceSets, multiLabelSets } from '../reference.fixture.ts';
import { accuracyMeasures } from './accuracyMeasures.ts';
import { agreementMeasures } from './agreementMeasures.ts';
import { beliefMeasures } from './beliefMeasures.ts';
import { confidenceMeasures } from './confidenceMeasures.ts';
import { labelMeasures } from './labelMeasures.ts';
import type { PlannedMeasure } from './planned.ts';
import { trial } from './trials.fixture.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';

/** Decided trials, each of a different case, as the weights of a set need it. */
const trialsOf = (all: readonly Partial<MeasuredTrial>[]) => casedTrials(all.map((each, index) => trial(`c${index}`, each)));

/** Holds the planned measures of a set against the reference, for the cases as they are and resampled by the set's weights. */
function against<Set extends { readonly expected: object; readonly weighted: object; readonly weights: readonly number[] }>(
  planned: readonly PlannedMeasure[],
  set: Set,
) {
  type Reference = Set['expected'] | Set['weighted'];
  return (name: string, reference: (of: Reference) => number | null | undefined, label: string | null = null) => {
    const found = planned.find((measure) => measure.name === name && measure.label === label);
    expect(found, name).toBeDefined();
    const { statistic = null } = found ?? {};
    const once = Uint32Array.from(set.weights, () => 1);
    expectAgreement(statistic?.at(once) ?? null, reference(set.expected) ?? null);
    expectAgreement(statistic?.at(Uint32Array.from(set.weights)) ?? null, reference(set.weighted) ?? null);
  };
}

describe('scikit-learn and statsmodels', () => {
  test.each(classificationSets)('one label: $name', (set) => {
    const trials = trialsOf(set.pairs);
    const agrees = against(
      [
        ...accuracyMeasures(trials).slice(0, 1),
        ...labelMeasures(trials, set.labels, false),
        ...agreementMeasures(trials, set.labels),
      ],
      set,
    );
    agrees('accuracy', (of) => of.accuracy);
    for (const [place, label] of set.labels.entries()) {
      agrees('precision', (of) => of.precision[place], label);
      agrees('recall', (of) => of.recall[place], label);
      agrees('f1', (of) => of.f1[place], label);
    }
    agrees('macro_f1', (of) => of.macroF1);
    agrees('balanced_accuracy', (of) => of.balancedAccuracy);
    agrees('matthews_correlation', (of) => of.matthewsCorrelation);
    agrees('cohen_kappa', (of) => of.cohenKappa);
  });

  test.each(multiLabelSets)('several labels: $name', (set) => {
    const trials = trialsOf(set.pairs.map(({ truth, prediction }) => ({ truth: [...truth], prediction: [...prediction] })));
    const agrees = against([...accuracyMeasures(trials).slice(0, 1), ...labelMeasures(trials, set.labels, true)], set);
    agrees('accuracy', (of) => of.exactMatch);
    for (const [place, label] of set.labels.entries()) agrees('f1', (of) => of.f1[place], label);
    agrees('macro_f1', (of) => of.macroF1);
    agrees('micro_f1', (of) => of.microF1);
    agrees('samples_f1', (of) => of.samplesF1);
  });

  test.each(beliefSets)('beliefs: $name', (set) => {
    const trials = trialsOf(set.cases.map(({ belief, truth }) => ({ belief, truth, prediction: truth })));
    const agrees = against(beliefMeasures(trials, set.labels, null), set);
    agrees('brier', (of) => of.brierHalf);
    agrees('log_loss', (of) => of.logLoss);
    agrees('area_under_curve', (of) => of.macroArea);
    agrees('miscalibration', (of) => of.miscalibration);
    if (set.labels.length <= 2) return;
    agrees('mean_reciprocal_rank', (of) => of.meanReciprocalRank);
    agrees('accuracy_at_1', (of) => of.accuracyAtK[0]);
    if (set.labels.length > 3) agrees('accuracy_at_3', (of) => of.accuracyAtK[2]);
  });

  test.each(confidenceSets)('stated confidences: $name', (set) => {
    const stated = set.confidence.map((confidence, index) => ({
      confidence,
      prediction: set.isCorrect[index] === true ? 'NO' : 'YES',
    }));
    const agrees = against(confidenceMeasures(trialsOf(stated)), set);
    agrees('expected_calibration_error', (of) => of.calibrationError);
    agrees('confidence_correctness_pearson', (of) => of.pearson);
    agrees('confidence_correctness_spearman', (of) => of.spearman);
  });
});
