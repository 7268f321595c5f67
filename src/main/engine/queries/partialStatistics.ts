// Queries: parts of the statistics that depend on what somebody chooses. What verdicts would be worth at another prevalence, and
// which sets of labels come of calibrating on another experiment.
import { baselineLines, baselineTitle } from '../../../core/statistics/measures/baselineLines.ts';
import { plannedConformal } from '../../../core/statistics/measures/decliningMeasures.ts';
import { estimates } from '../../../core/statistics/measures/estimates.ts';
import { prevalenceMeasures } from '../../../core/statistics/measures/prevalenceMeasures.ts';
import { measured } from '../../../core/statistics/measures/statisticsReport.ts';
import { casedTrials } from '../../../core/statistics/measures/trials.ts';
import type {
  AtPrevalence,
  Calibrated,
  CalibratedQuery,
  CalibrationChoice,
  PrevalenceQuery,
} from '../../../shared/api/statistics.ts';
import { isVaried } from '../../../shared/trialLine.ts';
import { experimentBaselines } from '../lab/baselines.ts';
import { type FrozenExperiment, loadFrozen } from '../lab/frozen.ts';
import { calibrationIn, sharedArms, whyUnfit } from '../report/calibration.ts';
import { caseTerms, resamplingOf } from '../report/statistics.ts';
import { trialLines } from '../report/trialLines.ts';
import { subsetReader } from '../report/where.ts';
import type { Query } from './query.ts';

/** The same numbers as `at_prevalence` of a report, without the rest of it. */
export const atPrevalence: Query<PrevalenceQuery, AtPrevalence> = {
  run(store, { experiment, prevalence, subset }) {
    const frozen = loadFrozen(store, experiment);
    const { positive } = caseTerms(frozen, prevalence);
    const isIn = subsetReader(store, frozen, subset);
    const lines = [...trialLines(store, frozen)].filter(isIn);
    const byArm = Map.groupBy(
      lines.filter((line) => !isVaried(line)),
      ({ arm }) => arm,
    );
    const { baselines } = experimentBaselines(store, frozen);
    const names = frozen.arms.map(({ name }) => name);
    const fitted = baselines.map(
      (baseline) => [baselineTitle(baseline.name, names), [...baselineLines(baseline, lines)]] as const,
    );
    const resampling = resamplingOf(frozen.definition);
    return [...byArm, ...fitted].map(([arm, lines]) => {
      const planned = prevalenceMeasures(casedTrials(measured(lines, new Map())), positive ?? '', prevalence);
      return { arm, measures: estimates(planned, resampling) };
    });
  },
};

const armsOf = (frozen: FrozenExperiment) => frozen.arms.flatMap(({ name }) => (frozen.isVaried(name) ? [] : [name]));

/** Experiments with the same labels and an arm of the same name, and why one of them does not fit. */
export const calibrationChoices: Query<{ experiment: string }, CalibrationChoice[]> = {
  run(store, { experiment }) {
    const frozen = loadFrozen(store, experiment);
    return store.experiments.names().flatMap((name) => {
      if (name === experiment) return [];
      const other = loadFrozen(store, name);
      const arms = sharedArms(frozen, other, armsOf(frozen));
      return arms.length === 0
        ? []
        : [{ experiment: name, cases: other.sample().length, why: whyUnfit(store, frozen, other, arms) }];
    });
  },
};

/** The same sets as those of `stats --calibration`, of the arms that both experiments have. */
export const calibrated: Query<CalibratedQuery, Calibrated> = {
  run(store, { experiment, calibration, subset }) {
    const frozen = loadFrozen(store, experiment);
    const names = armsOf(frozen);
    const shared = sharedArms(frozen, loadFrozen(store, calibration), names);
    const elsewhere = Map.groupBy(calibrationIn(store, frozen, shared, calibration).lines, ({ arm }) => arm);
    const isIn = subsetReader(store, frozen, subset);
    const byArm = Map.groupBy([...trialLines(store, frozen)].filter(isIn), ({ arm }) => arm);
    const { labels } = caseTerms(frozen);
    const resampling = resamplingOf(frozen.definition);
    return {
      arms: shared.flatMap((arm) => {
        const trialsOf = (lines: typeof byArm) => measured(lines.get(arm) ?? [], new Map());
        const source = { experiment: calibration, trials: trialsOf(elsewhere) };
        const planned = plannedConformal(casedTrials(trialsOf(byArm)), labels, source);
        if (planned === undefined) return [];
        const { about, measures } = planned;
        return [{ arm, conformal: about, measures: estimates(measures, resampling) }];
      }),
      missing: names.filter((name) => !shared.includes(name)),
    };
  },
};
