import type { Figure } from './kit/figure.ts';

/** A figure that the dashboard shows; its code comes when it is scrolled near. */
export interface FigureEntry {
  readonly id: string;
  readonly group: Figure['group'];
  load(): Promise<Figure<unknown>>;
}

/** Every figure, in the order of the dashboard: one line each. */
export const figures: readonly FigureEntry[] = [
  {
    id: 'accuracy-by-arm',
    group: 'performance',
    load: async () => (await import('./accuracyByArm/accuracyByArmFigure.ts')).accuracyByArmFigure,
  },
  {
    id: 'accuracy-f1-bars',
    group: 'performance',
    load: async () => (await import('./accuracyF1Bars/accuracyF1BarsFigure.ts')).accuracyF1BarsFigure,
  },
  {
    id: 'paired-ensemble',
    group: 'performance',
    load: async () => (await import('./pairedEnsemble/pairedEnsembleFigure.ts')).pairedEnsembleFigure,
  },
  {
    id: 'accuracy-by-model-size',
    group: 'performance',
    load: async () => (await import('./accuracyByModelSize/accuracyByModelSizeFigure.ts')).accuracyByModelSizeFigure,
  },
  {
    id: 'confusion',
    group: 'performance',
    load: async () => (await import('./confusion/confusionFigure.ts')).confusionFigure,
  },
  {
    id: 'ranking-measures',
    group: 'performance',
    load: async () => (await import('./rankingMeasures/rankingMeasuresFigure.ts')).rankingMeasuresFigure,
  },
  {
    id: 'hearing-against-verdict',
    group: 'performance',
    load: async () => (await import('./hearingAgainstVerdict/hearingAgainstVerdictFigure.ts')).hearingAgainstVerdictFigure,
  },
  {
    id: 'corrections-degradations',
    group: 'performance',
    load: async () => (await import('./correctionsDegradations/correctionsDegradationsFigure.ts')).correctionsDegradationsFigure,
  },
  {
    id: 'failures',
    group: 'performance',
    load: async () => (await import('./failures/failuresFigure.ts')).failuresFigure,
  },
  {
    id: 'reliability',
    group: 'calibration',
    load: async () => (await import('./reliability/reliabilityFigure.ts')).reliabilityFigure,
  },
  {
    id: 'confidence-histogram',
    group: 'calibration',
    load: async () => (await import('./confidenceHistogram/confidenceHistogramFigure.ts')).confidenceHistogramFigure,
  },
  {
    id: 'confidence-correctness',
    group: 'calibration',
    load: async () => (await import('./confidenceCorrectness/confidenceCorrectnessFigure.ts')).confidenceCorrectnessFigure,
  },
  {
    id: 'f1-against-time',
    group: 'cost',
    load: async () => (await import('./costs/costFigures.ts')).f1AgainstTimeFigure,
  },
  {
    id: 'accuracy-against-time',
    group: 'cost',
    load: async () => (await import('./costs/costFigures.ts')).accuracyAgainstTimeFigure,
  },
  {
    id: 'f1-against-tokens',
    group: 'cost',
    load: async () => (await import('./costs/costFigures.ts')).f1AgainstTokensFigure,
  },
  {
    id: 'accuracy-against-tokens',
    group: 'cost',
    load: async () => (await import('./costs/costFigures.ts')).accuracyAgainstTokensFigure,
  },
  {
    id: 'group-rates',
    group: 'fairness',
    load: async () => (await import('./groupRates/groupRatesFigure.ts')).groupRatesFigure,
  },
  {
    id: 'swaps',
    group: 'fairness',
    load: async () => (await import('./swaps/swapsFigure.ts')).swapsFigure,
  },
];
