// What the number next to a verdict means.
import type { BeliefSource } from '../../shared/domain.ts';
import type { TrialLine } from '../../shared/trialLine.ts';
import { percent, wholePercent } from './shares.ts';

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

/** What the number next to a verdict is, by the source of its belief; null: a verdict without one. */
export const certaintyOf = (source: BeliefSource | null): CertaintyWords =>
  source === null ? stated : (words[source] ?? stated);

type Sure = Pick<TrialLine, 'confidence' | 'belief_source'>;

function certaintyIn({ confidence, belief_source: source }: Sure, asText: (share: number) => string): string {
  if (confidence === null) return '';
  return source === 'votes' ? `${asText(confidence)} ${certaintyOf(source).of}` : asText(confidence);
}

/** The number behind the verdict of a trial, as recorded: `70.5%`, `100% of the votes`; empty for a verdict without one. */
export const certaintyText = (line: Sure): string => certaintyIn(line, percent);

/** The same next to other verdicts: `70%`. */
export const certaintyInList = (line: Sure): string => certaintyIn(line, wholePercent);
