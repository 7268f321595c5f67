import { certaintyOf } from '../../../core/figures/certainty.ts';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { percent } from '../../../core/figures/shares.ts';
import { speakerName } from '../../../core/figures/speakers.ts';
import type { BeliefSource, Prediction, Truth } from '../../../shared/domain.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import type { TurnItem } from './courtItems.ts';

/** Labels as one text; they come from outside and belong into a `bdi`. */
export function labelText(labels: Prediction | Truth): string {
  return predictionText(labels) ?? 'none';
}

/** How sure a role is of what it found; of a set of labels only each label's own probability is stated. */
export function sureText({
  prediction,
  confidence,
  source,
}: {
  prediction: Prediction;
  confidence: number | null;
  source: BeliefSource;
}): string {
  if (confidence !== null) return `${percent(confidence)} ${certaintyOf(source).of}`;
  return Array.isArray(prediction) ? 'each label judged by itself' : 'no confidence stated';
}

/** `Prosecution`, `rebuttal 2`. */
export function headingOf({ spoken, number, beliefs }: TurnItem): { who: string; what: string } {
  if (spoken === null) return { who: speakerName(beliefs[0]?.role ?? ''), what: 'before anyone spoke' };
  const who = speakerName(spoken.role);
  if (spoken.kind === 'ruling') return { who, what: 'ruling' };
  if (spoken.kind === 'forfeit') return { who, what: 'turn forfeited' };
  return { who, what: number === null ? spoken.turn : `${spoken.turn} ${number}` };
}

export type Verdict = { tone: 'good' | 'bad' | 'plain' | 'warn'; before: string; label: string | null; after: string };

/** The verdict beside the truth, or why there is none. */
export function verdictOf({ status, outcome, prediction, confidence, truth, correct }: TrialLine): Verdict {
  if (status === 'queued') return { tone: 'plain', before: 'not begun', label: null, after: '' };
  if (status === 'running') return { tone: 'plain', before: 'under way', label: null, after: '' };
  if (outcome !== 'decided') {
    return {
      tone: 'warn',
      before: `no verdict: ${outcome === null ? 'unknown' : outcomeText(outcome)}`,
      label: null,
      after: '',
    };
  }
  if (prediction === null) return { tone: 'plain', before: 'Decided: an open question', label: null, after: '' };
  const tone = correct === null ? 'plain' : correct ? 'good' : 'bad';
  const sure = confidence === null ? '' : ` ${percent(confidence)}`;
  const right = correct === null ? '' : correct ? ' · correct' : ' · wrong';
  return {
    tone,
    before: 'Verdict',
    label: labelText(prediction),
    after: `${sure}${right}${truth === null ? ' · truth unknown' : ''}`,
  };
}

const grouped = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 0 });
export const count = (value: number): string => grouped.format(value);

/** `840 ms`, `4.1 s`, `3 min 5 s`. */
export function elapsed(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return `${Math.floor(Math.round(seconds) / 60)} min ${Math.round(seconds) % 60} s`;
}

/** Names of fields as words. */
export const fieldText = (name: string): string => name.replaceAll('_', ' ');
