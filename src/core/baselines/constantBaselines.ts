import type { DatasetCase } from '../../shared/domain.ts';
import { type Baseline, type Baselines, baselineNames } from './baseline.ts';
import { type LabelledCase, missing } from './learning.ts';
import { majorityClass } from './majorityClass.ts';
import { stratifiedRandom } from './stratifiedRandom.ts';

/** With what a reader should know of a baseline that knows the truths of the cases on trial. */
const filled = (baseline: Baseline): Baseline => ({
  ...baseline,
  about: {
    ...baseline.about,
    notes: [
      'fitted on the truths of the cases on trial themselves, since an experiment made from a file of predictions has no others: it knows how often each label is right here, and is therefore a little better than on other cases',
    ],
  },
});

/**
 * The baselines of cases without facts and without a training split: the majority and the draw by frequency, from the truths
 * of the cases on trial. Only for experiments that were made from a file of predictions.
 */
export function constantBaselines(onTrial: readonly DatasetCase[], labels: readonly string[], seed: number): Baselines {
  const [, , ...learned] = baselineNames;
  const known = onTrial.filter((kase): kase is LabelledCase => kase.truth !== null);
  const fitted =
    known.length === 0 ? [] : [majorityClass(known, onTrial, labels), stratifiedRandom(known, onTrial, labels, seed)].map(filled);
  const without = fitted.length === 0 ? missing(baselineNames.slice(0, 2), 'no case has a truth') : [];
  return {
    baselines: fitted,
    missing: [...without, ...missing(learned, 'no facts were imported to learn from')],
    training: { cases: 0, unlabelled: 0, onTrial: 0 },
  };
}
