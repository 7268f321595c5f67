/*
 * Data sets with what scipy and scikit-learn say of them: `expected` of the cases as they are, `weighted` of each case
 * as often as its weight says. docs/reference/README.md says how they were made.
 */

import beliefs from '../../../docs/reference/values/beliefs.json' with { type: 'json' };
import classification from '../../../docs/reference/values/classification.json' with { type: 'json' };
import columns from '../../../docs/reference/values/columns.json' with { type: 'json' };
import confidences from '../../../docs/reference/values/confidences.json' with { type: 'json' };
import multiLabel from '../../../docs/reference/values/multiLabel.json' with { type: 'json' };
import shares from '../../../docs/reference/values/shares.json' with { type: 'json' };
import type { BelievedCase } from './distribution.ts';

const pairs = <T>(truths: readonly T[], predictions: readonly T[]) =>
  truths.flatMap((truth, index) => {
    const prediction = predictions[index];
    return prediction === undefined ? [] : [{ truth, prediction }];
  });

/** Truth and prediction of one label. */
export const classificationSets = classification.sets.map((set) => ({ ...set, pairs: pairs(set.truth, set.prediction) }));

/** Truth and prediction of several labels. */
export const multiLabelSets = multiLabel.sets.map((set) => ({
  ...set,
  pairs: pairs<readonly string[]>(set.truth, set.prediction),
}));

/** Distributions over labels. */
export const beliefSets = beliefs.sets.map((set) => ({
  ...set,
  cases: set.beliefs.map(
    (row, index): BelievedCase => ({
      belief: Object.fromEntries(set.labels.map((label, place) => [label, row[place] ?? 0])),
      truth: set.truth[index] ?? '',
    }),
  ),
}));

/** Confidence in a prediction and whether it was right. */
export const confidenceSets = confidences.sets.map((set) => ({ ...set, isCorrect: set.correct.map((right) => right === 1) }));

/** Two columns of numbers. */
export const columnSets = columns.sets;

/** Intervals of shares. */
export const shareSets = shares.sets;
