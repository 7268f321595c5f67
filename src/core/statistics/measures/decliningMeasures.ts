// What an arm would gain by declining where it is unsure, and sets of labels instead of single ones.
import { readOnce } from '../../../shared/remembered.ts';
import type { Conformal, Declining } from '../../../shared/statistics.ts';
import { randomSource } from '../../cases/shuffle.ts';
import { percent } from '../../figures/shares.ts';
import { conformalSet, conformalThreshold } from '../conformalSets.ts';
import { distributionOver } from '../distribution.ts';
import {
  accuracyAtName,
  accuracyWhenSureName,
  coverages,
  prepareRiskCoverage,
  type RiskCoverage,
  sureFrom,
  sureLevels,
  type WeighedCurve,
} from '../riskCoverage.ts';
import { noise } from '../sameNumber.ts';
import { decidedRightly } from './accuracyMeasures.ts';
import { believedReader } from './beliefMeasures.ts';
import { isStated } from './confidenceMeasures.ts';
import { type MeasureName, type PlannedMeasure, plannedMean, plannedShare, weightsOfItems, withoutValue } from './planned.ts';
import { type CasedTrials, type MeasuredTrial, ofReading } from './trials.ts';

const noConfidence = 'no decided trial with a known truth and a stated confidence';
const riskCoverageOf = (trials: readonly MeasuredTrial[]): RiskCoverage =>
  prepareRiskCoverage(
    trials.map((trial) => (isStated(trial) ? trial.confidence : null)),
    trials.map((trial) => decidedRightly(trial) === true),
  );

const hasTruth = ({ truth }: MeasuredTrial) => truth !== null;

/** The trials that are answered where this share of all is to be: those at least as sure as the last that it takes. */
function answeredAt(coverage: number, trials: readonly MeasuredTrial[], curve: RiskCoverage): readonly MeasuredTrial[] {
  const point = curve.points().find(({ answered }) => answered >= coverage * trials.length - 1e-9);
  return point === undefined ? [] : trials.filter((trial) => isStated(trial) && (trial.confidence ?? 0) >= point.leastConfidence);
}

/** Accuracy of the trials that are at least so sure. Each case weighs the same. */
function accuracyWhenSure(name: string, trials: CasedTrials, from: number, none = noConfidence): PlannedMeasure {
  const isSure = (trial: MeasuredTrial) => isStated(trial) && (trial.confidence ?? 0) >= from - noise;
  const rightly = (trial: MeasuredTrial) => (isSure(trial) ? decidedRightly(trial) : null);
  return plannedShare({ name, over: 'answered' }, trials, rightly, none);
}

/** Area under the risk-coverage curve, and accuracy where only the surest are answered. These count the trials of a resample once. */
export function decliningMeasures(trials: CasedTrials): PlannedMeasure[] {
  const places = [...trials.trials.keys()].filter((index) => trials.trials[index]?.truth !== null);
  const known = places.flatMap((index) => trials.trials[index] ?? []);
  const stated = known.filter(isStated);
  const curve = riskCoverageOf(known);
  const caseOf = Uint32Array.from(places, (index) => trials.caseOf[index] ?? 0);
  const ofTrials = weightsOfItems(trials.cases.length, caseOf);
  let weighed = curve.under(new Uint32Array(caseOf.length));
  const count = (weights: Uint32Array) => {
    weighed = curve.under(ofTrials(weights));
  };
  const planned = (about: MeasureName, answered: readonly MeasuredTrial[], of: (found: WeighedCurve) => number | null) => ({
    ...withoutValue(about, noConfidence),
    n: answered.length,
    cases: new Set(answered.map(({ case: id }) => id)).size,
    statistic: {
      cases: trials.cases.length,
      at(weights: Uint32Array) {
        count(weights);
        return of(weighed);
      },
      counted: { count, value: () => of(weighed) },
    },
    why: null,
  });
  const area = (name: string, of: (found: WeighedCurve) => number | null): PlannedMeasure => {
    const about = { name, over: 'stated' } as const;
    return stated.length === 0 ? withoutValue(about, noConfidence) : planned(about, stated, of);
  };
  const few = `only ${stated.length} of ${known.length} trials have a verdict and a confidence`;
  return [
    area('area_under_risk_coverage', (found) => found.area()),
    area('excess_area_under_risk_coverage', (found) => found.excess()),
    ...coverages.map((coverage): PlannedMeasure => {
      const about = { name: accuracyAtName(coverage), over: 'answered' } as const;
      const answered = answeredAt(coverage, known, curve);
      if (answered.length === 0) return withoutValue(about, stated.length === 0 ? noConfidence : few);
      const right = answered.filter((trial) => decidedRightly(trial) === true).length;
      return { ...planned(about, answered, (found) => found.accuracyAt(coverage)), count: right };
    }),
    ...sureLevels.map((level) =>
      accuracyWhenSure(accuracyWhenSureName(level), trials, level, `${noConfidence} of at least ${percent(level)}`),
    ),
    // Where none is so sure, of those that are surest.
    accuracyWhenSure('accuracy_when_sure', trials, Math.min(sureFrom, curve.points()[0]?.leastConfidence ?? 0)),
  ];
}

