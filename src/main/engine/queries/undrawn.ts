// Finds cases by the words of their facts: of one that no experiment drew, a reader finds what is on the record nowhere else.
import { factLine, type ShownTerms } from '../../../core/cases/columnNames.ts';
import type { UndrawnCase, UndrawnCases } from '../../../shared/api/experiments.ts';
import { listedCase } from '../dataFiles/caseReading.ts';
import { columnTermsOf, type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import type { StoredCase } from '../store/datasets.ts';
import { termsOf } from '../store/searchIndex.ts';
import type { Store } from '../store/store.ts';
import type { Query } from './query.ts';

const mostListed = 200;
/** Drawn cases of an experiment that are named. */
const mostNamed = 10;

function asRead(store: Store, frozen: FrozenExperiment, terms: ShownTerms, { id, ref, split }: StoredCase): UndrawnCase {
  const { kind, label } = frozen.definition.dataset;
  return {
    ...{ experiment: frozen.name, id, kind },
    ...(label?.decidedBy === undefined ? {} : { decided_by: label.decidedBy }),
    listed: store.erasures.has(ref) ? null : listedCase(split, store.datasets.read(ref), terms),
  };
}

const wordsOf = ({ id, listed }: UndrawnCase): string =>
  [id, ...(listed === null ? [] : [listed.question ?? '', factLine(listed.facts), ...Object.values(listed.groups)])]
    .join('\n')
    .normalize('NFC')
    .toLowerCase();

/** The cases of the data of these experiments that have all of the terms, in the order of the data, each with the experiments that drew it. */
function* casesWith(
  store: Store,
  experiments: readonly FrozenExperiment[],
  terms: readonly string[],
): Generator<{ kase: UndrawnCase; drawnBy: FrozenExperiment[] }> {
  for (const [dataset, all] of Map.groupBy(experiments, (frozen) => frozen.dataset.id)) {
    const [first] = all;
    if (first === undefined) continue;
    const shown = columnTermsOf(store, first);
    const samples = all.map((frozen) => ({ frozen, drawn: new Set(frozen.sample()) }));
    for (const stored of store.datasets.cases(dataset)) {
      const drawnBy = samples.flatMap(({ frozen, drawn }) => (drawn.has(stored.id) ? [frozen] : []));
      // Without words, only what was not drawn is listed.
      if (terms.length === 0 && drawnBy.length > 0) continue;
      const kase = asRead(store, first, shown, stored);
      const words = terms.length === 0 ? '' : wordsOf(kase);
      if (terms.every((term) => words.includes(term))) yield { kase, drawnBy };
    }
  }
}

/** The cases with all of the words: those that an experiment did not draw, or no experiment did, and by name those that were drawn. */
export const undrawn: Query<{ experiment: string | null; sought: string }, UndrawnCases> = {
  run(store, { experiment, sought }) {
    const names = experiment === null ? store.experiments.names() : [experiment];
    const terms = termsOf(sought).map((term) => term.toLowerCase());
    const cases: UndrawnCase[] = [];
    const drawn = new Map<string, string[]>();
    let total = 0;
    const found = casesWith(
      store,
      names.map((name) => loadFrozen(store, name)),
      terms,
    );
    for (const { kase, drawnBy } of found) {
      for (const { name } of drawnBy) {
        const ids = drawn.get(name);
        if (ids === undefined) drawn.set(name, [kase.id]);
        else ids.push(kase.id);
      }
      if (drawnBy.length > 0) continue;
      total += 1;
      if (cases.length < mostListed) cases.push(kase);
    }
    const named = [...drawn].map(([name, ids]) => ({ experiment: name, total: ids.length, ids: ids.slice(0, mostNamed) }));
    return { total, cases, drawn: named };
  },
  withoutStore: () => ({ total: 0, cases: [], drawn: [] }),
};
