// The comparison that was decided beforehand: estimate, interval, test and decision, each from the same interval.
import { familyLevel, type Primary, type PrimaryResult } from '../../../shared/primary.ts';
import { type BootstrapInterval, bootstrapDifference } from '../bootstrap.ts';
import { valueOfAll } from '../caseStatistic.ts';
import type { CaseTerms } from './armMeasures.ts';
import { cautionOf } from './cautions.ts';
import { type Contender, exactChance } from './comparisons.ts';
import { fromBootstrap, missingEstimate, withoutResamples } from './estimates.ts';
import type { ReportedTrial } from './heldTrials.ts';
import { trialsOf } from './pairedDifferences.ts';
import { pairedCases, pairedSequence } from './pairedSequence.ts';
import { decisionOf, gainSign, primarySentence } from './primaryText.ts';

/** Resamples of the primary comparison, independent of those of the others: no one can draw until the decision suits. */
const resamples = 10_000;

export interface PrimaryMaterial {
  readonly primary: Primary;
  readonly stop: { readonly width: number } | null;
  /** The experiment's. */
  readonly seed: number;
  /** Arms that were added after the first freeze: nothing about them was decided. */
  readonly later?: readonly string[];
  /** What was planned when the first trial began, where more was added later; absent where nothing was, or a rule ends the run. */
  readonly planned?: { readonly cases: ReadonlySet<string>; readonly replicates: number } | undefined;
  /** What the labels are; absent: the truth. */
  readonly labelled?: Pick<CaseTerms, 'decided_by'>;
}

type Ends = (level: number) => Pick<BootstrapInterval, 'low' | 'high'>;

/** Smallest one-sided level: fewer resamples than one lie beyond. */
const least = 1 / resamples;

/** One-sided p of "at most the bound": the smallest level whose lower end lies above it, by halving; null without an interval. */
function pAbove(ends: Ends, bound: number): number | null {
  const lower = (alpha: number) => (alpha < 0.5 ? ends(1 - 2 * alpha).low : ends(Math.max(1e-9, 2 * alpha - 1)).high);
  let [tooSmall, enough] = [0, 1 - least];
  while (enough - tooSmall > 1e-7) {
    const middle = (tooSmall + enough) / 2;
    const low = lower(middle);
    if (low === null) return null;
    if (low > bound) enough = middle;
    else tooSmall = middle;
  }
  return Math.max(least, enough);
}

const mirrored =
  (ends: Ends): Ends =>
  (level) => {
    const { low, high } = ends(level);
    return { low: high === null ? null : -high, high: low === null ? null : -low };
  };

/** The p-value of the test. @param ends of the gain of a over b */
function testOf(ends: Ends, { test, margin = 0 }: Primary): number | null {
  const above = pAbove(ends, test === 'difference' ? 0 : -margin);
  if (test === 'non-inferiority' || above === null) return above;
  const below = pAbove(mirrored(ends), test === 'difference' ? 0 : -margin);
  if (below === null) return null;
  return test === 'difference' ? Math.min(1, 2 * Math.min(above, below)) : Math.max(above, below);
}

/**
 * The primary comparison. Three tests of the gain of a over b (the difference, or its negative where lower is better):
 * difference (two-sided, of 0), non-inferiority (one-sided, of -margin) and equivalence (two one-sided tests, of -margin and
 * margin: D. J. Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987), 657-680). The level is 5% / family
 * two-sided and half of it one-sided (ICH E9, section 5.5), so that one interval at 1 - 5% / family decides all three: BCa
 * over cases at the planned end, or the anytime-valid one where the experiment has a stopping rule. A difference in accuracy
 * needs the exact test beside the BCa interval, which is too narrow with few cases.
 * @param a the first of the two; undefined where the report does not have it, as baselines while trials are under way
 * @param lines planned trials of all arms: what was added to the plan later is in neither these nor the two
 * @param withIntervals whether resamples are drawn
 */
