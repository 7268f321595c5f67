// The words that all parts of a report share.
import { minuteOf } from '../../../../shared/checkpoints.ts';
import type { Prediction } from '../../../../shared/domain.ts';
import type { BeliefChoice } from '../../../../shared/experiment.ts';
import { noneOfThem } from '../../../../shared/predictionText.ts';
import { count, quantity } from '../../../../shared/sizes.ts';
import type { ReportData } from './data.ts';
import { type Content, html, type Markup, name } from './markup.ts';

export { percent, points, wholeRange } from '../../../../core/figures/shares.ts';
export { speakerName as speaker, theSpeaker as theRole } from '../../../../core/figures/speakers.ts';
export { count, quantity };

export function labels(prediction: Prediction): Markup {
  if (prediction === null) return html`none`;
  if (!Array.isArray(prediction)) return name(prediction);
  if (prediction.length === 0) return html`${noneOfThem}`;
  return html`${prediction.map((label, index) => html`${index > 0 && ' + '}${name(label)}`)}`;
}

/** Labels one after the other, as alternatives. */
export const listed = (all: readonly string[]): Markup =>
  html`${all.map((label, index) => html`${index > 0 && ', '}${name(label)}`)}`;

export const isNarrowed = ({ kase, choices }: Pick<ReportData, 'kase' | 'choices'>): boolean =>
  choices.length < kase.labels.length;

/** What the court could choose, where that is less than the possible answers. */
export const choicesText = (data: Pick<ReportData, 'kase' | 'choices'>): Content =>
  isNarrowed(data) && html` The court could choose between ${count(data.choices.length)} of them only: ${listed(data.choices)}.`;

export const eachAnswer = (data: Pick<ReportData, 'kase' | 'choices'>): string =>
  isNarrowed(data) ? 'each of the answers that it could choose' : 'each answer';

/** What answered, as a report calls it: the demo model is no language model. */
export const answerer = (invented: boolean) =>
  invented
    ? { one: 'the demo model', several: 'voices of the demo model' }
    : { one: 'a language model', several: 'language models' };

export function beliefText(choice: BeliefChoice) {
  if (choice === 'verbal')
    return {
      title: 'Stated belief',
      every: 'Every belief is as the model stated it.',
      how: 'as stated',
      none: 'No probabilities were stated.',
      limit: 'Confidence and belief are what the model stated.',
    };
  if (choice === 'logprobs')
    return {
      title: 'Belief from token probabilities',
      every: 'Every belief is taken from the token probabilities at the label. Confidence is what the model stated.',
      how: 'by the token probabilities',
      none: 'There is no belief from token probabilities.',
      limit:
        'Confidence is what the model stated; beliefs are the probabilities of its own tokens, after the reasons it had just written.',
    };
  return {
    title: 'Belief from further answers',
    every: `Every belief is the shares of the labels among the valid ones of ${choice.sampled} further answers. Confidence is what the model stated.`,
    how: 'as the share of further answers',
    none: 'There is no belief from further answers.',
    limit: `Confidence is what the model stated; beliefs are shares of at most ${choice.sampled} further answers, with the error of so few.`,
  };
}

/** `2026-11-24 12:08 UTC` for a time of ISO 8601. */
export const moment = minuteOf;
