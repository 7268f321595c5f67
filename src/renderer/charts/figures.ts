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
];
