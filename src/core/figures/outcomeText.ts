// How a trial or a call ended, in a few words.
import type { Outcome, Prediction } from '../../shared/domain.ts';
import { predictionText } from '../../shared/predictionText.ts';
import { count } from '../../shared/sizes.ts';

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

/** Of more than one, where that reads otherwise. */
const plurals: Readonly<Partial<Record<Outcome, string>>> = {
  malformed: 'unreadable answers',
  invalid_label: 'labels outside the set',
  truncated: 'answers cut off',
  overflow: 'prompts too long',
  backend_error: 'server errors',
};

/** How a trial or a call ended, in a few words; a name that is none of ours stays as it is. */
export const outcomeText = (outcome: string): string => (Object.hasOwn(words, outcome) ? words[outcome as Outcome] : outcome);

const kindText = (trials: number, outcome: string): string =>
  (trials === 1 ? undefined : plurals[outcome as Outcome]) ?? outcomeText(outcome);

/** `2 unreadable answers`, `1 timed out`. */
export const outcomesText = (trials: number, outcome: string): string => `${count(trials)} ${kindText(trials, outcome)}`;

type Ended = readonly { readonly outcome: string; readonly trials: number }[];

/** `3 failed (2 unreadable answers, 1 timed out)`, `16 failed (unreadable answers)`; null where none did. Who declines to decide did not. */
export function failedText(ended: Ended): string | null {
  const failures = ended.filter(({ outcome }) => outcome !== 'undecided');
  const [first] = failures;
  if (first === undefined) return null;
  const failed = failures.reduce((sum, { trials }) => sum + trials, 0);
  const kinds = failures.map(({ trials, outcome }) => outcomesText(trials, outcome)).join(', ');
  return `${count(failed)} failed (${failures.length === 1 ? kindText(failed, first.outcome) : kinds})`;
}

/** What an arm answered: its label, else how its trial ended; `outcome` is null while it has not. */
export const answerText = ({ outcome, prediction }: { outcome: Outcome | null; prediction: Prediction }): string =>
  outcome === null
    ? 'begun, not ended'
    : outcome === 'decided'
      ? (predictionText(prediction) ?? 'decided, without a label')
      : outcomeText(outcome);
