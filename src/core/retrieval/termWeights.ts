/** Cosines of one text with every text of an index, by place. */
export interface TermIndex {
  similarities(text: string): Float64Array;
}

const words = /[\p{L}\p{N}]+/gu;

function termCounts(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(words)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Smoothed inverse document frequency of a term that `holding` of so many texts hold. */
export const rarity = (texts: number, holding: number): number => Math.log((1 + texts) / (1 + holding)) + 1;

/** Sublinear counts times rarities of the terms of a text, scaled to length 1; nothing for no terms. */
export function scaledWeights<Term>(
  counts: Iterable<readonly [Term, number]>,
  rarityOf: (term: Term) => number,
): [Term, number][] {
  const raw = [...counts].map(([term, count]): [Term, number] => [term, (1 + Math.log(count)) * rarityOf(term)]);
  const length = Math.sqrt(raw.reduce((sum, [, weight]) => sum + weight ** 2, 0)) || 1;
  return raw.map(([term, weight]) => [term, weight / length]);
}

interface Posting {
  readonly place: number;
  readonly weight: number;
}

/**
 * TF-IDF over texts, for cosines without an embedding model.
 *
 *   weight(term, text) = (1 + ln count) · (ln((1 + N) / (1 + n)) + 1), each text's weights scaled to length 1
 *
 * with N texts of which n hold the term. Terms are runs of letters and digits in lower case; nothing is stemmed or
 * left out. A term that no indexed text holds counts for the length of the text that is searched for (n = 0).
 *
 * Source: sublinear term frequency and smoothed inverse document frequency, Manning, Raghavan and Schütze,
 * "Introduction to Information Retrieval", sections 6.2 to 6.4; the smoothing is scikit-learn's.
 *
 * An inverted index: only texts that share a term with the one searched for cost anything, and none is missed, since
 * all others have the cosine 0.
 */
export function termIndex(texts: readonly string[]): TermIndex {
  const counted = texts.map(termCounts);
  const documents = new Map<string, number>();
  for (const counts of counted) for (const term of counts.keys()) documents.set(term, (documents.get(term) ?? 0) + 1);
  const weigh = (counts: ReadonlyMap<string, number>) =>
    scaledWeights(counts, (term) => rarity(texts.length, documents.get(term) ?? 0));

  const postings = new Map<string, Posting[]>();
  counted.forEach((counts, place) => {
    for (const [term, weight] of weigh(counts)) {
      const list = postings.get(term);
      if (list === undefined) postings.set(term, [{ place, weight }]);
      else list.push({ place, weight });
    }
  });

  return {
    similarities(text) {
      const cosines = new Float64Array(texts.length);
      for (const [term, own] of weigh(termCounts(text))) {
        for (const { place, weight } of postings.get(term) ?? []) cosines[place] = (cosines[place] ?? 0) + own * weight;
      }
      return cosines;
    },
  };
}
