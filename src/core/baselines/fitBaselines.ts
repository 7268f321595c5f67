// Fits all baselines of an experiment on its training cases.
import { type Baselines, baselineNames } from './baseline.ts';
import { type BaselineTask, type LabelledCase, missing } from './learning.ts';
import { majorityClass } from './majorityClass.ts';
import { stratifiedRandom } from './stratifiedRandom.ts';
import { tableBaselines } from './tableBaselines.ts';
import { textBaselines } from './textBaseline.ts';

/** Why nothing can be learned from the training split at all, or null. */
function whyNone({ kind, labels, training }: BaselineTask, known: number, onTrial: number): string | null {
  if (kind === 'open' || labels.length === 0) return 'open cases have no labels';
  if (training.length === 0) return 'the training split is empty: "split" gives "train" no cases';
  if (known > 0) return null;
  return onTrial > 0
    ? 'every labelled case of the training split is on trial itself'
    : 'no case of the training split has a label';
}

/**
 * Fits every baseline that an experiment can have on its training split alone. The same task gives the same result.
 * @throws what `onProgress` throws
 */
export function fitBaselines(task: BaselineTask): Baselines {
  const { labels, onTrial, seed } = task;
  const tried = new Set(onTrial.map(({ id }) => id));
  const free = task.training.filter(({ id }) => !tried.has(id));
  const usable = free.filter((kase): kase is LabelledCase => kase.truth !== null);
  const training = {
    cases: task.training.length,
    unlabelled: free.length - usable.length,
    onTrial: task.training.length - free.length,
  };
  const why = whyNone(task, usable.length, training.onTrial);
  if (why !== null) return { baselines: [], missing: missing(baselineNames, why), training };
  const fitted = [
    majorityClass(usable, onTrial, labels),
    stratifiedRandom(usable, onTrial, labels, seed),
    ...tableBaselines(task, usable),
    ...textBaselines(task, usable),
  ];
  task.onProgress?.(1);
  return {
    baselines: fitted.flatMap((each) => ('why' in each ? [] : [each])),
    missing: fitted.flatMap((each) => ('why' in each ? [each] : [])),
    training,
  };
}
