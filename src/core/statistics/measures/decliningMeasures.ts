// What an arm would gain by declining where it is unsure, and sets of labels instead of single ones.
import type { Conformal, Declining } from '../../../shared/statistics.ts';
import { randomSource } from '../../cases/shuffle.ts';
import { conformalSet, conformalThreshold } from '../conformalSets.ts';
import { distributionOver } from '../distribution.ts';
import { accuracyAtName, coverages, prepareRiskCoverage, type RiskCoverage } from '../riskCoverage.ts';
import type { Weights } from '../weights.ts';
import { decidedRightly } from './accuracyMeasures.ts';
import { believedReader } from './beliefMeasures.ts';
import { isStated } from './confidenceMeasures.ts';
import { type PlannedMeasure, plannedItems, plannedMean, plannedShare } from './planned.ts';
import type { CasedTrials, MeasuredTrial } from './trials.ts';

const noConfidence = 'no decided trial with a known truth and a stated confidence';
const riskCoverageOf = (trials: readonly MeasuredTrial[]): RiskCoverage =>
  prepareRiskCoverage(
    trials.map((trial) => (isStated(trial) ? trial.confidence : null)),
    trials.map((trial) => decidedRightly(trial) === true),
  );

/** The curve of some trials, for several measures of them. */
function sharedCurve(): typeof riskCoverageOf {
  let curve: RiskCoverage | undefined;
  return (trials) => {
    curve ??= riskCoverageOf(trials);
    return curve;
  };
}

const hasTruth = ({ truth }: MeasuredTrial) => truth !== null;

/** The trials that are answered where this share of all is to be: those at least as sure as the last that it takes. */
function answeredAt(coverage: number, trials: readonly MeasuredTrial[]): readonly MeasuredTrial[] {
  const point = riskCoverageOf(trials)
    .points()
    .find(({ answered }) => answered >= coverage * trials.length - 1e-9);
  return point === undefined ? [] : trials.filter((trial) => isStated(trial) && (trial.confidence ?? 0) >= point.leastConfidence);
}

/** Area under the risk-coverage curve, and accuracy where only the surest are answered. */
export function decliningMeasures(trials: CasedTrials): PlannedMeasure[] {
  const known = trials.trials.filter(hasTruth);
  const answerable = known.filter(isStated).length;
  const [curveOfStated, curveOfKnown] = [sharedCurve(), sharedCurve()];
  const area = (name: string, of: (curve: RiskCoverage, weights: Weights) => number | null) =>
    plannedItems({ name, over: 'stated' }, trials, isStated, {
      prepare(some) {
        const curve = curveOfStated(some);
        return (weights) => of(curve, weights);
      },
      none: noConfidence,
    });
  return [
    area('area_under_risk_coverage', (curve, weights) => curve.area(weights)),
    area('excess_area_under_risk_coverage', (curve, weights) => curve.excess(weights)),
    ...coverages.map((coverage): PlannedMeasure => {
      const answered = answeredAt(coverage, known);
      const planned = plannedItems({ name: accuracyAtName(coverage), over: 'answered' }, trials, hasTruth, {
        prepare(some) {
          const curve = curveOfKnown(some);
          return (weights) => curve.accuracyAt(coverage, weights);
        },
        none: noConfidence,
      });
      const few = `only ${answerable} of ${known.length} trials have a verdict and a confidence`;
      return answered.length === 0
        ? { ...planned, n: 0, cases: 0, statistic: null, why: answerable === 0 ? noConfidence : few }
        : { ...planned, n: answered.length, cases: new Set(answered.map(({ case: id }) => id)).size };
    }),
  ];
}

/** Points of a curve that are told: one for each of so many equal steps of coverage at most. */
const mostPoints = 200;

/** The risk-coverage curve; undefined where no confidence was stated. */
export function declining({ trials }: CasedTrials): Declining | undefined {
  const known = trials.filter(hasTruth);
  const points = riskCoverageOf(known).points();
  const step = (answered: number) => Math.ceil((mostPoints * answered) / known.length);
  const told = points.filter(({ answered }, place) => step(answered) !== step(points[place + 1]?.answered ?? Number.NaN));
  const last = points.at(-1);
  if (last === undefined) return;
  return {
    finished: known.length,
    answerable: last.answered,
    curve: told.map(({ leastConfidence, answered, wrong }) => ({
      least_confidence: leastConfidence,
      n: answered,
      coverage: answered / known.length,
      risk: wrong / answered,
    })),
  };
}

/** The share of new cases whose set may lack the true label. */
const alpha = 0.1;

/** Sets of labels of an arm: how they were made, and what they are worth on the half of the cases that they were not made from. */
export interface PlannedConformal {
  readonly about: Conformal;
  readonly measures: readonly PlannedMeasure[];
}

/**
 * Split conformal sets at 90%, calibrated on the first believed trial of each of one half of the cases and tried on the others. The
 * halves are drawn by lot from the ids of the cases, so that nobody can choose them; all arms have the same lot. Undefined where no
 * trial has a distribution over the labels.
 */
export function plannedConformal(trials: CasedTrials, labels: readonly string[]): PlannedConformal | undefined {
  const read = believedReader(labels);
  const byCase = Map.groupBy(
    trials.trials.filter((trial) => read(trial) !== null),
    ({ case: id }) => id,
  );
  if (byCase.size === 0) return;
  const lots = new Map([...byCase.keys()].map((id) => [id, randomSource(0, `conformal half ${id}`).next()]));
  const drawn = [...byCase.keys()].toSorted((one, other) => (lots.get(one) ?? 0) - (lots.get(other) ?? 0));
  const half = Math.floor(drawn.length / 2);
  const calibration = drawn.slice(0, half).flatMap((id) => byCase.get(id)?.slice(0, 1) ?? []);
  const least = conformalThreshold(
    calibration.map((trial) => read(trial)?.belief[read(trial)?.truth ?? ''] ?? 0),
    alpha,
  );
  const about = { alpha, calibrated_on: half, held_out: drawn.length - half, least_probability: least };
  if (least === null) {
    const why = `calibration on half of the cases needs at least ${Math.ceil(1 / alpha) - 1} of them with a belief, and has ${half}`;
    return { about: { ...about, why_null: why, guarantee: null }, measures: [] };
  }
  const isHeldOut = new Set(drawn.slice(half));
  const setOf = (trial: MeasuredTrial) => {
    const found = isHeldOut.has(trial.case) ? read(trial) : null;
    if (found === null) return null;
    const places = conformalSet(distributionOver(labels, found.belief), least);
    return { size: places.length, holds: places.includes(labels.indexOf(found.truth)) };
  };
  const none = 'no case was held out';
  const share = (name: string, fits: (set: NonNullable<ReturnType<typeof setOf>>) => boolean) =>
    plannedShare(
      { name, over: 'held-out' },
      trials,
      (trial) => {
        const set = setOf(trial);
        return set === null ? null : fits(set);
      },
      none,
    );
  const guarantee = `If new cases are drawn as these were (exchangeable with them), the sets of at least ${100 * (1 - alpha)}% of the new cases that get a belief hold the true label, on average over such calibrations, however good or bad the beliefs are.`;
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
