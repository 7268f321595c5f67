import type { BeliefSource } from '../../shared/domain.ts';

/** What stands behind a confidence: `70% of the votes`, `70% sure`. */
export const confidenceWords = (source: BeliefSource): string => {
  if (source === 'votes') return 'of the votes';
  return source === 'smoothed' ? 'smoothed over the rounds' : 'sure';
};
