import type { Outcome, Prediction } from '../../../../shared/domain.ts';
import { html, type Markup, name } from './markup.ts';

export { percent, points } from '../../../../core/figures/shares.ts';
export { sideOf, speakerName as speaker } from '../../../../core/figures/speakers.ts';

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
