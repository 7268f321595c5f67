import { randomSource, shuffled } from '../../../../core/cases/shuffle.ts';
import { byCodeUnits } from '../../../../core/cases/split.ts';
import type { PrecedentQuery } from '../../../../core/protocols/court.ts';
import type { Retrieval } from '../../../../core/record/effects.ts';
import { nearestByLabel } from '../../../../core/retrieval/nearest.ts';
import { type TermIndex, termIndex } from '../../../../core/retrieval/termWeights.ts';
import { cosineAt, type UnitVectors, unitVectors } from '../../../../core/retrieval/vectors.ts';
import type { Embeddings } from './embeddings.ts';
import type { KnownCase, TrainingCase } from './trainingCases.ts';

type Found = Retrieval['precedents'];

/** Finds training cases beside a case on trial. Neither the case itself is found, nor one that tells the same. */
export interface Retriever {
  /** Drawn by the seed, with the same chance for each case of a label. */
  random(kase: KnownCase, query: PrecedentQuery, seed: number): Retrieval;
  /** By the cosine of TF-IDF weights. */
  byTerms(kase: KnownCase, query: PrecedentQuery): Retrieval;
  /** By the cosine of a model's vectors. Throws what is no part of a trial. */
  byVectors(kase: KnownCase, query: PrecedentQuery, embeddings: Embeddings): Promise<Retrieval>;
}

/** The vectors of the training cases as one list, with the cases that have none. */
interface VectorIndex {
  readonly units: UnitVectors;
  readonly missing: ReadonlySet<number>;
}

const isOther =
  (kase: KnownCase) =>
  ({ id, narrative }: TrainingCase): boolean =>
    id !== kase.id && narrative !== kase.narrative;

export function openRetriever(training: readonly TrainingCase[]): Retriever {
  let terms: TermIndex | undefined;
  const indexes = new WeakMap<Embeddings, Promise<VectorIndex>>();

  const nearest = (
    kase: KnownCase,
    { labels, perLabel }: PrecedentQuery,
    similarityAt: (place: number) => number | null,
  ): Found => {
    const other = isOther(kase);
    const similarityOf = (place: number) => {
      const candidate = training[place];
      return candidate !== undefined && other(candidate) ? similarityAt(place) : null;
    };
    return nearestByLabel(training, similarityOf, labels, perLabel).map(({ candidate: { ref, label }, similarity }) => ({
      case: ref,
      label,
      similarity,
    }));
  };

  const indexOf = (embeddings: Embeddings): Promise<VectorIndex> => {
    const made = indexes.get(embeddings);
    if (made !== undefined) return made;
    const making = embeddings.of(training).then((all): VectorIndex => {
      const dimensions = all.find((each) => each instanceof Float32Array)?.length ?? 1;
      const values = new Float32Array(all.length * dimensions);
      const missing = new Set<number>();
      all.forEach((each, place) => {
        if (each instanceof Float32Array && each.length === dimensions) values.set(each, place * dimensions);
        else missing.add(place);
      });
      return { units: unitVectors(values, dimensions), missing };
    });
    indexes.set(embeddings, making);
    // What was cut short is begun anew by whoever asks next.
    making.catch(() => indexes.delete(embeddings));
    return making;
  };

  return {
    random(kase, { labels, perLabel }, seed) {
      const precedents = labels.flatMap((label): Found => {
        const drawn = shuffled(
          training
            .filter((candidate) => candidate.label === label && isOther(kase)(candidate))
            .toSorted((a, b) => byCodeUnits(a.id, b.id)),
          randomSource(seed, `precedents ${label}`),
        );
        return drawn.slice(0, perLabel).map(({ ref }) => ({ case: ref, label, similarity: null }));
      });
      return { method: 'random', setup: null, precedents, failure: null };
    },

    byTerms(kase, query) {
      terms ??= termIndex(training.map(({ narrative }) => narrative));
      const similarities = terms.similarities(kase.narrative);
      const precedents = nearest(kase, query, (place) => similarities[place] ?? 0);
      return { method: 'tf-idf', setup: null, precedents, failure: null };
    },

    async byVectors(kase, query, embeddings) {
      const { units, missing } = await indexOf(embeddings);
      const [own] = await embeddings.of([kase]);
      const setup = embeddings.setupOf(kase);
      if (!(own instanceof Float32Array)) return { method: 'embeddings', setup, precedents: [], failure: own ?? null };
      const { values: unit } = unitVectors(own, own.length);
      const precedents = nearest(kase, query, (place) => (missing.has(place) ? null : cosineAt(units, place, unit)));
      return { method: 'embeddings', setup, precedents, failure: null };
    },
  };
}
