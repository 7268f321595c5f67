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
    id: 'belief-timelines',
    group: 'deliberation',
    load: async () => (await import('./beliefTimelines/beliefTimelinesFigure.ts')).beliefTimelinesFigure,
  },
  {
    id: 'persuasion-by-turn',
    group: 'deliberation',
    load: async () => (await import('./persuasionByTurn/persuasionByTurnFigure.ts')).persuasionByTurnFigure,
  },
  {
    id: 'flips',
    group: 'deliberation',
    load: async () => (await import('./flips/flipsFigure.ts')).flipsFigure,
  },
  {
    id: 'hearing-to-verdict',
    group: 'deliberation',
    load: async () => (await import('./hearingToVerdict/hearingToVerdictFigure.ts')).hearingToVerdictFigure,
  },
  {
    id: 'dissent',
    group: 'deliberation',
    load: async () => (await import('./dissent/dissentFigure.ts')).dissentFigure,
  },
  {
    id: 'ambiguous-cases',
    group: 'deliberation',
    load: async () => (await import('./ambiguousCases/ambiguousCasesFigure.ts')).ambiguousCasesFigure,
  },
  {
    id: 'confidence-over-rounds',
    group: 'deliberation',
    load: async () => (await import('./confidenceOverRounds/confidenceOverRoundsFigure.ts')).confidenceOverRoundsFigure,
  },
];
