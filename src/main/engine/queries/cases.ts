// Queries about cases: those most like a trial's, those with some words that no experiment drew, and the table of all with every answer.
import { createHash } from 'node:crypto';
import { isSameSet } from '../../../core/beliefs/independentBelief.ts';
import { factLine, type ShownTerms, shownFacts } from '../../../core/cases/columnNames.ts';
import { byLikeness, comparedFacts, factDistances } from '../../../core/cases/comparedFacts.ts';
import { exactFirst, holdsId } from '../../../core/cases/heldIds.ts';
import { answerText } from '../../../core/figures/outcomeText.ts';
import { isEverything, namesLabel } from '../../../core/figures/subset.ts';
import { type CaseOrder, type CaseRow, type CaseTable, type CaseTableQuery, mostValues } from '../../../shared/api/caseTable.ts';
import type { UndrawnCase, UndrawnCases } from '../../../shared/api/experiments.ts';
import { type AlikeCase, type AlikeCases, mostAlike } from '../../../shared/api/trials.ts';
import type { Fact } from '../../../shared/domain.ts';
import { predictionText } from '../../../shared/predictionText.ts';
import { readOnce } from '../../../shared/remembered.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { listedCase } from '../dataFiles/caseReading.ts';
import { columnTermsOf, type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { caseRows, disagree } from '../report/caseRows.ts';
import { searchFolder } from '../report/statisticsCache.ts';
import { lineReader, plannedAs, trialLines } from '../report/trialLines.ts';
import { subsetReader } from '../report/where.ts';
import { cacheDatabaseOf } from '../store/cacheDatabase.ts';
import type { StoredCase } from '../store/datasets.ts';
import { type Shelf, termsOf, withSearchIndex } from '../store/searchIndex.ts';
import type { Store } from '../store/store.ts';
import { findTrial } from './findTrial.ts';
import type { Query } from './query.ts';

const none: AlikeCases = { cases: [], otherwise: [], counts: { cases: 0, otherwise: 0 }, part: null };
/** Ended trials that are looked at: so many take about a second. */
const mostRead = 5_000;

const labelsOf = ({ prediction }: TrialLine) => [prediction ?? []].flat();

export const alikeCases: Query<{ trial: string }, AlikeCases> = {
  run(store, { trial: id }) {
    const { frozen, trial, row } = findTrial(store, id);
    const { arm, caseId, replicate } = trial;
    const factsOf = (of: string): readonly Fact[] => {
      const stored = store.datasets.caseOfId(frozen.dataset.id, of);
      if (stored === undefined || store.erasures.has(stored.ref)) return [];
      return frozen.changedCase(arm, store.datasets.outline(stored.ref)).facts;
    };
    const facts = factsOf(caseId);
    if (frozen.definition.dataset.kind !== 'tabular' || facts.length === 0) return none;
    const lineOf = lineReader(store, frozen);
    const own = lineOf(trial, row);
    const isOtherwise = (line: TrialLine) => own.outcome === 'decided' && !isSameSet(labelsOf(own), labelsOf(line));
    const filter = { experiment: frozen.name, arm, status: 'done', order: 'case' } as const;
    const { total, rows } = store.trials.page(filter, { offset: 0, limit: mostRead });
    const tried = Map.groupBy(rows, (each) => each.case_id);
    tried.delete(caseId);
    // Of the last case that is looked at there can be more.
    if (total > rows.length) tried.delete(rows.at(-1)?.case_id ?? '');
    const others = [...tried].flatMap(([of, trials]) => {
      const decided = trials.filter(({ outcome }) => outcome === 'decided');
      const found = decided.find((each) => each.replicate === replicate) ?? decided[0];
      const ofOther = factsOf(of);
      if (found === undefined || ofOther.length === 0) return [];
      const line = lineOf(plannedAs(found), found);
      const lines = trials.map((each) => lineOf(plannedAs(each), each));
      return [{ line, lines, facts: ofOther, isOtherwise: isOtherwise(line) }];
    });
    const distanceOf = factDistances([facts, ...others.map((each) => each.facts)]);
    const ordered = byLikeness(facts, others, distanceOf);
    const columns = columnTermsOf(store, frozen);
    const asAlike = ({ line, lines, facts: ofOther, isOtherwise: differs }: (typeof others)[number]): AlikeCase => {
      const all = comparedFacts(shownFacts(facts, columns), shownFacts(ofOther, columns));
      const differing = all
        .filter(({ isSame }) => !isSame)
        .toSorted((a, b) => distanceOf(b) - distanceOf(a))
        .map(({ title, one, other }) => ({ title, one, other }));
      const runs = lines.map(({ status, outcome, prediction }) => ({ status, outcome, prediction }));
      return { line, runs, same: all.length - differing.length, facts: all.length, differing, isOtherwise: differs };
    };
    const otherwise = ordered.flatMap((each) => {
      const line = each.lines.find((one) => one.outcome === 'decided' && isOtherwise(one));
      return line === undefined ? [] : [{ ...each, line, isOtherwise: true }];
    });
    return {
      cases: ordered.slice(0, mostAlike).map(asAlike),
      otherwise: otherwise.slice(0, mostAlike).map(asAlike),
      counts: { cases: ordered.length, otherwise: otherwise.length },
      part: total > rows.length ? { read: rows.length, total } : null,
    };
  },
};

const mostUndrawn = 200;
const mostNamed = 10;
/** Cases that are added to the index as one. */
const indexedAtOnce = 500;

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
  const size = store.datasets.size(id);
  const parts = Array.from({ length: Math.ceil(size / indexedAtOnce) }, (_none, part) => part);
  const missing = parts.filter((part) => known.get(`${key} ${part}`) !== head);
  if (missing.length > 0) {
    const there = new Set(store.datasets.all().map((dataset) => dataset.manifest));
    const gone = [...known].flatMap(([source, of]) => (there.has(of) ? [] : [source]));
    if (gone.length > 0) index.together(() => gone.forEach(index.drop));
    const cases = store.datasets.cases(id);
    for (const part of missing) {
      const texts = cases.slice(part * indexedAtOnce, (part + 1) * indexedAtOnce).map((stored) => {
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
        if (cases.length < mostUndrawn) cases.push(read());
      }
      const named = [...drawn].map(([name, ids]) => ({ experiment: name, total: ids.length, ids: ids.slice(0, mostNamed) }));
      return { total, cases, drawn: named };
    });
  },
  withoutStore: () => ({ total: 0, cases: [], drawn: [] }),
};