/** Points of a curve that are reported: one for each of so many equal steps of coverage at most. */
const mostPoints = 200;

/** The risk-coverage curve; undefined where no confidence was stated. */
export function declining({ trials }: CasedTrials): Declining | undefined {
  const known = trials.filter(hasTruth);
  const points = riskCoverageOf(known).points();
  const step = (answered: number) => Math.ceil((mostPoints * answered) / known.length);
  const reported = points.filter(({ answered }, place) => step(answered) !== step(points[place + 1]?.answered ?? Number.NaN));
  const last = points.at(-1);
  if (last === undefined) return;
  return {
    finished: known.length,
    answerable: last.answered,
    curve: reported.map(({ leastConfidence, answered, wrong }) => ({
      least_confidence: leastConfidence,
      n: answered,
      coverage: answered / known.length,
      risk: wrong / answered,
    })),
  };
}

/** The share of new cases whose set may lack the true label. */
const alpha = 0.1;

/** Trials of the same arm on other cases, in another experiment. */
export interface Calibration {
  readonly experiment: string;
  readonly trials: readonly MeasuredTrial[];
}

/**
 * Split conformal sets at 90%, calibrated on the first believed trial of each case of another experiment and tried on all cases of
 * this one; without one, calibrated on one half of the cases and tried on the other. The halves are drawn by lot from the ids of the
 * cases, so that they cannot be chosen; all arms have the same lot. Undefined where no trial has a distribution over the labels.
 */
export function plannedConformal(
  trials: CasedTrials,
  labels: readonly string[],
  elsewhere?: Calibration,
): { readonly about: Conformal; readonly measures: readonly PlannedMeasure[] } | undefined {
  const read = believedReader(labels);
  const believedIn = (some: readonly MeasuredTrial[]) =>
    Map.groupBy(
      some.filter((trial) => read(trial) !== null),
      ({ case: id }) => id,
    );
  const byCase = believedIn(trials.trials);
  if (byCase.size === 0) return;
  const lots = new Map([...byCase.keys()].map((id) => [id, randomSource(0, `conformal half ${id}`).next()]));
  const drawn = [...lots].toSorted(([, one], [, other]) => one - other).map(([id]) => id);
  const half = elsewhere === undefined ? Math.floor(drawn.length / 2) : 0;
  const calibrating =
    elsewhere === undefined ? drawn.slice(0, half).map((id) => byCase.get(id) ?? []) : [...believedIn(elsewhere.trials).values()];
  const calibration = calibrating.flatMap((own) => own.slice(0, 1));
  const least = conformalThreshold(
    calibration.map((trial) => read(trial)?.belief[read(trial)?.truth ?? ''] ?? 0),
    alpha,
  );
  const about = {
    alpha,
    ...(elsewhere === undefined ? {} : { calibrated_in: elsewhere.experiment }),
    ...{ calibrated_on: calibration.length, held_out: drawn.length - half, least_probability: least },
  };
  if (least === null) {
    const on = elsewhere === undefined ? 'half of the cases' : `the cases of ${elsewhere.experiment}`;
    const why = `calibration on ${on} needs at least ${Math.ceil(1 / alpha) - 1} of them with a belief, and has ${calibration.length}`;
    return { about: { ...about, why_null: why, guarantee: null }, measures: [] };
  }
  const isHeldOut = new Set(drawn.slice(half));
  const setOf = readOnce((trial: MeasuredTrial) => {
    const found = isHeldOut.has(trial.case) ? read(trial) : null;
    if (found === null) return null;
    const places = conformalSet(distributionOver(labels, found.belief), least);
    return { size: places.length, holds: places.includes(labels.indexOf(found.truth)) };
  });
  const none = 'no case was held out';
  const share = (name: string, fits: (set: NonNullable<ReturnType<typeof setOf>>) => boolean) =>
    plannedShare({ name, over: 'held-out' }, trials, ofReading(setOf, fits), none);
  const guarantee = `If new cases are drawn as ${elsewhere === undefined ? 'these' : `those of ${elsewhere.experiment}`} were (exchangeable with them), the sets of at least ${100 * (1 - alpha)}% of the new cases that get a belief hold the true label, on average over such calibrations, however good or bad the beliefs are.`;
  return {
    about: { ...about, why_null: null, guarantee },
    measures: [
      share('conformal_coverage', ({ holds }) => holds),
      plannedMean({ name: 'conformal_set_size', over: 'held-out' }, trials, (trial) => setOf(trial)?.size ?? null, none),
      share('conformal_one_label', ({ size }) => size === 1),
      share('conformal_empty', ({ size }) => size === 0),
      share('conformal_all_labels', ({ size }) => size === labels.length),
    ],
  };
}
