// The baselines that an experiment can have, and what each reports.
import type { Belief, CaseKind, Prediction } from '../../shared/domain.ts';
import type { BaselineAbout } from '../../shared/statistics.ts';

export const baselineNames = [
  'majority',
  'stratified-random',
  'logistic-regression',
  'random-forest',
  'gradient-boosting',
  'tfidf-logistic-regression',
] as const;
export type BaselineName = (typeof baselineNames)[number];

/** The baseline that is drawn by lot: its luck says nothing. */
export const drawnBaseline: BaselineName = 'stratified-random';

/** The baselines that an arm can be compared with beforehand, where there are training cases. @param kind of the cases; absent: of any kind */
export const comparableBaselines = (kind?: CaseKind): BaselineName[] =>
  baselineNames.filter((name) => {
    const ofTexts = name === 'tfidf-logistic-regression';
    return name !== drawnBaseline && (name === 'majority' || kind === undefined || (kind === 'tabular') !== ofTexts);
  });

export interface BaselinePrediction {
  readonly case: string;
  /** One label, or a list of labels (in the order of the labels) where cases can have several. */
  readonly prediction: Prediction;
  /** Over all labels, each 0-1, the sum 1; where cases can have several labels, each by itself. */
  readonly belief: Belief | null;
}

export interface Baseline {
  readonly name: BaselineName;
  /** One for each case on trial, in the order of the sample. */
  readonly predictions: readonly BaselinePrediction[];
  readonly about: BaselineAbout;
}

export interface MissingBaseline {
  readonly name: BaselineName;
  /** A clause that begins in lower case, such as `the training split has no cases`. */
  readonly why: string;
}

/** All the baselines of an experiment: each name is in one of the two lists, in the order of `baselineNames`. */
export interface Baselines {
  readonly baselines: readonly Baseline[];
  readonly missing: readonly MissingBaseline[];
}