/** Cases whose facts say which columns there are: not every case has each. */
const mostSeen = 200;
const names = new Intl.Collator('en', { numeric: true });
const inOrder: Readonly<Record<CaseOrder, (one: CaseRow, other: CaseRow) => number>> = {
  sample: () => 0,
  case: (one, other) => names.compare(one.case, other.case),
  label: (one, other) => names.compare(predictionText(one.truth) ?? '', predictionText(other.truth) ?? ''),
  disagree: (one, other) => Number(disagree(other)) - Number(disagree(one)),
};

/** How often each is there, the most frequent first. */
function counted(answers: Iterable<string>): [string, number][] {
  const counts = new Map<string, number>();
  for (const answer of answers) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  return [...counts].toSorted(([, one], [, other]) => other - one);
}

/** Reads the facts of cases by column, each case once; of texts none. */
function factReader(store: Store, frozen: FrozenExperiment) {
  return readOnce((id: string): ReadonlyMap<string, string> => {
    const stored = frozen.definition.dataset.kind === 'tabular' ? store.datasets.caseOfId(frozen.dataset.id, id) : undefined;
    const facts = stored === undefined ? [] : store.datasets.outline(stored.ref).facts;
    return new Map(facts.map(({ name, value }) => [name, value]));
  });
}

/** The row of a case that no arm tried. */
function untriedRow(store: Store, { dataset }: FrozenExperiment, arms: readonly string[], id: string): CaseRow[] {
  const stored = store.datasets.caseOfId(dataset.id, id);
  if (stored === undefined) return [];
  const { truth, groups } = store.datasets.outline(stored.ref);
  return [{ case: id, truth, groups, cells: arms.map(() => []) }];
}

const untriedIds = (store: Store, { dataset }: FrozenExperiment, tried: ReadonlySet<string>): string[] =>
  store.datasets.cases(dataset.id).flatMap(({ id }) => (tried.has(id) ? [] : [id]));

