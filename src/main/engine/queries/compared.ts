// Query: one arm against another or a baseline, with the cases side by side.
import { isSameSet } from '../../../core/beliefs/independentBelief.ts';
import { shownFacts } from '../../../core/cases/columnNames.ts';
import { caseStandings, comparisonsOf, differingCases } from '../../../core/statistics/measures/comparisons.ts';
import { paperStyle } from '../../../core/statistics/measures/paperStyle.ts';
import { readOnce } from '../../../core/statistics/measures/trials.ts';
import type { Compared, ComparedQuery, ComparedVerdict, Standing } from '../../../shared/api/compared.ts';
import type { DifferingCases } from '../../../shared/api/statistics.ts';
import type { DatasetCase } from '../../../shared/domain.ts';
import { badInput } from '../../../shared/errors.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { isMultiLabel } from '../datasets/cases.ts';
import { columnTermsOf, type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { defaultResamples } from '../report/statistics.ts';
import type { Store } from '../store/store.ts';
import { contendersOf } from './contenders.ts';
import type { Query } from './query.ts';

const level = 0.95;

function verdictOf({ trial, ...line }: TrialLine): ComparedVerdict {
  const { replicate, outcome, prediction, confidence, belief_source, correct } = line;
  return { trial: trial === '' ? null : trial, replicate, outcome, prediction, confidence, belief_source, correct };
}

/** Two trials of a case to read side by side: of the first replicate in which the verdicts differ, else of the first that both have. */
export function besideOf(a: readonly TrialLine[], b: readonly TrialLine[]): readonly [string, string] | null {
  const pairs = a.flatMap((one) =>
    b.filter(({ replicate }) => replicate === one.replicate).map((other) => [one, other] as const),
  );
  const labelsOf = ({ prediction }: TrialLine) => [prediction ?? []].flat();
  const isAlike = (left: TrialLine, right: TrialLine) =>
    left.outcome === right.outcome &&
    (left.prediction === null) === (right.prediction === null) &&
    isSameSet(labelsOf(left), labelsOf(right));
  const [one, other] = pairs.find(([left, right]) => !isAlike(left, right)) ?? pairs[0] ?? [a[0], b[0]];
  return one === undefined || other === undefined || one.trial === '' || other.trial === '' ? null : [one.trial, other.trial];
}

/** Cases by their ids; null for one that the record no longer lists. */
const caseReader = (store: Store, { dataset }: FrozenExperiment) =>
  readOnce((id: string): DatasetCase | null => {
    const stored = store.datasets.caseOfId(dataset.id, id);
    return stored === undefined ? null : store.datasets.outline(stored.ref);
  });

function countsOf(all: readonly Standing[]): Compared['counts'] {
  const of = (wanted: Standing) => all.filter((standing) => standing === wanted).length;
  return {
    a_only: of('a_only'),
    b_only: of('b_only'),
    both_right: of('both_right'),
    both_wrong: of('both_wrong'),
    equally: of('equally'),
  };
}

/** Whether a text stands in the id or the facts of a case, however it is capitalised. */
function holds(id: string, kase: DatasetCase | null, text: string): boolean {
  const wanted = text.toLowerCase();
  return [id, ...(kase?.facts.map(({ value }) => value) ?? [])].some((each) => each.toLowerCase().includes(wanted));
}

/** An arm against another or a baseline: the comparison, and the cases side by side. */
export const compared: Query<ComparedQuery, Compared> = {
  run(store, { experiment, standings: wanted, search = '', group, resampled, offset, limit, ...pair }) {
    if (pair.a === pair.b) throw badInput('an arm cannot be compared with itself; choose another one', { field: 'b' });
    const frozen = loadFrozen(store, experiment);
    const { dataset, seed } = frozen.definition;
    const { a, b } = contendersOf(store, frozen, pair);
    const resampling = { resamples: resampled ? defaultResamples : 0, seed, level };
    const [comparison] = comparisonsOf([a.contender, b.contender], resampling).run(() => undefined).comparisons;
    if (comparison === undefined) throw new Error('two contenders make one pair');
    const all = caseStandings(a.contender, b.contender);
    const caseOf = caseReader(store, frozen);
    const [ofA, ofB] = [Map.groupBy(a.lines, (line) => line.case), Map.groupBy(b.lines, (line) => line.case)];
    const groupsOf = (id: string) => ofA.get(id)?.[0]?.groups ?? {};
    const fitting = all.filter(
      ({ case: id, standing }) =>
        (wanted === undefined || wanted.includes(standing)) &&
        (group === undefined || groupsOf(id)[group.column] === group.value) &&
        (search === '' || holds(id, caseOf(id), search)),
    );
    const terms = { labels: dataset.labels ?? [], multiLabel: isMultiLabel(dataset) };
    const columns = columnTermsOf(store, frozen);
    const factsOf = (id: string) => {
      const kase = caseOf(id);
      return kase === null ? null : shownFacts(kase.facts, columns);
    };
    const ids = all.map(({ case: id }) => id);
    return {
      comparison: { ...comparison, mcnemar: { ...comparison.mcnemar, p_adjusted: null }, wilcoxon: unadjusted(comparison) },
      counts: countsOf(all.map(({ standing }) => standing)),
      replicated: [...ofA.values(), ...ofB.values()].some((tried) => tried.length > 1),
      paper_style: resampled ? paperStyle(a.trials, b.trials, ids, terms, seed) : [],
      groups: Object.fromEntries(
        dataset.groups.map((column) => [column, [...new Set(ids.flatMap((id) => groupsOf(id)[column] ?? []))].sort()]),
      ),
      total: fitting.length,
      offset,
      cases: fitting.slice(offset, offset + limit).map(({ case: id, standing }) => ({
        case: id,
        standing,
        truth: ofA.get(id)?.[0]?.truth ?? null,
        groups: groupsOf(id),
        facts: factsOf(id),
        a: (ofA.get(id) ?? []).map(verdictOf),
        b: (ofB.get(id) ?? []).map(verdictOf),
        beside: besideOf(ofA.get(id) ?? [], ofB.get(id) ?? []),
      })),
    };
  },
};

/** One pair alone is no family of tests: nothing is adjusted. */
const unadjusted = ({ wilcoxon }: Compared['comparison']) => (wilcoxon === null ? null : { ...wilcoxon, p_adjusted: null });

const mostListed = 500;

/** The cases on which one arm is right more often than another, or than a baseline, with their trials. */
export const differing: Query<{ experiment: string; a: string; b: string; baseline: boolean }, DifferingCases> = {
  run(store, { experiment, ...pair }) {
    const { a, b } = contendersOf(store, loadFrozen(store, experiment), pair);
    const { aOnly, bOnly } = differingCases(a.contender, b.contender);
    const [ofA, ofB] = [Map.groupBy(a.lines, (line) => line.case), Map.groupBy(b.lines, (line) => line.case)];
    const trialsOf = (lines: readonly TrialLine[]) => lines.flatMap(({ trial }) => (trial === '' ? [] : [trial]));
    const listed = (cases: readonly string[]) =>
      cases.slice(0, mostListed).map((id) => {
        const [left, right] = [ofA.get(id) ?? [], ofB.get(id) ?? []];
        return { case: id, a: trialsOf(left), b: trialsOf(right), beside: besideOf(left, right) };
      });
    return { a_only: listed(aOnly), b_only: listed(bOnly) };
  },
};
