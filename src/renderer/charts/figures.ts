import type { Figure } from './kit/figure.ts';

/** A figure that the dashboard shows; its code comes when it is scrolled near. */
export interface FigureEntry {
  readonly id: string;
  readonly group: Figure['group'];
  load(): Promise<Figure<unknown>>;
}

/** Every figure, in the order of the dashboard: one line each. */
export const figures: readonly FigureEntry[] = [
  { id: 'accuracy-by-arm', group: 'performance', load: async () => (await import('./figures/accuracy.ts')).accuracyByArmFigure },
  {
    id: 'comparisons-forest',
    group: 'performance',
    load: async () => (await import('./figures/comparisonsForest.ts')).comparisonsForestFigure,
  },
  {
    id: 'accuracy-f1-bars',
    group: 'performance',
    load: async () => (await import('./figures/accuracy.ts')).accuracyF1BarsFigure,
  },
  {
    id: 'paired-ensemble',
    group: 'performance',
    load: async () => (await import('./figures/pairedEnsemble.ts')).pairedEnsembleFigure,
  },
  {
    id: 'accuracy-by-model-size',
    group: 'performance',
    load: async () => (await import('./figures/accuracyByModelSize.ts')).accuracyByModelSizeFigure,
  },
  { id: 'confusion', group: 'performance', load: async () => (await import('./figures/confusion.ts')).confusionFigure },
  {
    id: 'ranking-measures',
    group: 'performance',
    load: async () => (await import('./figures/rankingMeasures.ts')).rankingMeasuresFigure,
  },
  {
    id: 'hearing-against-verdict',
    group: 'performance',
    load: async () => (await import('./figures/hearingAgainstVerdict.ts')).hearingAgainstVerdictFigure,
  },
  {
    id: 'corrections-degradations',
    group: 'performance',
    load: async () => (await import('./figures/correctionsDegradations.ts')).correctionsDegradationsFigure,
  },
  { id: 'failures', group: 'performance', load: async () => (await import('./figures/failures.ts')).failuresFigure },
  {
    id: 'answer-reading',
    group: 'performance',
    load: async () => (await import('./figures/answerReading.ts')).answerReadingFigure,
  },
  { id: 'reliability', group: 'calibration', load: async () => (await import('./figures/reliability.ts')).reliabilityFigure },
  {
    id: 'confidence-histogram',
    group: 'calibration',
    load: async () => (await import('./figures/confidenceHistogram.ts')).confidenceHistogramFigure,
  },
  {
    id: 'confidence-correctness',
    group: 'calibration',
    load: async () => (await import('./figures/confidenceCorrectness.ts')).confidenceCorrectnessFigure,
  },
  { id: 'f1-against-time', group: 'cost', load: async () => (await import('./figures/costs.ts')).f1AgainstTimeFigure },
  {
    id: 'accuracy-against-time',
    group: 'cost',
    load: async () => (await import('./figures/costs.ts')).accuracyAgainstTimeFigure,
  },
  { id: 'f1-against-tokens', group: 'cost', load: async () => (await import('./figures/costs.ts')).f1AgainstTokensFigure },
  {
    id: 'accuracy-against-tokens',
    group: 'cost',
    load: async () => (await import('./figures/costs.ts')).accuracyAgainstTokensFigure,
  },
  {
    id: 'belief-timelines',
    group: 'deliberation',
    load: async () => (await import('./figures/beliefTimelines.ts')).beliefTimelinesFigure,
  },
  {
    id: 'persuasion-by-turn',
    group: 'deliberation',
    load: async () => (await import('./figures/persuasionByTurn.ts')).persuasionByTurnFigure,
  },
  { id: 'flips', group: 'deliberation', load: async () => (await import('./figures/flips.ts')).flipsFigure },
  {
    id: 'hearing-to-verdict',
    group: 'deliberation',
    load: async () => (await import('./figures/hearingToVerdict.ts')).hearingToVerdictFigure,
  },
  { id: 'dissent', group: 'deliberation', load: async () => (await import('./figures/dissent.ts')).dissentFigure },
  {
    id: 'ambiguous-cases',
    group: 'deliberation',
    load: async () => (await import('./figures/ambiguousCases.ts')).ambiguousCasesFigure,
  },
  {
    id: 'confidence-over-rounds',
    group: 'deliberation',
    load: async () => (await import('./figures/confidenceOverRounds.ts')).confidenceOverRoundsFigure,
  },
  { id: 'ablation', group: 'ablations', load: async () => (await import('./figures/ablations.ts')).ablationAccuracyFigure },
  {
    id: 'ablation-macro-f1',
    group: 'ablations',
    load: async () => (await import('./figures/ablations.ts')).ablationMacroF1Figure,
  },
  {
    id: 'structure-by-shots',
    group: 'ablations',
    load: async () => (await import('./figures/structureByShots.ts')).structureByShotsFigure,
  },
  { id: 'exchange-measures', group: 'protocols', load: async () => (await import('./figures/steps.ts')).exchangeMeasuresFigure },
  {
    id: 'mixture-divergence',
    group: 'protocols',
    load: async () => (await import('./figures/steps.ts')).mixtureDivergenceFigure,
  },
  { id: 'panel-by-topic', group: 'protocols', load: async () => (await import('./figures/panelByTopic.ts')).panelByTopicFigure },
  { id: 'crit-by-round', group: 'protocols', load: async () => (await import('./figures/steps.ts')).critByRoundFigure },
  { id: 'debate-ends', group: 'protocols', load: async () => (await import('./figures/debateEnds.ts')).debateEndsFigure },
  { id: 'feedback-rounds', group: 'protocols', load: async () => (await import('./figures/steps.ts')).feedbackRoundsFigure },
  {
    id: 'round-settlements',
    group: 'protocols',
    load: async () => (await import('./figures/roundSettlements.ts')).roundSettlementsFigure,
  },
  { id: 'group-rates', group: 'fairness', load: async () => (await import('./figures/groupRates.ts')).groupRatesFigure },
  { id: 'swaps', group: 'fairness', load: async () => (await import('./figures/swaps.ts')).swapsFigure },
];
