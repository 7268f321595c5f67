// What a change of the arm did apart from the verdicts: calibration, failures and tokens, over pairs of trials.
import type { ChangedMeasure } from '../../../shared/api/compared.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';
import { subtract } from '../bootstrap.ts';
import { type CaseStatistic, valueOfAll } from '../caseStatistic.ts';
import { decidedRightly } from './accuracyMeasures.ts';
import type { CaseTerms } from './armMeasures.ts';
import { beliefMeasures, lossReader } from './beliefMeasures.ts';
import { confidenceMeasures, isStated } from './confidenceMeasures.ts';
import { estimatesByCases, missingEstimate } from './estimates.ts';
import { outcomeMeasures } from './outcomeMeasures.ts';
import { type PlannedMeasure, plannedMean } from './planned.ts';
import { type PairedTrial, swapPairs } from './swapMeasures.ts';
import { type CasedTrials, casedTrials } from './trials.ts';

export type CostedTrial = PairedTrial & Pick<TrialLine, 'calls' | 'prompt_tokens' | 'completion_tokens'>;

/** A measure of an arm, and the trials that it is over: a pair counts where both of its trials are among them. */
interface Measured {
  readonly counts: (trial: CostedTrial) => boolean;
  readonly plan: (trials: CasedTrials<CostedTrial>) => PlannedMeasure | undefined;
  /** Why its difference has no interval. */
  readonly noInterval?: string;
}

const none = 'no pair of trials that both have it';
/** docs/statistics.md has the simulation. */
const noErrorInterval =
  'no interval: the error is too large on average, the more so where an arm is well calibrated, so that the interval of a difference would not cover it; see miscalibration';

/** A predicted trial of elsewhere has no calls, and so no tokens. */
const tokens = (name: 'prompt_tokens' | 'completion_tokens'): Measured => ({
  counts: ({ calls }) => calls > 0,
  plan: (trials) => plannedMean<CostedTrial>({ name, over: 'finished' }, trials, (trial) => trial[name], none),
});

function measuredBy({ labels, positive, multiLabel }: Omit<CaseTerms, 'groups'>): Measured[] {
  const among = (planned: readonly PlannedMeasure[], wanted: string) => planned.find(({ name }) => name === wanted);
  const lossOf = lossReader(labels, multiLabel);
  const beliefs = (trials: CasedTrials<CostedTrial>) => beliefMeasures(trials, labels, positive, multiLabel);
  return [
    {
      counts: ({ outcome }) => outcome === 'decided',
      plan: (trials) =>
        positive === null
          ? undefined
          : plannedMean<CostedTrial>(
              { name: 'selection_rate', label: positive, over: 'decided' },
              trials,
              ({ prediction }) => (prediction === positive ? 1 : 0),
              none,
            ),
    },
    { counts: (trial) => lossOf(trial) !== null, plan: (trials) => among(beliefs(trials), 'brier') },
    { counts: (trial) => lossOf(trial) !== null, plan: (trials) => among(beliefs(trials), 'miscalibration') },
    {
      counts: isStated,
      plan: (trials) => among(confidenceMeasures(trials, multiLabel), 'expected_calibration_error'),
      noInterval: noErrorInterval,
    },
    {
      counts: isStated,
      plan: (trials) =>
        plannedMean<CostedTrial>(
          { name: 'overconfidence', over: 'stated' },
          trials,
          (trial) => (trial.confidence ?? 0) - (decidedRightly(trial) === true ? 1 : 0),
          none,
        ),
    },
    { counts: () => true, plan: (trials) => among(outcomeMeasures(trials), 'failed') },
    tokens('prompt_tokens'),
    tokens('completion_tokens'),
  ];
}

/** The difference of two statistics of the same cases: both are computed again in each resample. */
function less(one: CaseStatistic, other: CaseStatistic): CaseStatistic {
  const [ofOne, ofOther] = [one.without?.bind(one), other.without?.bind(other)];
  return {
    cases: one.cases,
    at: (weights) => subtract(one.at(weights), other.at(weights)),
    ...(ofOne === undefined || ofOther === undefined ? {} : { without: (index) => subtract(ofOne(index), ofOther(index)) }),
  };
}

/**
 * Share of the positive label, Brier score, miscalibration, calibration error, mean confidence less accuracy, share of failures and mean tokens of a trial, of `a` less `b`,
 * over pairs of finished trials of the same case and replicate that both have the measure. Intervals by resampling the cases, each
 * with its pairs.
 */
export function changeMeasures(
  a: readonly CostedTrial[],
  b: readonly CostedTrial[],
  terms: Omit<CaseTerms, 'groups'>,
  resampling: Resampling,
): ChangedMeasure[] {
  const pairs = swapPairs(b, a);
  const planned = measuredBy(terms).flatMap(({ counts, plan, noInterval }) => {
    const some = pairs.filter(({ base, swapped }) => counts(base) && counts(swapped));
    const trials = casedTrials(some.map(({ swapped }) => swapped));
    const [one, other] = [plan(trials), plan(casedTrials(some.map(({ base }) => base)))];
    if (one === undefined || other === undefined || one.statistic === null || other.statistic === null) return [];
    const { name, over } = one;
    const values = { a: valueOfAll(one.statistic), b: valueOfAll(other.statistic) };
    const about = { name, over, pairs: some.length, cases: trials.cases.length, ...values };
    const statistic = less(one.statistic, other.statistic);
    return [{ about, cases: trials.cases, statistic, noInterval }];
  });
  const differences = estimatesByCases(planned, resampling, none);
  return planned.map(({ about, statistic, noInterval }, place): ChangedMeasure => {
    const difference = differences[place];
    return {
      ...about,
      difference:
        noInterval === undefined && difference !== undefined
          ? difference
          : { ...missingEstimate(resampling.level, noInterval ?? none), value: valueOfAll(statistic) },
    };
  });
}
