// Fits all baselines of an experiment on its training cases.
import { type Baseline, type BaselineName, type Baselines, baselineNames, type MissingBaseline } from './baseline.ts';
import { majorityClass, stratifiedRandom } from './frequencyBaselines.ts';
import { type BaselineTask, type LabelledCase, lessons, missing } from './learning.ts';
import { fittedLogistic } from './logisticRegression.ts';
import { tableBaselines } from './tableBaselines.ts';
import { learnTerms } from './terms.ts';

// The baseline that learns from the words of texts.

const names = ['tfidf-logistic-regression'] as const satisfies readonly BaselineName[];
/** Characters of the training texts that are read; a seeded choice of cases where there are more. */
const mostCharacters = 30_000_000;
const mostTerms = 20_000;
/** Terms times labels: with many labels fewer terms are used. */
const mostWeights = 1_000_000;

const charactersOf = ({ facts }: LabelledCase) => facts.reduce((sum, { value }) => sum + value.length, 0);

/** Logistic regression over the TF-IDF weights of words and pairs of words, or why there is none. */
function textBaselines(task: BaselineTask, training: readonly LabelledCase[]): (Baseline | MissingBaseline)[] {
  if (task.kind === 'tabular')
    return missing(
      names,
      'it is for cases that are texts, and no baseline reads the words of a long text in a column of a table',
    );
  const known = lessons(task, training, charactersOf, mostCharacters);
  if (typeof known === 'string') return missing(names, known);
  const terms = learnTerms(known.used, Math.min(mostTerms, Math.floor(mostWeights / known.present.length)));
  if (terms.width === 0) return missing(names, 'no word is in two training cases');
  const rows = { training: terms.encode(known.used), cases: terms.encode(task.onTrial) };
  const about = { ...known.about, columns: terms.parts };
  return [fittedLogistic(names[0], task, { ...known, about }, rows, { weights: 'tf-idf', terms: terms.width, longestTerm: 2 })];
}

function whyNone({ kind, labels, training }: BaselineTask, known: number, onTrial: number): string | null {
  if (kind === 'open' || labels.length === 0) return 'open cases have no labels';
  if (training.length === 0) return 'the training split is empty: "split" gives "train" no cases';
  if (known > 0) return null;
  return onTrial > 0
    ? 'every labelled case of the training split is on trial itself'
    : 'no case of the training split has a label';
}

/** Fits an experiment's baselines on its training split. The same task gives the same result. @throws what `onProgress` throws */
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
