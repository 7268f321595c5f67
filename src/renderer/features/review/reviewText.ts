import type { ReviewedVerdict } from '../../../shared/api/reviews.ts';
import type { Review } from '../../../shared/reviews.ts';

const percent = (share: number) => `${Math.round(100 * share)}%`;

/** What the court found, and whether a label that was given is the same. */
export function verdictText({ prediction, confidence }: ReviewedVerdict, label: string | null): string {
  if (prediction === null) return 'the court was undecided.';
  const found = `the court found ${prediction}${confidence === null ? '' : ` (${percent(confidence)})`}`;
  if (label === null) return `${found}.`;
  return label === prediction ? `${found}, as you do.` : `${found}; you find ${label}.`;
}

/** What a reviewer answered, in a word. */
export const answerText = ({ judgement, label }: Pick<Review, 'judgement' | 'label'>): string =>
  judgement === 'label' ? (label ?? '') : judgement === 'unsure' ? 'unsure' : 'flagged';
