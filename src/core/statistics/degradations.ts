import type { AnswerChanges } from './answerChanges.ts';

/**
 * Degradation rates: right first answers that ended in a wrong verdict, over all trials that have both
 * (`ofAll` = degraded / n) and over those that began right (`ofRight` = degraded / (degraded + stayed right)).
 * Each 0-1, null where its denominator is 0. Example: of 10 trials 6 began right and 3 of these ended wrong:
 * 0.3 of all, 0.5 of the right.
 */
export function degradations({ n, degraded, stayedRight }: AnswerChanges): { ofAll: number | null; ofRight: number | null } {
  const right = degraded + stayedRight;
  return { ofAll: n === 0 ? null : degraded / n, ofRight: right === 0 ? null : degraded / right };
}
