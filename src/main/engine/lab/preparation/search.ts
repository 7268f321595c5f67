// Finds the training cases that are similar to a case on trial.
import { narrate } from '../../../../core/cases/narrative.ts';
import { randomSource, shuffled } from '../../../../core/cases/shuffle.ts';
import { byCodeUnits } from '../../../../core/cases/split.ts';
import type { Candidate } from '../../../../core/retrieval/nearest.ts';
import { nearestByLabel } from '../../../../core/retrieval/nearest.ts';
import { tellingOf } from '../../../../core/retrieval/sameText.ts';
import { type TermIndex, termIndex } from '../../../../core/retrieval/termWeights.ts';
import { cosineAt, type UnitVectors, unitVectors } from '../../../../core/retrieval/vectors.ts';
import type { DatasetCase } from '../../../../shared/domain.ts';
import type { EventPayload } from '../../../../shared/events.ts';
import type { Store } from '../../store/store.ts';
import type { FrozenExperiment } from '../frozen.ts';

export interface Search {
  readonly kase: KnownCase;
  readonly labels: readonly string[];
  readonly perLabel: number;
  readonly by:
    | { readonly method: 'random'; readonly seed: number }
    | { readonly method: 'tf-idf' }
    /** `space` names vectors that were added; `own` is the case's. */
    | { readonly method: 'embeddings'; readonly space: string; readonly own: Float32Array };
}

export interface Found {
  readonly precedents: EventPayload<'precedent-retrieve'>['precedents'];
  /** Training cases of the labels that have no vector; 0 where no vectors are asked for. */
  readonly withoutVector: number;
}

interface VectorIndex {
  readonly units: UnitVectors;
  readonly missing: ReadonlySet<number>;
}

/** Finds training cases similar to a case on trial. Neither the case itself is found, nor one with the same facts. */
export type TrainingSearch = ReturnType<typeof openSearch>;

export function openSearch(training: readonly TrainingCase[]) {
  let terms: TermIndex | undefined;
  const spaces = new Map<string, VectorIndex>();

  const others = (kase: KnownCase) => {
    const telling = tellingOf(kase.narrative);
    return (candidate: TrainingCase) => candidate.id !== kase.id && candidate.telling !== telling;
  };

  const nearest = ({ kase, labels, perLabel }: Search, similarityAt: (place: number) => number | null) => {
    const other = others(kase);
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

  /** With the same chance for each case of a label. */
  const drawn = ({ kase, labels, perLabel }: Search, seed: number) => {
    const other = others(kase);
    return labels.flatMap((label) =>
      shuffled(
        training.filter((candidate) => candidate.label === label && other(candidate)).toSorted((a, b) => byCodeUnits(a.id, b.id)),
        randomSource(seed, `precedents ${label}`),
      )
        .slice(0, perLabel)
        .map(({ ref }) => ({ case: ref, label, similarity: null })),
    );
  };

  return {
    /** Adds the vectors of the training cases, in their order; null where a case has none. All of one length. */
    addVectors(space: string, vectors: Iterable<Float32Array | null>) {
      let values = new Float32Array(0);
      let dimensions = 1;
      let place = 0;
      const missing = new Set<number>();
      for (const vector of vectors) {
        if (vector === null) missing.add(place);
        else {
          if (values.length === 0) {
            dimensions = vector.length;
            values = new Float32Array(training.length * dimensions);
          }
          if (vector.length !== dimensions) throw new Error(`vectors of ${dimensions} and ${vector.length} numbers in one space`);
          values.set(vector, place * dimensions);
        }
        place += 1;
      }
      spaces.set(space, { units: unitVectors(values, dimensions), missing });
    },

    search(search: Search): Found {
      const { kase, labels, by } = search;
      if (by.method === 'random') return { precedents: drawn(search, by.seed), withoutVector: 0 };
      if (by.method === 'tf-idf') {
        terms ??= termIndex(training.map(({ narrative }) => narrative));
        const similarities = terms.similarities(kase.narrative);
        return { precedents: nearest(search, (place) => similarities[place] ?? 0), withoutVector: 0 };
      }
      const space = spaces.get(by.space);
      if (space === undefined) throw new Error(`the vectors of ${by.space} were not added`);
      const { units, missing } = space;
      if (missing.size < training.length && by.own.length !== units.dimensions) {
        throw new Error(`a vector of ${by.own.length} numbers in a space of ${units.dimensions}`);
      }
      const { values: unit } = unitVectors(by.own, by.own.length);
      const wanted = new Set(labels);
      const other = others(kase);
      const lost = [...missing].filter((place) => {
        const candidate = training[place];
        return candidate !== undefined && wanted.has(candidate.label) && other(candidate);
      });
      return {
        precedents: nearest(search, (place) => (missing.has(place) ? null : cosineAt(units, place, unit))),
        withoutVector: lost.length,
      };
    },
  };
}

export interface KnownCase {
  readonly id: string;
  readonly ref: string;
  /** The facts in the form that is compared. */
  readonly narrative: string;
}

export interface TrainingCase extends KnownCase, Candidate {
  /** Its facts: cases with the same are duplicates. */
  readonly telling: string;
}

export const narrativeOf = ({ definition }: FrozenExperiment, { facts }: DatasetCase): string =>
  narrate(facts, definition.dataset.kind);

/** Every case of the training split with one known label, in the order of the source. No other split is looked at. */
export function readTrainingCases(store: Store, frozen: FrozenExperiment): TrainingCase[] {
  return store.datasets.cases(frozen.dataset.id).flatMap(({ id, ref, split }) => {
    if (split !== 'train') return [];
    const kase = store.datasets.read(ref);
    if (typeof kase.truth !== 'string') return [];
    const narrative = narrativeOf(frozen, kase);
    return [{ id, ref, label: kase.truth, narrative, telling: tellingOf(narrative) }];
  });
}
