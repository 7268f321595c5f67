import { type AmbiguityAccuracy, type AmbiguityStatistics, ambiguityParts, type Resampling } from '../../../shared/statistics.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import type { CaseStatistic } from '../caseStatistic.ts';
import { commonCases } from '../commonCases.ts';
import { relativeGain } from '../relativeGain.ts';
import { accuracyMeasures } from './accuracyMeasures.ts';
import type { CaseTerms } from './armMeasures.ts';
import { contender } from './comparisons.ts';
import { drawnEstimates, type Estimate, estimates, isDrawn, missingEstimate, type OnWork, workOf } from './estimates.ts';
import { type PlannedMeasure, plannedShare } from './planned.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';

/** An arm in which nothing is exchanged. */
interface Arm {
  readonly name: string;
  readonly lines: readonly TrialLine[];
  /** The finished ones. */
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
    count: all.filter(({ yes }) => yes).length,
    n: all.length,
    unknown: tried.size - all.length,
    disagreeing: all.filter(({ yes, no }) => yes && no).length,
  };
}

interface Part extends Pick<AmbiguityAccuracy, 'arm' | 'part'> {
  readonly accuracy: PlannedMeasure;
  readonly gain: { readonly pairedCases: number; readonly statistic: CaseStatistic | null } | null;
}

/** All that is to be measured of ambiguous and normal cases. */
export interface AmbiguityPlan extends Pick<AmbiguityStatistics, 'why_null' | 'unknown' | 'disagreeing' | 'reference'> {
  readonly share: PlannedMeasure;
  readonly parts: readonly Part[];
}

/**
 * Plans the share of ambiguous cases, and accuracy and relative gain of each arm on all cases of which that is known, on the
 * normal and on the ambiguous ones.
 *
 * Source: Courtroom-LLM, section 4.2.3 and figures 5, 6 and 11: a case is ambiguous where the most likely label of the
 * preliminary hearing varies in five attempts; the total is the normal and the ambiguous cases together. It is a property of
 * the case and its clerk, and holds for every arm of the experiment.
 */
export function planAmbiguity(
  arms: readonly Arm[],
  { reference, terms }: { reference: string | null; terms: CaseTerms },
): AmbiguityPlan {
  const known = ambiguousCases(arms);
  const cases = casedTrials(
    [...new Set(arms.flatMap(({ trials }) => trials.map(({ case: id }) => id)))].map((id) => ({ case: id })),
  );
  const share = plannedShare({ name: 'ambiguous', over: 'finished' }, cases, ({ case: id }) => known.of(id), notRecorded);
  const fits = { total: () => true, normal: (is: boolean) => !is, ambiguous: (is: boolean) => is };
  const single = arms.find(({ name }) => name === reference);
  const partOf = ({ trials }: Pick<Arm, 'trials'>, part: keyof typeof fits) =>
    trials.filter(({ case: id }) => {
      const is = known.of(id);
      return is !== null && fits[part](is);
    });
  const gainOf = (arm: Arm, part: keyof typeof fits): Part['gain'] => {
    if (single === undefined || arm === single) return null;
    const [own, other] = [arm, single].map((each) => contender(each.name, false, partOf(each, part), terms));
    if (own === undefined || other === undefined) return null;
    const common = commonCases(own.cases, other.cases);
    const pairs = common.map(({ first, second }) => ({ a: own.correct[first] ?? 0, b: other.correct[second] ?? 0 }));
    return { pairedCases: pairs.length, statistic: pairs.length === 0 ? null : relativeGain(pairs) };
  };
  const parts = arms.flatMap((arm) =>
    ambiguityParts.flatMap((part): Part[] => {
      const [accuracy] = accuracyMeasures(casedTrials(partOf(arm, part)));
      return accuracy === undefined ? [] : [{ arm: arm.name, part, accuracy, gain: gainOf(arm, part) }];
    }),
  );
  const { unknown, disagreeing } = known;
  return {
    why_null: known.n === 0 ? notRecorded : null,
    unknown,
    disagreeing,
    reference,
    share,
    parts: known.n === 0 ? [] : parts,
  };
}

const drawnOf = ({ accuracy, gain }: Part): CaseStatistic[] => [
  ...(isDrawn(accuracy) && accuracy.statistic !== null ? [accuracy.statistic] : []),
  ...(gain?.statistic == null ? [] : [gain.statistic]),
];

/** Work that `measuredAmbiguity` will tell of. */
export const workOfAmbiguity = ({ parts }: AmbiguityPlan, resampling: Resampling): number =>
  parts.reduce((sum, part) => sum + workOf(drawnOf(part), resampling), 0);

/** Value and interval alone, of a measure. */
function estimateOf(measure: PlannedMeasure, resampling: Resampling, onWork: OnWork): Estimate {
  const [found] = estimates([measure], resampling, onWork);
  if (found === undefined) return missingEstimate(resampling.level, measure.why ?? notRecorded);
  const { name: _name, label: _label, side: _side, turn: _turn, over: _over, n: _n, cases: _cases, ...estimate } = found;
  return estimate;
}

function gainEstimate({ statistic }: NonNullable<Part['gain']>, resampling: Resampling, onWork: OnWork): Estimate {
  if (statistic === null) return missingEstimate(resampling.level, noPair);
  const [found] = drawnEstimates([statistic], resampling, onWork);
  return found === undefined || found.value === null ? missingEstimate(resampling.level, neverRight) : found;
}

/** The planned measures with their intervals: Wilson for shares of single trials, else a bootstrap over cases, paired for gains. */
export function measuredAmbiguity(plan: AmbiguityPlan, resampling: Resampling, onWork: OnWork): AmbiguityStatistics {
  const { share, parts, reference, why_null, unknown, disagreeing } = plan;
  return {
    why_null,
    share: { count: share.successes ?? 0, n: share.n, ...estimateOf(share, resampling, onWork) },
    unknown,
    disagreeing,
    reference,
    arms: parts.map(({ arm, part, accuracy, gain }) => ({
      arm,
      part,
      n: accuracy.n,
      cases: accuracy.cases,
      accuracy: estimateOf(accuracy, resampling, onWork),
      gain: gain === null ? null : { paired_cases: gain.pairedCases, ...gainEstimate(gain, resampling, onWork) },
    })),
  };
}
