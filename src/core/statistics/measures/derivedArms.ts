// Verdicts that are derived from those of several arms.
import type { DerivedStatistics } from '../../../shared/derivedStatistics.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import { dawidSkene } from '../dawidSkene.ts';
import { isSame } from '../sameNumber.ts';
import { accuracyMeasures } from './accuracyMeasures.ts';
import type { CaseTerms } from './armMeasures.ts';
import { type Contender, comparisonsOf, contender } from './comparisons.ts';
import { estimates } from './estimates.ts';
import { labelMeasures } from './labelMeasures.ts';
import { type RatedTrial, type RatingArm, verdictOf } from './raterAgreement.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';

const fewestArms = 3;

interface Tried {
  readonly line: RatedTrial;
  /** Verdict of each arm; null where it failed or did not try it. */
  readonly verdicts: readonly (string | null)[];
}

/** A verdict; or `tie` where several labels are equally good, `none` where no arm has one. */
type Derived = { readonly label: string } | 'tie' | 'none';

function highest(scores: ReadonlyMap<string, number>): Derived {
  const top = Math.max(...scores.values());
  const best = [...scores].filter(([, score]) => isSame(score, top));
  const [first] = best;
  return first === undefined ? 'none' : best.length > 1 ? 'tie' : { label: first[0] };
}

function majorityVerdict({ verdicts }: Tried): Derived {
  const votes = new Map<string, number>();
  for (const verdict of verdicts) if (verdict !== null) votes.set(verdict, (votes.get(verdict) ?? 0) + 1);
  return highest(votes);
}

/** Sees the verdicts alone and never the truth. */
function dawidSkeneVerdicts(tried: readonly Tried[]) {
  const labels = [...new Set(tried.flatMap(({ verdicts }) => verdicts.flatMap((verdict) => verdict ?? [])))].toSorted();
  const keyOf = ({ verdicts }: Tried) => JSON.stringify(verdicts);
  const alike = [...Map.groupBy(tried, keyOf)].flatMap(([key, [first, ...rest]]) =>
    first === undefined || first.verdicts.every((verdict) => verdict === null)
      ? []
      : [{ key, times: 1 + rest.length, ratings: first.verdicts.map((each) => (each === null ? null : labels.indexOf(each))) }],
  );
  const { probabilities, rounds, converged } = dawidSkene(alike, labels.length);
  const byKey = new Map(
    alike.map(({ key }, place) => [key, highest(new Map(labels.map((label, at) => [label, probabilities[place]?.[at] ?? 0])))]),
  );
  return { verdicts: tried.map((each): Derived => byKey.get(keyOf(each)) ?? 'none'), fit: { rounds, converged } };
}

const endOf = (verdict: Derived) =>
  typeof verdict === 'string'
    ? ({ outcome: 'undecided', prediction: null } as const)
    : ({ outcome: 'decided', prediction: verdict.label } as const);

function trialWith(
  { case: id, truth, groups }: RatedTrial,
  { outcome, prediction }: Pick<RatedTrial, 'outcome' | 'prediction'>,
): MeasuredTrial {
  return {
    case: id,
    truth,
    groups,
    incomplete: false,
    inconsistent: false,
    confidence: null,
    belief: null,
    path: null,
    outcome,
    prediction,
  };
}

/** Its accuracy less that of each arm, as arms are compared, over the cases and replicates that it has and the arm finished. */
function againstArms(
  method: DerivedStatistics['method'],
  trials: readonly MeasuredTrial[],
  arms: readonly { readonly name: string; readonly trials: readonly MeasuredTrial[] }[],
  terms: CaseTerms,
  resampling: Resampling,
): NonNullable<DerivedStatistics['against']> {
  const accuracyOnly = (name: string, own: readonly MeasuredTrial[]): Contender => {
    const whole = contender(name, false, () => own, terms);
    return { ...whole, qualities: () => whole.qualities().slice(0, 1) };
  };
  return arms.flatMap(({ name, trials: own }) => {
    const { comparisons } = comparisonsOf([accuracyOnly(method, trials), accuracyOnly(name, own)], resampling);
    return comparisons.map(({ paired_cases, difference, differences: [accuracy], mcnemar: { p_adjusted: _p, ...mcnemar } }) => ({
      ...{ arm: name, paired_cases, derived: accuracy?.a ?? null, of_arm: accuracy?.b ?? null, difference, mcnemar },
    }));
  });
}

/**
 * What the arms come to together, computed from their verdicts without a call: the label that most of them name, and the one that
 * the estimate of Dawid and Skene finds likeliest. Over the cases and replicates that three arms or more have finished; none where
 * there are none, and for cases of several labels. The intervals resample cases and take the verdicts as they are: they are without
 * the uncertainty of the estimate itself.
 */
export function derivedArms(arms: readonly RatingArm[], terms: CaseTerms, resampling: Resampling): DerivedStatistics[] {
  const { labels, multiLabel } = terms;
  const byTrial = Map.groupBy(
    arms.flatMap(({ lines }, place) => lines.map((line) => ({ line, place }))),
    ({ line }) => JSON.stringify([line.case, line.replicate]),
  );
  const shared = multiLabel || labels.length === 0 ? [] : [...byTrial.values()].filter((own) => own.length >= fewestArms);
  const places = arms.flatMap((_, place) => (shared.some((own) => own.some((each) => each.place === place)) ? [place] : []));
  const tried = shared.flatMap((own): Tried[] => {
    const [first] = own;
    const byPlace = new Map(own.map(({ line, place }) => [place, verdictOf(line)]));
    return first === undefined ? [] : [{ line: first.line, verdicts: places.map((place) => byPlace.get(place) ?? null) }];
  });
  if (tried.length === 0) return [];
  const estimated = dawidSkeneVerdicts(tried);
  const both = [
    { method: 'majority', verdicts: tried.map(majorityVerdict), fit: null },
    { method: 'dawid-skene', ...estimated },
  ] as const;
  const names = places.flatMap((place) => arms[place]?.name ?? []);
  const inBoth = places.map((place) => ({
    name: arms[place]?.name ?? '',
    trials: shared.flatMap((own) => own.filter((each) => each.place === place).map(({ line }) => trialWith(line, line))),
  }));
  return both.map(({ method, verdicts, fit }) => {
    const trials = casedTrials(tried.map(({ line }, place) => trialWith(line, endOf(verdicts[place] ?? 'none'))));
    const ties = verdicts.filter((verdict) => verdict === 'tie').length;
    const none = verdicts.filter((verdict) => verdict === 'none').length;
    const planned = [...accuracyMeasures(trials), ...labelMeasures(trials, labels, false)];
    return {
      ...{ derived: true as const, method, arms: names },
      ...{ n: tried.length, cases: trials.cases.length, decided: tried.length - ties - none },
      undecided: { ties, without_verdict: none },
      fit,
      measures: estimates(planned, resampling, method),
      against: againstArms(method, trials.trials, inBoth, terms, resampling),
    };
  });
}
