// Turns texts into weights of terms, fitted on the training cases alone.
import type { Fact } from '../../shared/domain.ts';
import { byCodeUnits } from '../cases/split.ts';
import { rarity, scaledWeights } from '../retrieval/termWeights.ts';
import type { SparseMatrix } from './features.ts';

interface WithFacts {
  readonly facts: readonly Fact[];
}

const words = /[\p{L}\p{N}_]{2,}/gu;
/** Training cases that a term needs: one case says nothing about others. */
const fewestOfTerm = 2;

/** How often each term is in a case. A term is a word or two words in a row, and another one in each part of the case. */
function termCounts({ facts }: WithFacts): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (term: string) => counts.set(term, (counts.get(term) ?? 0) + 1);
  for (const { name, value } of facts) {
    let before: string | undefined;
    for (const [word] of value.toLowerCase().matchAll(words)) {
      count(`${name}\n${word}`);
      if (before !== undefined) count(`${name}\n${before} ${word}`);
      before = word;
    }
  }
  return counts;
}

/**
 * TF-IDF weights of words and pairs of words in lower case, each case's weights scaled to length 1. Words are runs of two
 * letters, digits or underscores at least. Of the terms that two training cases have, the `most` frequent are used, of equally
 * frequent ones the first by their characters; all others count for nothing.
 *
 * This is scikit-learn's `TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, min_df=2, max_features=most)`, where a case
 * has one part, but for the choice among equally frequent terms.
 */
export function learnTerms(training: readonly WithFacts[], most: number) {
  const places = new Map<string, number>();
  const cases: number[] = [];
  const totals: number[] = [];
  for (const kase of training) {
    for (const [term, count] of termCounts(kase)) {
      const place = places.get(term) ?? places.size;
      places.set(term, place);
      cases[place] = (cases[place] ?? 0) + 1;
      totals[place] = (totals[place] ?? 0) + count;
    }
  }
  const frequent = [...places].filter(([, place]) => (cases[place] ?? 0) >= fewestOfTerm);
  const used = frequent.sort(([a, x], [b, y]) => (totals[y] ?? 0) - (totals[x] ?? 0) || byCodeUnits(a, b)).slice(0, most);
  const columns = new Map(used.map(([term], column) => [term, column]));
  const rarities = used.map(([, place]) => rarity(training.length, cases[place] ?? 0));
  return {
    width: used.length,
    /** Names of the parts of a case that have them, in their first order of appearance. */
    parts: [...new Set(training.flatMap(({ facts }) => facts.map(({ name }) => name)))],
    encode(encoded: readonly WithFacts[]): SparseMatrix {
      const starts = new Uint32Array(encoded.length + 1);
      const entries: { columns: number[]; values: number[] } = { columns: [], values: [] };
      encoded.forEach((kase, row) => {
        const counts = new Map<number, number>();
        for (const [term, count] of termCounts(kase)) {
          const column = columns.get(term);
          if (column !== undefined) counts.set(column, count);
        }
        for (const [column, weight] of scaledWeights(counts, (each) => rarities[each] ?? 0)) {
          entries.columns.push(column);
          entries.values.push(weight);
        }
        starts[row + 1] = entries.columns.length;
      });
      return {
        columns: Uint32Array.from(entries.columns),
        values: Float64Array.from(entries.values),
        starts,
        rows: encoded.length,
        width: used.length,
      };
    },
  };
}
