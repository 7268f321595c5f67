// Finds cases by the words of their facts: of one that no experiment drew, a reader finds what is on the record nowhere else.
import { createHash } from 'node:crypto';
import { factLine, type ShownTerms } from '../../../core/cases/columnNames.ts';
import type { UndrawnCase, UndrawnCases } from '../../../shared/api/experiments.ts';
import { listedCase } from '../dataFiles/caseReading.ts';
import { columnTermsOf, type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { searchFolder } from '../report/statisticsCache.ts';
import { cacheDatabaseOf } from '../store/cacheDatabase.ts';
import type { StoredCase } from '../store/datasets.ts';
import { type Shelf, termsOf, withSearchIndex } from '../store/searchIndex.ts';
import type { Store } from '../store/store.ts';
import type { Query } from './query.ts';

const mostListed = 200;
const mostNamed = 10;
/** Cases that are added to the index as one. */
const together = 500;

function asRead(store: Store, frozen: FrozenExperiment, terms: ShownTerms, stored: StoredCase): UndrawnCase {
  const { kind, label, exclude } = frozen.definition.dataset;
  const { id, position, ref, split } = stored;
  return {
    ...{ experiment: frozen.name, id, place: position + 1, kind, left_out: exclude },
    ...(label?.decidedBy === undefined ? {} : { decided_by: label.decidedBy }),
    listed: store.erasures.has(ref) ? null : listedCase(split, store.datasets.read(ref), terms),
  };
}

const wordsOf = ({ id, listed }: UndrawnCase): string =>
  [id, ...(listed === null ? [] : [listed.question ?? '', factLine(listed.facts), ...Object.values(listed.groups)])].join('\n');

/** Places of the cases with all of the terms in the data of an experiment, whose facts are indexed first where they are not yet. */
function placesWith(store: Store, index: Shelf, frozen: FrozenExperiment, shown: ShownTerms, terms: readonly string[]): number[] {
  const { id } = frozen.dataset;
  const { names, units, namesInPrompts } = shown;
  const head = store.datasets.get(id).manifest ?? '';
  const key = createHash('sha256')
    .update(JSON.stringify([head, names, units, namesInPrompts]))
    .digest('hex')
    .slice(0, 32);
  const known = index.heads();
  const size = store.datasets.sizes(id).reduce((sum, { cases }) => sum + cases, 0);
  const parts = Array.from({ length: Math.ceil(size / together) }, (_none, part) => part);
  const missing = parts.filter((part) => known.get(`${key} ${part}`) !== head);
  if (missing.length > 0) {
    const there = new Set(store.datasets.all().map((dataset) => dataset.manifest));
    const gone = [...known].flatMap(([source, of]) => (there.has(of) ? [] : [source]));
    if (gone.length > 0) index.together(() => gone.forEach(index.drop));
    const cases = store.datasets.cases(id);
    for (const part of missing) {
      const texts = cases.slice(part * together, (part + 1) * together).map((stored) => {
        return { seq: stored.position, text: wordsOf(asRead(store, frozen, shown, stored)) };
      });
      index.together(() => index.put(`${key} ${part}`, head, key, texts));
    }
  }
  return index
    .find(terms, key, -1)
    .places.map(({ seq }) => seq)
    .toSorted((one, other) => one - other);
}

interface FoundCase {
  /** As the first experiment has it. */
  readonly read: () => UndrawnCase;
  readonly id: string;
  readonly drawnBy: readonly FrozenExperiment[];
}

/** The cases of the data of these experiments that have all of the terms, in the order of the data, each with the experiments that drew it. */
function* casesWith(
  store: Store,
  index: Shelf,
  experiments: readonly FrozenExperiment[],
  terms: readonly string[],
): Generator<FoundCase> {
  for (const [dataset, all] of Map.groupBy(experiments, (frozen) => frozen.dataset.id)) {
    const [first] = all;
    if (first === undefined) continue;
    const shown = columnTermsOf(store, first);
    const places = terms.length === 0 ? null : placesWith(store, index, first, shown, terms);
    if (places?.length === 0) continue;
    const samples = all.map((frozen) => ({ frozen, drawn: new Set(frozen.sample()) }));
    const cases = store.datasets.cases(dataset);
    for (const stored of places === null ? cases : places.flatMap((place) => cases[place] ?? [])) {
      const drawnBy = samples.flatMap(({ frozen, drawn }) => (drawn.has(stored.id) ? [frozen] : []));
      // Without words, only what was not drawn is listed.
      if (terms.length === 0 && drawnBy.length > 0) continue;
      yield { id: stored.id, drawnBy, read: () => asRead(store, first, shown, stored) };
    }
  }
}

/** The cases with all of the words: those that an experiment did not draw, or no experiment did, and by name those that were drawn. */
export const undrawn: Query<{ experiment: string | null; sought: string }, UndrawnCases> = {
  run(store, { experiment, sought }) {
    const names = experiment === null ? store.experiments.names() : [experiment];
    return withSearchIndex(cacheDatabaseOf(searchFolder(), store.path), (index) => {
      const cases: UndrawnCase[] = [];
      const drawn = new Map<string, string[]>();
      let total = 0;
      const experiments = names.map((name) => loadFrozen(store, name));
      for (const { id, drawnBy, read } of casesWith(store, index.cases, experiments, termsOf(sought))) {
        for (const { name } of drawnBy) {
          const ids = drawn.get(name);
          if (ids === undefined) drawn.set(name, [id]);
          else ids.push(id);
        }
        if (drawnBy.length > 0) continue;
        total += 1;
        if (cases.length < mostListed) cases.push(read());
      }
      const named = [...drawn].map(([name, ids]) => ({ experiment: name, total: ids.length, ids: ids.slice(0, mostNamed) }));
      return { total, cases, drawn: named };
    });
  },
  withoutStore: () => ({ total: 0, cases: [], drawn: [] }),
};
