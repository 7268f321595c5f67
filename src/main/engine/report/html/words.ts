import type { Outcome, Prediction } from '../../../../shared/domain.ts';
import { html, type Markup, name } from './markup.ts';

/** `70%`, `70.5%`. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(1))}%`;
}

/** `+17`, `-4.5`, `0`: percentage points, with a true minus sign. */
export function points(change: number): string {
  const rounded = Number((change * 100).toFixed(1));
  return rounded > 0 ? `+${rounded}` : String(rounded).replace('-', '−');
}

export const count = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

export function labels(prediction: Prediction): Markup {
  if (prediction === null) return html`none`;
  return html`${[prediction].flat().map((label, index) => html`${index > 0 && ', '}${name(label)}`)}`;
}

/** What became of a trial that was not decided. */
export const outcomeWords: Readonly<Record<Exclude<Outcome, 'decided'>, string>> = {
  undecided: 'The model openly declined to decide.',
  malformed: 'An answer without which the trial could not go on could not be read, also when it was asked for again.',
  invalid_label: 'The model answered with something that is not one of the possible answers.',
  truncated: 'An answer was cut off at the token limit.',
  overflow: "A prompt was longer than the model's context.",
  timeout: 'The model did not answer in time.',
  backend_error: 'The server failed to give an answer.',
  cancelled: 'A call was cancelled.',
};

export type Side = 'prosecution' | 'defense' | 'neutral';

/** The side that a role speaks for; roles that are not of two sides are neutral. */
export function sideOf(role: string): Side {
  if (/^(?:prosecut(?:or|ion)|affirmative|proponent)\d*$/.test(role)) return 'prosecution';
  return /^(?:defen[cs]e|negative|opponent)\d*$/.test(role) ? 'defense' : 'neutral';
}

/** A role as a heading has it. */
export function speaker(role: string): string {
  const title = role === 'prosecutor' ? 'prosecution' : role;
  return title.charAt(0).toUpperCase() + title.slice(1);
}
