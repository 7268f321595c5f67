import { randomSource } from '../src/core/cases/shuffle.ts';
import { type Candidate, nearestByLabel } from '../src/core/retrieval/nearest.ts';
import { termIndex } from '../src/core/retrieval/termWeights.ts';
import { cosineAt, unitVectors } from '../src/core/retrieval/vectors.ts';

/** Training cases, cases on trial, length of the vectors and precedents of each label. */
const plan = { training: 10_000, queries: 200, dimensions: 768, perLabel: 2 };
const labels = ['sadness', 'joy', 'love', 'anger', 'fear', 'surprise'];
const random = randomSource(1, 'retrieval');

const training: Candidate[] = Array.from({ length: plan.training }, (_, index) => ({
  id: `c${index}`,
  label: labels[index % labels.length] ?? '',
}));

/** Words in about the shares of a language: the n-th is drawn 1/n as often as the first. */
const word = () => `w${Math.floor(Math.exp(random.next() * Math.log(20_000)))}`;
const text = () => Array.from({ length: 10 + random.below(40) }, word).join(' ');
const vector = () => Float32Array.from({ length: plan.dimensions }, () => random.next() - 0.5);

type Found = readonly { readonly candidate: Candidate }[];

/** The nearest of each label when everything is sorted. */
function sorted(cosines: readonly number[]): string[] {
  const order = training
    .map(({ id, label }, place) => ({ id, label, cosine: cosines[place] ?? 0 }))
    .sort((a, b) => b.cosine - a.cosine || (a.id < b.id ? -1 : 1));
  return labels.flatMap((label) =>
    order
      .filter((each) => each.label === label)
      .slice(0, plan.perLabel)
      .map(({ id }) => id),
  );
}

interface Measured {
  readonly recall: number;
  readonly millisecondsPerCase: number;
}

/** Share of what a full sort finds that is found, and time per case. */
function measure<Q>(queries: readonly Q[], find: (query: Q) => Found, brute: (query: Q) => number[]): Measured {
  const started = performance.now();
  const found = queries.map(find);
  const millisecondsPerCase = (performance.now() - started) / queries.length;
  const shares = queries.map((query, index) => {
    const ids = new Set(found[index]?.map(({ candidate }) => candidate.id));
    const expected = sorted(brute(query));
    return expected.filter((id) => ids.has(id)).length / expected.length;
  });
  return { recall: shares.reduce((sum, share) => sum + share, 0) / shares.length, millisecondsPerCase };
}

const print = (name: string, { recall, millisecondsPerCase }: Measured, indexMs: number) =>
  console.info(
    `${name}: recall ${recall.toFixed(4)} against brute force, ${millisecondsPerCase.toFixed(2)} ms a case, index in ${Math.round(indexMs)} ms`,
  );

console.info(`${plan.training} training cases, ${plan.queries} cases, ${labels.length} labels, ${plan.perLabel} of each`);

const raw = new Float32Array(plan.training * plan.dimensions).map(() => random.next() - 0.5);
const scaledAt = performance.now();
const units = unitVectors(raw, plan.dimensions);
const scaledMs = performance.now() - scaledAt;
const embeddings = measure(
  Array.from({ length: plan.queries }, vector),
  (query) => {
    const { values } = unitVectors(query, plan.dimensions);
    return nearestByLabel(training, (place) => cosineAt(units, place, values), labels, plan.perLabel);
  },
  // By the definition of the cosine, from the vectors as they came.
  (query) =>
    training.map((_case, place) => {
      let [dot, own, other] = [0, 0, 0];
      for (let at = 0; at < plan.dimensions; at++) {
        const [a, b] = [raw[place * plan.dimensions + at] ?? 0, query[at] ?? 0];
        dot += a * b;
        own += a * a;
        other += b * b;
      }
      return dot / Math.sqrt(own * other);
    }),
);
print(`embeddings of ${plan.dimensions} numbers`, embeddings, scaledMs);

const texts = Array.from({ length: plan.training }, text);
const indexedAt = performance.now();
const index = termIndex(texts);
const indexMs = performance.now() - indexedAt;
// Brute force has no inverted index: it weighs every text and multiplies term by term.
const terms = (of: string) => of.split(' ');
const documents = new Map<string, number>();
for (const each of texts) for (const term of new Set(terms(each))) documents.set(term, (documents.get(term) ?? 0) + 1);
const weighed = (of: string) => {
  const counts = new Map<string, number>();
  for (const term of terms(of)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const rarity = (term: string) => Math.log((1 + texts.length) / (1 + (documents.get(term) ?? 0))) + 1;
  const weights = new Map([...counts].map(([term, count]) => [term, (1 + Math.log(count)) * rarity(term)]));
  const length = Math.hypot(...weights.values());
  return new Map([...weights].map(([term, weight]) => [term, weight / length]));
};
const all = texts.map(weighed);
const tfIdf = measure(
  Array.from({ length: plan.queries }, text),
  (query) => {
    const similarities = index.similarities(query);
    return nearestByLabel(training, (place) => similarities[place] ?? 0, labels, plan.perLabel);
  },
  (query) => {
    const own = weighed(query);
    return all.map((weights) => [...own].reduce((sum, [term, weight]) => sum + weight * (weights.get(term) ?? 0), 0));
  },
);
print('TF-IDF', tfIdf, indexMs);
process.exitCode = embeddings.recall === 1 && tfIdf.recall === 1 ? 0 : 1;
