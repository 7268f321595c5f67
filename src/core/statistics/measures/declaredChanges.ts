import type { ChangeStatistics } from '../../../shared/changeStatistics.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { decidedRightly } from './accuracyMeasures.ts';
import type { CaseTerms } from './armMeasures.ts';
import { type PlannedMeasure, plannedEffect, plannedMean, plannedShare, withoutValue } from './planned.ts';
import { isFlipped, type PairedTrial, pairStatistics, type ReplicatePairs, type SwapPair, swapPairs } from './swapMeasures.ts';
import type { CasedTrials } from './trials.ts';

/** A finished trial with the change that its arm declares. */
export type ChangedTrial = PairedTrial & Pick<TrialLine, 'change'>;

/** An arm that is another with one thing changed, and what changes verdicts by chance. */
interface ChangedArm extends Pick<ChangeStatistics, 'arm' | 'changed_arm' | 'kind' | 'change' | 'speech' | 'expect'> {
  /** Pairs among the trials of the arm and of the arms that are it with other seeds: nothing differs in them but the seeds. */
  readonly control: readonly ReplicatePairs[];
}

const noControl =
  'nothing was tried with other seeds alone: this takes several trials of each case, or a change of only the seed';

/**
 * Share of verdicts that change beyond those that change with the seeds alone: the mean over pairs of 1 or 0 for a flip, less the
 * share of flips among the control pairs of the same case. Cases without control are left out.
 */
export function plannedExcess(pairs: CasedTrials<SwapPair>, control: ChangedArm['control']): PlannedMeasure {
  const name = { name: 'excess_flip_rate', over: 'pairs' } as const;
  if (control.length === 0) return withoutValue(name, noControl);
  const chance = new Map(control.map((each) => [each.case, each.flips / each.pairs]));
  return plannedMean(
    name,
    pairs,
    (pair) => {
      const [flipped, byChance] = [isFlipped(pair), chance.get(pair.case)];
      return flipped === null || byChance === undefined ? null : Number(flipped) - byChance;
    },
    'no pair of decided trials whose case was tried with other seeds',
  );
}

/** Accuracy of the changed trials less that of the unchanged ones, a failure as not right, with the exact test of signs over cases. */
function plannedAccuracyChange(pairs: CasedTrials<SwapPair>): PlannedMeasure {
  const isRight = (trial: PairedTrial) => Number(decidedRightly(trial) === true);
  const change = ({ base, swapped }: SwapPair) => (base.truth === null ? null : isRight(swapped) - isRight(base));
  return plannedEffect({ name: 'accuracy_change', over: 'all' }, pairs, change, 'no pair of a case with a known truth');
}

/** What a probability may move the other way before that counts: rounding. */
const tolerance = 1e-9;

/** Whether a pair is as it was expected beforehand; null where one of the trials has no verdict. */
function passes(pair: SwapPair, expect: NonNullable<ChangedArm['expect']>): boolean | null {
  const flipped = isFlipped(pair);
  if (flipped === null || expect === 'INV') return flipped === null ? null : !flipped;
  const { base, swapped } = pair;
  const sign = expect.DIR === 'up' ? 1 : -1;
  const shareIn = ({ belief, prediction }: PairedTrial) => belief?.[expect.label] ?? Number(prediction === expect.label);
  const comparable = base.belief !== null && swapped.belief !== null;
  const verdictIn = ({ prediction }: PairedTrial) => Number(prediction === expect.label);
  const [before, after] = comparable ? [shareIn(base), shareIn(swapped)] : [verdictIn(base), verdictIn(swapped)];
  return sign * (after - before) >= -tolerance;
}

function plannedPassRate(pairs: CasedTrials<SwapPair>, expect: ChangedArm['expect']): PlannedMeasure[] {
  if (expect === undefined) return [];
  const planned = plannedShare(
    { name: 'pass_rate', over: 'pairs' },
    pairs,
    (pair) => passes(pair, expect),
    'no pair of decided trials',
  );
  return [planned];
}

/** Pairs by the value of the attribute before and after, in the order in which they come. */
function directionsOf(changed: readonly ChangedTrial[]) {
  const byMove = Map.groupBy(
    changed.filter(({ change }) => change?.from != null && change.to !== null),
    ({ change }) => JSON.stringify([change?.from, change?.to]),
  );
  return [...byMove.values()].map((trials) => ({
    from: trials[0]?.change?.from ?? '',
    to: trials[0]?.change?.to ?? '',
    trials,
  }));
}

/**
 * What a declared change does to the verdicts of an arm, over pairs of the same case, replicate and seed in which it applies:
 * `pairStatistics`, the share of verdicts that change beyond chance (`excess_flip_rate`), the change of the accuracy
 * (`accuracy_change`), and the share of pairs that are as it was expected beforehand (`pass_rate`). Of an attribute the same by direction. After Kusner et al., Counterfactual fairness
 * (2017), for the attribute alone: what follows from it in the world (proxies) stays as it is; and Ribeiro et al., Beyond
 * accuracy: behavioral testing of NLP models with CheckList (2020), for the expectations.
 * @param trialsOf the finished trials of an arm
 */
export function changeStatistics(
  changes: readonly ChangedArm[],
  trialsOf: (arm: string) => readonly ChangedTrial[],
  terms: Pick<CaseTerms, 'positive' | 'multiLabel'>,
  resampling: Resampling,
): ChangeStatistics[] {
  const statisticsOf = ({ control, ...about }: ChangedArm): ChangeStatistics => {
    const base = trialsOf(about.arm);
    const all = trialsOf(about.changed_arm);
    const applied = all.filter(({ change }) => change?.applies === true);
    const changed = applied.filter(({ path }) => path?.unheard === undefined);
    const unheard = swapPairs(base, applied).filter(({ swapped }) => swapped.path?.unheard !== undefined);
    const unknown = all.filter(({ change }) => change?.applies === null);
    const erased = swapPairs(base, unknown).length;
    const further = (pairs: CasedTrials<SwapPair>) => [
      ...(about.kind === 'seed' ? [] : [plannedExcess(pairs, control)]),
      plannedAccuracyChange(pairs),
      ...plannedPassRate(pairs, about.expect),
    ];
    // Seeds of other cases do not say how often verdicts of these change by chance.
    const over = (trials: readonly ChangedTrial[]) => {
      const decided = new Set(swapPairs(base, trials).flatMap((pair) => (isFlipped(pair) === null ? [] : [pair.case])));
      const own = control.filter((each) => decided.has(each.case));
      return pairStatistics(base, trials, terms, resampling, further, own);
    };
    const whole = over(changed);
    return {
      ...about,
      unchanged: swapPairs(base, all).length - whole.pairs - erased - unheard.length,
      ...(unheard.length === 0
        ? {}
        : {
            unheard: {
              pairs: unheard.length,
              own_belief: unheard.filter(({ swapped }) => swapped.path?.unheard?.ownBelief === true).length,
            },
          }),
      erased,
      ...whole,
      directions: directionsOf(changed).map(({ from, to, trials }) => {
        const { pairs, moves, measures } = over(trials);
        return { from, to, pairs, moves, measures };
      }),
    };
  };
  return changes.map(statisticsOf);
}