export function primaryComparison(
  { primary, stop, seed, later = [], planned, labelled = {} }: PrimaryMaterial,
  [a, b]: readonly [Contender | undefined, Contender | undefined],
  lines: readonly ReportedTrial[],
  withIntervals: boolean,
): PrimaryResult {
  const { compare, measure, test, margin = null, family } = primary;
  const alpha = familyLevel(primary);
  const level = 1 - alpha;
  const [one, other] = [a, b].map((each) => each?.qualities().find((quality) => quality.name === measure));
  const ofOther = new Set(other?.trials.cases);
  const ids = one?.trials.cases.filter((id) => ofOther.has(id)) ?? [];
  const statistics = [one, other].map((quality) => quality?.plan(trialsOf(quality.trials, ids))?.statistic ?? null);
  const [first = null, second = null] = ids.length === 0 ? [] : statistics;
  const drawn = withIntervals && first !== null && second !== null;
  const sign = gainSign(measure);
  const intervalAt = drawn ? bootstrapDifference(first, second, { resamples, seed }) : null;
  const values = [first, second].map((statistic) => (statistic === null ? null : valueOfAll(statistic)));
  const [ofA = null, ofB = null] = values;
  const value = ofA === null || ofB === null ? null : ofA - ofB;
  const estimate =
    intervalAt !== null
      ? fromBootstrap(intervalAt(level))
      : value === null
        ? missingEstimate(level, 'no case that both have')
        : withoutResamples(value, level);
  const n = one === undefined ? 0 : trialsOf(one.trials, ids).trials.length;
  const difference = { ...estimate, ...cautionOf('difference', { ...estimate, name: measure, n, cases: ids.length }) };
  const inGain: Ends = (at) => intervalAt?.(at) ?? { low: null, high: null };
  const decided_by = stop === null ? 'fixed' : 'anytime';
  const p = difference.low === null || decided_by === 'anytime' ? null : testOf(sign === 1 ? inGain : mirrored(inGain), primary);
  const hasExact = drawn && decided_by === 'fixed' && measure === 'accuracy';
  const exact = hasExact && a !== undefined && b !== undefined ? exactChance(a, b) : null;
  const pairs = pairedCases(lines, compare);
  const ofArms = pairs.flatMap((pair) => [...pair.a, ...pair.b]);
  const verdicts = pairs.map((pair) => new Set([...pair.a, ...pair.b].map(({ prediction }) => prediction)));
  const same = pairs.length > 0 && verdicts.every((given) => given.size === 1 && !given.has(null)) ? 'verdict' : 'rightness';
  const alike = exact?.discordant.a_only === 0 && exact.discordant.b_only === 0 ? same : null;
  const sequence =
    measure === 'accuracy' && pairs.length > 0 ? pairedSequence(pairs, { alpha, width: stop?.width ?? null }) : null;
  const after = sequence?.after() ?? null;
  // A baseline has no trials to wait for.
  const waitedFor = pairs.length > 0 ? ofArms : lines.filter((line) => line.arm === compare[0] && line.truth !== null);
  const final = after !== null || (waitedFor.length > 0 && waitedFor.every(({ status }) => status === 'done'));
  const trialsByCase = Map.groupBy(waitedFor, ({ case: id }) => id);
  const finished = [...trialsByCase.values()].filter((trials) => trials.every(({ status }) => status === 'done')).length;
  const replicated = waitedFor.length > trialsByCase.size * (pairs.length > 0 ? 2 : 1);
  const anytime = sequence === null ? null : { cases: sequence.count(), ...sequence.interval(), level };
  const found: Omit<PrimaryResult, 'decision' | 'sentence'> = {
    compare,
    measure,
    test,
    margin,
    family,
    cases: ids.length,
    of: trialsByCase.size,
    final,
    a: ofA,
    b: ofB,
    difference,
    p,
    ...(test === 'difference' ? exact : null),
    anytime,
    p_level: test === 'difference' ? alpha : alpha / 2,
    stop: stop === null ? null : { width: stop.width, after },
    decided_by,
    ...(later.length === 0 ? {} : { later_arms: [...later] }),
    ...(planned === undefined
      ? {}
      : { planned: { cases: planned.cases.size, replicates: planned.replicates, ids: [...planned.cases] } }),
  };
  const decided = decisionOf(found);
  // What holds at every look can be said at every look.
  const isSettled = final && (withIntervals || decided_by === 'anytime');
  const decision = isSettled || (decided_by === 'anytime' && decided === 'shown') ? decided : 'open';
  return { ...found, decision, sentence: primarySentence(found, decision, { finished, replicated, alike, labelled }) };
}
