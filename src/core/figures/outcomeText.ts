// How a trial or a call ended, in a few words.
import type { Outcome } from '../../shared/domain.ts';

const words: Readonly<Record<Outcome, string>> = {
  decided: 'decided',
  undecided: 'undecided',
  malformed: 'unreadable answer',
  invalid_label: 'label outside the set',
  truncated: 'answer cut off',
  overflow: 'prompt too long',
  timeout: 'timed out',
  backend_error: 'server error',
  cancelled: 'cancelled',
};

/** How a trial or a call ended, in a few words; a name that is none of ours stays as it is. */
export const outcomeText = (outcome: string): string => (Object.hasOwn(words, outcome) ? words[outcome as Outcome] : outcome);
