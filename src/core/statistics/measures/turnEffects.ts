import type { TurnEffect } from '../../../shared/changeStatistics.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import type { ChangedTrial } from './declaredChanges.ts';
import { estimates } from './estimates.ts';
import { plannedContrast } from './planned.ts';
import { type LabelTerms, labelFollowed, plannedLosses, plannedMovement } from './speechWorth.ts';
import { isFlipped, type SwapPair, swapPairs } from './swapMeasures.ts';
import { casedTrials } from './trials.ts';

/** Cases that each group has to have for an interval: with fewer, simulated intervals held the true value too rarely (docs/statistics.md). */
const leastCases = 30;

export interface TruncatedArm {
  readonly arm: string;
  readonly cuts: readonly string[];
}

/**
 * The effect of each speech of a debate when it is heard last: the loss of P(label) and of verdicts for it if nothing is heard from this
 * speech on, less the loss if this speech and nothing after it is heard. How much a case's debate is cut is drawn at random, so both groups
 * are alike but for where their debates are cut, and the difference of their means is the effect of the speech and of the silence that moves
 * behind it (Fisher, The Design of Experiments, 1935; Rubin, Estimating causal effects of treatments, 1974). Each loss is against the whole
 * debate of the same case, replicate and seeds, whose answers the draw cannot change; that takes out how cases differ (an adjustment by a
 * covariate, Lin 2013). Hearing the whole debate loses nothing, so the last speech has one group. The effects sum to that of the
 * whole debate. Pairs without two decisions are left out; where the cut itself keeps a court from deciding, the groups differ in that too,
 * so they are counted.
 *
 * The case is what is resampled: with several draws, it may be in both groups. Example: cut before the last of two speeches P(YES) is 0.6,
 * and 0.9 in the whole debates of the same cases. So the last speech adds 0.3; if cases that are cut before both lose 0.1, the first adds
 * 0.1 - 0.3 = -0.2.
 * @param trialsOf the finished trials of an arm
 */
export function turnEffects(
  truncated: readonly TruncatedArm[],
  trialsOf: (arm: string) => readonly ChangedTrial[],
  terms: LabelTerms,
  resampling: Resampling,
): TurnEffect[] {
  const label = labelFollowed(terms);
  const effectsOf = ({ arm, cuts }: TruncatedArm): TurnEffect[] => {
    const base = trialsOf(arm);
    const found = cuts.flatMap((cut) => swapPairs(base, trialsOf(cut)));
    const decided = found.filter((pair) => isFlipped(pair) !== null);
    const heardIn = ({ swapped }: SwapPair<ChangedTrial>) => swapped.change?.truncated?.heard ?? null;
    const speeches = found[0]?.swapped.change?.truncated?.of ?? [];
    const effectOf = (speech: string, place: number): TurnEffect => {
      const isIn = (pair: SwapPair<ChangedTrial>) => heardIn(pair) === place || heardIn(pair) === place + 1;
      const pairs = casedTrials(decided.filter(isIn));
      const effects = plannedLosses('turn', label, (name, lossIn, none) =>
        plannedContrast(name, pairs, (pair) => ({ isFirst: heardIn(pair) === place, value: lossIn(pair) }), {
          hasSecond: place + 1 < speeches.length,
          none,
          leastCases,
        }),
      );
      const observed = [plannedMovement(base, speech, label, terms.positive)];
      const cutAfter = (pairs: readonly SwapPair<ChangedTrial>[], count: number) =>
        pairs.filter((pair) => heardIn(pair) === count).length;
      const counts = { heard: cutAfter(decided, place + 1), unheard: cutAfter(decided, place) };
      return {
        ...{ arm, speech, label, draws: cuts.length, cases: pairs.cases.length },
        ...counts,
        heard_lost: cutAfter(found, place + 1) - counts.heard,
        unheard_lost: cutAfter(found, place) - counts.unheard,
        measures: [effects, observed].flatMap((planned) => estimates(planned, resampling)),
      };
    };
    return speeches.map(effectOf);
  };
  return truncated.flatMap(effectsOf);
}
