import type { AnswerChanges } from './answerChanges.ts';

/**
 * Correction rates: wrong first answers that ended in a right verdict, over all trials that have both
 * (`ofAll` = corrected / n) and over those that began wrong (`ofWrong` = corrected / (corrected + stayed wrong)).
 * Each 0-1, null where its denominator is 0. Example: of 10 trials 4 began wrong and 1 of these ended right:
 * 0.1 of all, 0.25 of the wrong.
 */
export function corrections({ n, corrected, stayedWrong }: AnswerChanges): { ofAll: number | null; ofWrong: number | null } {
  const wrong = corrected + stayedWrong;
  return { ofAll: n === 0 ? null : corrected / n, ofWrong: wrong === 0 ? null : corrected / wrong };
}
