import type { SpeechWorth } from '../../../shared/changeStatistics.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import { followedLabel } from '../../figures/beliefChanges.ts';
import { speechOf } from '../../record/withheld.ts';
import { persuasion } from '../persuasion.ts';
import type { CaseTerms } from './armMeasures.ts';
import { estimates } from './estimates.ts';
import { type MeasureName, type PlannedMeasure, plannedMean, withoutValue } from './planned.ts';
import { isFlipped, type PairedTrial, type SwapPair, swapPairs } from './swapMeasures.ts';
import { casedTrials } from './trials.ts';

/** A speech of an arm, and the arms in which it is withheld, each with the arm of the same seeds in which it is heard. */
export interface WithheldSpeech {
  readonly arm: string;
  readonly speech: string;
  readonly runs: readonly { readonly heard: string; readonly withheld: string }[];
}

export const noLabel = 'there are more than two labels and no positive one, whose probability could be followed';

const nobodyHeard = 'nobody whose belief counts heard the speech';

/** With fewer, even differences that all have one sign come by chance in more than one of twenty: 2 of 2^5. */
const fewestPairs = 6;
const tooFewPairs = (pairs: number) => ({
  noInterval: `no interval: it takes ${fewestPairs} cases, or as many pairs of one case, and there ${pairs === 1 ? 'is 1' : `are ${pairs}`}`,
});

/** The label whose probability is followed; null where there are more than two and no positive one. */
export const labelFollowed = ({ labels, positive, multiLabel }: LabelTerms): string | null =>
  multiLabel || (positive === null && labels.length !== 2) ? null : (followedLabel(labels, positive) ?? null);
export type LabelTerms = Pick<CaseTerms, 'labels' | 'positive' | 'multiLabel'>;

/** The change of belief that came right after the speech, as the record has it; null where the judge said nothing before or after. */
function movementOf({ path = null }: PairedTrial, speech: string, positive: string | null): number | null {
  if (path === null) return null;
  const effect = persuasion(path, positive).find(({ after }) => after !== null && speechOf(after) === speech);
  return effect?.change ?? null;
}

/** Losses of P(label) and of verdicts for it in a pair's second trial. @param plan makes a measure; null: a pair without one */
export function plannedLosses(
  prefix: string,
  label: string | null,
  plan: (name: MeasureName, lossIn: (pair: SwapPair) => number | null, none: string) => PlannedMeasure,
): PlannedMeasure[] {
  const planned = (name: string, over: 'pairs' | 'believed-pairs', none: string, valueIn: ValueIn) => {
    if (label === null) return withoutValue({ name: `${prefix}_${name}`, over }, noLabel);
    const lossIn = ({ base, swapped }: SwapPair) => {
      const [whole, less] = [valueIn(base, label), valueIn(swapped, label)];
      return whole === null || less === null ? null : whole - less;
    };
    return plan({ name: `${prefix}_${name}`, label, over }, lossIn, none);
  };
  return [
    planned('belief', 'believed-pairs', 'no pair of decided trials with beliefs', ({ belief }, of) =>
      belief === null ? null : (belief[of] ?? 0),
    ),
    planned('verdict', 'pairs', 'no pair of decided trials', ({ prediction }, of) => Number(prediction === of)),
  ];
}
type ValueIn = (trial: PairedTrial, label: string) => number | null;

/** The mean change of belief right after a speech in an arm; no cause. */
export const plannedMovement = (
  trials: readonly PairedTrial[],
  speech: string,
  label: string | null,
  positive: string | null,
): PlannedMeasure =>
  label === null
    ? withoutValue({ name: 'observed_movement', over: 'speeches' }, noLabel)
    : plannedMean(
        { name: 'observed_movement', label, over: 'speeches' },
        casedTrials(trials),
        (trial) => movementOf(trial, speech, positive),
        'no belief was stated both before and after the speech',
      );

/**
 * What each speech was worth: P(label) and the share of verdicts for it where the speech is heard, less the same if it is withheld and
 * what follows is run again. Both runs have the same case, replicate and seeds, so that the first is the control in which nothing but the
 * seeds can have changed against the original, and all before the speech is alike. The mean is over the cases, each with its pairs; of a
 * single case over the pairs, whose seeds differ. With it the movement that was observed in the arm itself (`persuasion`), which is no
 * cause: the belief might have moved as far without the speech.
 *
 * An average effect of an intervention with the replayed seeds as common random numbers; after Pearl, Causality (2009), section 3.2.
 * Pairs in which nobody whose belief counts heard the speech, or it was never made, are left out and counted: without it nothing could
 * change there, and the 0 would be no evidence. On a server that answers the same request in several ways, the two runs
 * may differ before the speech too; that adds noise, and no bias.
 * @param trialsOf the finished trials of an arm
 */
export function speechWorth(
  speeches: readonly WithheldSpeech[],
  trialsOf: (arm: string) => readonly PairedTrial[],
  terms: LabelTerms,
  resampling: Resampling,
): SpeechWorth[] {
  const label = labelFollowed(terms);
  const worthOf = ({ arm, speech, runs }: WithheldSpeech): SpeechWorth => {
    const all = runs.flatMap(({ heard, withheld }, run) =>
      swapPairs(trialsOf(heard), trialsOf(withheld)).map((pair) => ({ ...pair, run })),
    );
    const found = all.filter(({ swapped }) => swapped.path?.unheard === undefined);
    const cases = new Set(found.map((pair) => pair.case)).size;
    const decided = found.filter((pair) => isFlipped(pair) !== null);
    const pairs = casedTrials(
      cases === 1 ? decided.map((pair) => ({ ...pair, case: `${pair.run}/${pair.replicate}` })) : decided,
    );
    const worth = plannedLosses('worth', label, (name, lossIn, none) => ({
      ...plannedMean(name, pairs, lossIn, found.length < all.length && found.length === 0 ? nobodyHeard : none),
      ...(pairs.cases.length < fewestPairs ? tooFewPairs(pairs.cases.length) : {}),
    }));
    const observed = [plannedMovement(trialsOf(arm), speech, label, terms.positive)];
    return {
      ...{ arm, speech, label, cases, pairs: found.length },
      seeds: runs.length,
      unheard: all.length - found.length,
      measures: [worth, observed].flatMap((planned) => estimates(planned, resampling)),
    };
  };
  return speeches.map(worthOf);
}