/** The cases that a query without any condition lists, of which only the trials of its page are read. */
function unfilteredCases(store: Store, frozen: FrozenExperiment, arms: readonly string[], query: CaseTableQuery) {
  const begun = new Set(store.trials.heads(frozen.name).map((head) => head.case_id));
  const drawn = frozen.sample().filter((id) => begun.has(id));
  const ids = [...new Set([...drawn, ...begun]), ...(query.untried ? untriedIds(store, frozen, begun) : [])];
  const inPage = (query.order === 'case' ? ids.toSorted(names.compare) : ids).slice(query.offset, query.offset + query.limit);
  const wanted = new Set(inPage);
  const lineOf = lineReader(store, frozen);
  const rowsOf = store.trials.byArm(frozen.name);
  const lines = frozen.arms.flatMap(({ name }) =>
    [...rowsOf(name)]
      .filter((row) => wanted.has(row.case_id))
      .toSorted((one, other) => one.replicate - other.replicate)
      .map((row) => lineOf(plannedAs(row), row)),
  );
  const rows = new Map(caseRows(lines, arms, inPage).map((row) => [row.case, row]));
  const page = inPage.flatMap((id) => rows.get(id) ?? untriedRow(store, frozen, arms, id));
  return { ids, total: ids.length, page, counts: null };
}

/** The same of a query with conditions, which are read of every trial. */
function filteredCases(
  store: Store,
  frozen: FrozenExperiment,
  arms: readonly string[],
  query: CaseTableQuery,
  factsOf: ReturnType<typeof factReader>,
) {
  const { subset, search = '', disagree: onlyDifferent, answers, facts, untried, order, offset, limit } = query;
  const tried = caseRows(trialLines(store, frozen).filter(subsetReader(store, frozen, subset)), arms, frozen.sample());
  const others = untried && isEverything(subset ?? {}) ? untriedIds(store, frozen, new Set(tried.map((row) => row.case))) : [];
  const all = [...tried, ...others.flatMap((id) => untriedRow(store, frozen, arms, id))];
  const found = all
    .filter(
      (row) =>
        holdsId(row.case, search) &&
        (!onlyDifferent || disagree(row)) &&
        answers.every(({ arm, label }) =>
          row.cells[arms.indexOf(arm)]?.some(({ outcome, prediction }) =>
            label === null ? outcome !== null && outcome !== 'decided' : namesLabel(prediction, label),
          ),
        ) &&
        facts.every(({ column, value }) => value === null || (factsOf(row.case).get(column) ?? '') === value),
    )
    .toSorted((one, other) => exactFirst(one.case, other.case, search) || inOrder[order](one, other));
  const counts = {
    truth: counted(found.flatMap(({ truth }) => predictionText(truth) ?? [])),
    arms: arms.map((_arm, place) =>
      counted(found.flatMap(({ cells }) => (cells[place] ?? []).flatMap((each) => Array(each.trials).fill(answerText(each))))),
    ),
  };
  return { ids: all.map((row) => row.case), total: found.length, page: found.slice(offset, offset + limit), counts };
}

const isUnfiltered = ({ subset, search = '', disagree: onlyDifferent, answers, facts, order }: CaseTableQuery): boolean =>
  isEverything(subset) &&
  search === '' &&
  !onlyDifferent &&
  answers.length === 0 &&
  facts.every(({ value }) => value === null) &&
  (order === 'sample' || order === 'case');

export const caseTable: Query<CaseTableQuery, CaseTable> = {
  run(store, query) {
    const { experiment, subset, facts, offset } = query;
    const frozen = loadFrozen(store, experiment);
    const arms = frozen.arms.map(({ name }) => name).filter((name) => subset?.arms?.includes(name) ?? true);
    const factsOf = factReader(store, frozen);
    const { ids, total, page, counts } = isUnfiltered(query)
      ? unfilteredCases(store, frozen, arms, query)
      : filteredCases(store, frozen, arms, query, factsOf);
    const columns = new Set(ids.slice(0, mostSeen).flatMap((id) => [...factsOf(id).keys()]));
    const terms = columnTermsOf(store, frozen);
    return {
      arms,
      total,
      of: ids.length,
      rows: page.map((row) => ({ ...row, facts: facts.map(({ column }) => factsOf(row.case).get(column) ?? null) })),
      columns: shownFacts(
        [...columns].map((name) => ({ name, value: '' })),
        terms,
      ).map(({ name, shown = name }) => ({ column: name, title: shown })),
      values: (offset > 0 ? [] : facts).map(({ column }) => {
        const values = new Set(ids.flatMap((id) => factsOf(id).get(column) ?? []));
        return [...values].toSorted(names.compare).slice(0, mostValues);
      }),
      counts,
    };
  },
};
