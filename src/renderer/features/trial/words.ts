import { certaintyText } from '../../../core/figures/certainty.ts';
import { outcomeText } from '../../../core/figures/outcomeText.ts';
import { labelNoun, rightness, rightnessTone } from '../../../shared/decidedBy.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { toneLook } from '../../ui/Pill.tsx';

export type Verdict = { tone: 'good' | 'bad' | 'plain' | 'warn'; before: string; label: string | null; after: string };

export function verdictOf(line: TrialLine): Verdict {
  const { status, outcome, prediction, truth, correct } = line;
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
  const tone = rightnessTone(line) ?? 'plain';
  const certainty = certaintyText(line);
  const sure = certainty === '' ? '' : ` ${certainty}`;
  const right = correct === null ? '' : ` · ${rightness(line)}`;
  return {
    tone,
    before: 'Verdict',
    label: predictionText(prediction) ?? 'none',
    after: `${sure}${right}${truth === null ? ` · ${labelNoun(line)} unknown` : ''}`,
  };
}

/** The colour of whether a verdict is right; muted where it is held against what somebody decided. */
export function toneClass(line: Pick<TrialLine, 'correct' | 'decided_by'>): string {
  return toneLook[rightnessTone(line) ?? 'plain'];
}

/** `840 ms`, `4.1 s`, `3 min 5 s`. */
export function elapsed(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  return `${Math.floor(Math.round(seconds) / 60)} min ${Math.round(seconds) % 60} s`;
}

export const fieldText = (name: string): string => name.replaceAll('_', ' ');
