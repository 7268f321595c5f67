// The baseline that learns from the words of texts.
import type { Baseline, BaselineName, MissingBaseline } from './baseline.ts';
import { type BaselineTask, type LabelledCase, lessons, missing } from './learning.ts';
import { fittedLogistic } from './logisticBaseline.ts';
import { learnTerms } from './terms.ts';

const names = ['tfidf-logistic-regression'] as const satisfies readonly BaselineName[];
/** Characters of the training texts that are read; a seeded choice of cases where there are more. */
const mostCharacters = 30_000_000;
const mostTerms = 20_000;
/** Terms times labels: with many labels fewer terms are used. */
const mostWeights = 1_000_000;

const charactersOf = ({ facts }: LabelledCase) => facts.reduce((sum, { value }) => sum + value.length, 0);

/** Logistic regression over the TF-IDF weights of words and pairs of words, or why there is none. */
export function textBaselines(task: BaselineTask, training: readonly LabelledCase[]): (Baseline | MissingBaseline)[] {
  if (task.kind === 'tabular') return missing(names, 'only texts have words to learn from');
  const known = lessons(task, training, charactersOf, mostCharacters);
  if (typeof known === 'string') return missing(names, known);
  const terms = learnTerms(known.used, Math.min(mostTerms, Math.floor(mostWeights / known.present.length)));
  if (terms.width === 0) return missing(names, 'no word is in two training cases');
  const rows = { training: terms.encode(known.used), cases: terms.encode(task.onTrial) };
  const about = { ...known.about, columns: terms.parts };
  return [fittedLogistic(names[0], task, { ...known, about }, rows, { weights: 'tf-idf', terms: terms.width, longestTerm: 2 })];
}
