import type { StatsReport } from '../../shared/outputs.ts';

/** Whether all trials are one that is tried again with changes. */
export const isOneTrial = ({ arms }: Pick<StatsReport, 'arms'>): boolean =>
  arms.some(({ change }) => change !== undefined) && arms.every(({ planned }) => planned === 1);

const nothingCompared = {
  sentence: 'Nothing is compared with baselines or other arms: this set has one case.',
  rule: 'On one case an arm is right or wrong, which does not show how often it is right.',
};

/** The report as people read it: a set about one trial is without what a single case cannot show. */
export function forReaders(report: StatsReport): StatsReport {
  if (!isOneTrial(report)) return report;
  const { primary: _primary, ...rest } = report;
  return {
    ...rest,
    ...{ baselines: [], missing_baselines: [], comparisons: [] },
    finding: report.damage === undefined ? nothingCompared : report.finding,
  };
}
