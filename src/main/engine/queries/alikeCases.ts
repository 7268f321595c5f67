// Query: the cases of an arm whose facts are most like those of a trial's case, with their rulings.
import { isSameSet } from '../../../core/beliefs/independentBelief.ts';
import { shownFacts } from '../../../core/cases/columnNames.ts';
import { byLikeness, comparedFacts, factDistances } from '../../../core/cases/comparedFacts.ts';
import { type AlikeCase, type AlikeCases, mostAlike } from '../../../shared/api/trials.ts';
import type { Fact } from '../../../shared/domain.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { columnTermsOf } from '../lab/frozen.ts';
import { lineReader, plannedAs } from '../report/trialLines.ts';
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
      const isAlways = lines.every((each) => each.outcome === 'decided' && isOtherwise(each));
      return [{ line, lines, facts: ofOther, isOtherwise: isOtherwise(line), isAlways }];
    });
    const distanceOf = factDistances([facts, ...others.map((each) => each.facts)]);
    const ordered = byLikeness(facts, others, distanceOf);
    const columns = columnTermsOf(store, frozen);
    const asAlike = ({ line, lines, facts: ofOther, isOtherwise: otherwise }: (typeof others)[number]): AlikeCase => {
      const all = comparedFacts(shownFacts(facts, columns), shownFacts(ofOther, columns));
      const differing = all
        .filter(({ isSame }) => !isSame)
        .toSorted((a, b) => distanceOf(b) - distanceOf(a))
        .map(({ title, one, other }) => ({ title, one, other }));
      const runs = lines.map(({ status, outcome, prediction }) => ({ status, outcome, prediction }));
      return { line, runs, same: all.length - differing.length, facts: all.length, differing, isOtherwise: otherwise };
    };
    const always = ordered.filter(({ isAlways }) => isAlways);
    return {
      cases: ordered.slice(0, mostAlike).map(asAlike),
      otherwise: always.slice(0, mostAlike).map(asAlike),
      counts: { cases: ordered.length, otherwise: always.length },
      part: total > rows.length ? { read: rows.length, total } : null,
    };
  },
};
