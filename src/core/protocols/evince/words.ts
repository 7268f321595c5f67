import type { Belief } from '../../../shared/domain.ts';
import { quoted } from '../casePrompt.ts';

/** A distribution in percent, with quoted labels, the likeliest first; labels without mass are left out. */
export function probabilityText(labels: readonly string[], belief: Belief): string {
  const likely = labels.map((label) => ({ label, share: belief[label] ?? 0 })).filter(({ share }) => share > 0);
  return likely
    .toSorted((a, b) => b.share - a.share)
    .map(({ label, share }) => `${quoted(label)} ${Math.round(1000 * share) / 10}`)
    .join(', ');
}

/** Shares are compared to nine digits: sums of the same ones in another order differ after that. */
const digits = 1e9;

/** The likeliest labels, at most so many; of equally likely ones those first that come first among the labels. */
export function likeliest(labels: readonly string[], belief: Belief, most: number): string[] {
  const share = (label: string) => Math.round(digits * (belief[label] ?? 0));
  return labels.toSorted((a, b) => share(b) - share(a)).slice(0, most);
}
