// How far the answers of a bench agree.
import type { BenchSplit } from '../../shared/api/deliberation.ts';
import type { BeliefGrounds } from '../../shared/domain.ts';

type Votes = Pick<NonNullable<BeliefGrounds['votes']>, 'counts'>;

const answersOf = ({ counts }: Votes) => Object.values(counts).filter((count) => count > 0);

/** How the valid answers of a bench split; null for fewer than two of them. */
export function splitOf(votes: Votes): BenchSplit | null {
  const counts = answersOf(votes);
  const all = counts.reduce((sum, count) => sum + count, 0);
  if (all < 2) return null;
  const most = Math.max(...counts);
  return most === all ? 'unanimous' : most > all / 2 ? 'majority' : 'divided';
}

/**
 * Share of the pairs of valid answers that name the same label, 0-1: sum of c (c - 1) over the labels / n (n - 1), with c
 * answers for a label and n in all, which is the observed agreement of one case in Fleiss' kappa.
 * Source: J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76 (1971), 378-382.
 * Null for fewer than two answers. Example: two for one label and one for another: 1/3.
 */
export function pairAgreement(votes: Votes): number | null {
  const counts = answersOf(votes);
  const all = counts.reduce((sum, count) => sum + count, 0);
  return all < 2 ? null : counts.reduce((sum, count) => sum + count * (count - 1), 0) / (all * (all - 1));
}
