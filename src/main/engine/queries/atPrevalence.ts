// Query: what verdicts would be worth at another prevalence.
import { estimates } from '../../../core/statistics/measures/estimates.ts';
import { prevalenceMeasures } from '../../../core/statistics/measures/prevalenceMeasures.ts';
import { measured } from '../../../core/statistics/measures/statisticsReport.ts';
import { casedTrials } from '../../../core/statistics/measures/trials.ts';
import type { AtPrevalence, PrevalenceQuery } from '../../../shared/api/statistics.ts';
import { isVaried } from '../../../shared/trialLine.ts';
import { loadFrozen } from '../lab/frozen.ts';
import { caseTerms, defaultResamples, level } from '../report/statistics.ts';
import { subsetReader } from '../report/subsetReader.ts';
import { trialLines } from '../report/trialLines.ts';
import type { Query } from './query.ts';

/** The same numbers as `at_prevalence` of a report, without the rest of it. */
export const atPrevalence: Query<PrevalenceQuery, AtPrevalence> = {
  run(store, { experiment, prevalence, subset }) {
    const frozen = loadFrozen(store, experiment);
    const { positive } = caseTerms(frozen, prevalence);
    const isIn = subsetReader(store, frozen, subset);
    const byArm = Map.groupBy(
      [...trialLines(store, frozen)].filter((line) => !isVaried(line) && isIn(line)),
      ({ arm }) => arm,
    );
    const resampling = { resamples: defaultResamples, seed: frozen.definition.seed, level };
    return [...byArm].map(([arm, lines]) => {
      const planned = prevalenceMeasures(casedTrials(measured(lines, new Map())), positive ?? '', prevalence);
      return { arm, measures: estimates(planned, resampling).run(() => undefined) };
    });
  },
};
