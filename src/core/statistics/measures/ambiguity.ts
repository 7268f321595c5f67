import {
  type AmbiguityAccuracy,
  type AmbiguityStatistics,
  ambiguityParts,
  type Measure,
  type Resampling,
} from '../../../shared/statistics.ts';
import { commonCases } from '../commonCases.ts';
import { relativeGain } from '../relativeGain.ts';
import { accuracyMeasures } from './accuracyMeasures.ts';
import type { CaseTerms } from './armMeasures.ts';
import { type Contender, contender } from './comparisons.ts';
import { drawnEstimates, type Estimate, estimates, missingEstimate } from './estimates.ts';
import type { ReportedTrial } from './heldTrials.ts';
import { plannedShare } from './planned.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';

/** An arm in which nothing is exchanged. */
interface Arm {
  readonly name: string;
  readonly lines: readonly ReportedTrial[];
  readonly trials: readonly MeasuredTrial[];
}

const notRecorded =
  'no trial tells whether its case is ambiguous: an arm of protocol courtroom with the parameter "ambiguity": 5 holds five fresh hearings of each case and records whether their label varies';
const noPair = 'no such case with a known truth that both have tried';
const neverRight = 'the reference is right on none of these cases';

/** Whether each case is ambiguous, where that is known: once found so is ambiguous. */
function ambiguousCases(arms: readonly Arm[]) {
  const found = new Map<string, { yes: boolean; no: boolean }>();
  const tried = new Set<string>();
  for (const { status, ambiguous, case: id } of arms.flatMap(({ lines }) => lines)) {
    if (status !== 'done') continue;
    tried.add(id);
    if (ambiguous === null) continue;
    const known = found.get(id) ?? { yes: false, no: false };
    found.set(id, { yes: known.yes || ambiguous, no: known.no || !ambiguous });
  }
  const all = [...found.values()];
  return {
    of: (id: string) => found.get(id)?.yes ?? null,
    n: all.length,
    unknown: tried.size - all.length,
    disagreeing: all.filter(({ yes, no }) => yes && no).length,
  };
}

const estimateAlone = ({
  name: _n,
  label: _l,
  side: _s,
  turn: _t,
  over: _o,
  n: _of,
  cases: _c,
  count: _count,
  ...estimate
}: Measure): Estimate => estimate;

/**
 * The share of ambiguous cases, and accuracy and relative gain of each arm on all cases of which that is known, on the
 * normal and on the ambiguous ones. Intervals: Wilson for shares of single trials, else a bootstrap over cases, paired for gains.
 *
 * Source: Courtroom-LLM, section 4.2.3 and figures 5, 6 and 11: a case is ambiguous where the most likely label of the
 * preliminary hearing varies in five attempts; the total is the normal and the ambiguous cases together. It is a property of
 * the case and its clerk, and holds for every arm of the experiment.
 */
export function ambiguityStatistics(
  arms: readonly Arm[],
  { reference, terms, resampling }: { reference: string | null; terms: CaseTerms; resampling: Resampling },
): AmbiguityStatistics {
  const known = ambiguousCases(arms);
  const cases = casedTrials(
    [...new Set(arms.flatMap(({ trials }) => trials.map(({ case: id }) => id)))].map((id) => ({ case: id })),
  );
  const share = plannedShare({ name: 'ambiguous', over: 'finished' }, cases, ({ case: id }) => known.of(id), notRecorded);
  const fits = { total: () => true, normal: (is: boolean) => !is, ambiguous: (is: boolean) => is };
  const single = arms.find(({ name }) => name === reference);
  const trialsIn = ({ trials }: Arm, part: keyof typeof fits) =>
    trials.filter(({ case: id }) => {
      const is = known.of(id);
      return is !== null && fits[part](is);
    });
  const gainOf = (arm: Arm, part: keyof typeof fits): AmbiguityAccuracy['gain'] => {
    if (single === undefined || arm === single) return null;
    const [own, other] = [arm, single].map((each) => contender(each.name, false, () => trialsIn(each, part), terms)) as [
      Contender,
      Contender,
    ];
    const { first, second } = commonCases(own.cases, other.cases);
    const right = ({ tried }: Contender, place: number | undefined) => tried[place ?? -1]?.right ?? 0;
    const pairs = Array.from(first, (place, index) => ({ a: right(own, place), b: right(other, second[index]) }));
    const [found] = drawnEstimates(pairs.length === 0 ? [] : [relativeGain(pairs)], resampling);
    const why = pairs.length === 0 ? noPair : neverRight;
    return {
      paired_cases: pairs.length,
      ...(found === undefined || found.value === null ? missingEstimate(resampling.level, why) : found),
    };
  };
  const accuracyOf = (arm: Arm, part: keyof typeof fits): AmbiguityAccuracy => {
    const [found] = estimates(accuracyMeasures(casedTrials(trialsIn(arm, part))).slice(0, 1), resampling) as [Measure];
    const { n, cases: of } = found;
    return { arm: arm.name, part, n, cases: of, accuracy: estimateAlone(found), gain: gainOf(arm, part) };
  };
  const { n, unknown, disagreeing } = known;
  return {
    why_null: n === 0 ? notRecorded : null,
    share: { count: share.successes ?? 0, n: share.n, ...estimateAlone(...(estimates([share], resampling) as [Measure])) },
    unknown,
    disagreeing,
    reference,
    arms: n === 0 ? [] : arms.flatMap((arm) => ambiguityParts.map((part) => accuracyOf(arm, part))),
  };
}
