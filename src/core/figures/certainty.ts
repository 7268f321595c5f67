// What the number beside a verdict means.
import type { BeliefSource } from '../../shared/domain.ts';

interface CertaintyWords {
  /** Before the number. */
  readonly title: string;
  /** Behind it. */
  readonly of: string;
  /** Over the distribution behind the verdict. */
  readonly belief: string;
}

const stated: CertaintyWords = { title: 'Stated confidence', of: 'sure, as stated', belief: 'Belief behind the verdict' };
const words: Partial<Record<BeliefSource, CertaintyWords>> = {
  votes: { title: 'Share of the votes', of: 'of the votes', belief: 'Shares of the votes' },
  mixture: { title: 'Share of the mixture', of: 'of the mixture', belief: 'Mixture behind the verdict' },
  smoothed: { title: 'Smoothed belief', of: 'smoothed over the rounds', belief: 'Smoothed belief' },
};

/** What the number beside a verdict is, by where its belief comes from; null: a verdict without one. */
export const certaintyOf = (source: BeliefSource | null): CertaintyWords =>
  source === null ? stated : (words[source] ?? stated);
