// The cases of data sets that are in no experiment: a reader who looks for a person finds them nowhere else.
import { factLine, type ShownTerms } from '../../../core/cases/columnNames.ts';
import type { UndrawnCase, UndrawnCases } from '../../../shared/api/experiments.ts';
import { listedCase } from '../dataFiles/caseReading.ts';
import { columnTermsOf, type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import type { StoredCase } from '../store/datasets.ts';
import { termsOf } from '../store/searchIndex.ts';
import type { Store } from '../store/store.ts';
import type { Query } from './query.ts';

const mostListed = 200;

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

/** Cases that no given experiment over their data set drew, in the order of the data, each under the first of these experiments. */
function* undrawnOf(store: Store, experiments: readonly FrozenExperiment[]): Generator<UndrawnCase> {
  for (const [dataset, all] of Map.groupBy(experiments, (frozen) => frozen.dataset.id)) {
    const [first] = all;
    if (first === undefined) continue;
    const terms = columnTermsOf(store, first);
    const drawn = new Set(all.flatMap((frozen) => frozen.sample()));
    for (const kase of store.datasets.cases(dataset)) if (!drawn.has(kase.id)) yield asRead(store, first, terms, kase);
  }
}

/** The cases that an experiment did not draw, or no experiment did, that have all of the words. */
export const undrawn: Query<{ experiment: string | null; sought: string }, UndrawnCases> = {
  run(store, { experiment, sought }) {
    const names = experiment === null ? store.experiments.names() : [experiment];
    const terms = termsOf(sought).map((term) => term.toLowerCase());
    const found = undrawnOf(
      store,
      names.map((name) => loadFrozen(store, name)),
    ).filter((kase) => {
      const words = terms.length === 0 ? '' : wordsOf(kase);
      return terms.every((term) => words.includes(term));
    });
    const cases: UndrawnCase[] = [];
    let total = 0;
    for (const kase of found) {
      total += 1;
      if (cases.length < mostListed) cases.push(kase);
    }
    return { total, cases };
  },
  withoutStore: () => ({ total: 0, cases: [] }),
};
