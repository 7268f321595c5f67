// What a report says of intervals that were not drawn. Screens load it without what draws them.
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { PrimaryResult } from '../../../shared/primary.ts';
import { count } from '../../../shared/sizes.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { undrawn } from './primaryText.ts';

export const notAsked = 'no resamples were asked for';
/** The same while they are being drawn. */
export const toCome = 'its interval is being computed';

/** The same while a run is under way. */
export const toComeLater = 'its interval is computed when the run has ended';

/** Estimates with the word that their intervals are to come, where nothing was drawn yet. */
export const withIntervalsToCome = <Each extends { readonly why_null: string | null }>(
  estimates: readonly Each[],
  when = toCome,
): Each[] => estimates.map((each) => (each.why_null === notAsked ? { ...each, why_null: when } : each));

export const comparisonToCome = (comparison: Comparison): Comparison => ({
  ...comparison,
  difference: { ...comparison.difference, ...withIntervalsToCome([comparison.difference])[0] },
  differences: withIntervalsToCome(comparison.differences),
});

/** The primary comparison at an end without intervals yet. What was added later does not count in it. */
export function primaryToCome(
  now: PrimaryResult,
  earlier: PrimaryResult | null | undefined,
  isComputing: boolean,
): PrimaryResult {
  if (now.sentence !== undrawn) return now;
  if (earlier && earlier.decision !== 'open' && earlier.of === now.of) {
    const since = now.planned === undefined ? 'Computed before' : 'From before the extension';
    return {
      ...earlier,
      ...(now.planned && { planned: now.planned }),
      sentence: `${since} (n = ${count(earlier.cases)}): ${earlier.sentence}`,
    };
  }
  const when = isComputing
    ? 'are being computed now: it comes with them'
    : 'are computed when the run has ended, or when you press “Compute them now”';
  return { ...now, sentence: `The decision takes intervals, which ${when}.` };
}

/** A report of an unfinished primary comparison with its counts, and without what would be a look at the result. */
export const withoutResults = (report: StatsReport): StatsReport => ({
  ...report,
  arms: report.arms.map(({ truth_by_step: _course, ...arm }) => ({ ...arm, measures: [] })),
  derived: [],
  ...(report.primary && {
    primary: {
      ...report.primary,
      a: null,
      b: null,
      difference: { ...report.primary.difference, value: null, low: null, high: null },
      anytime: null,
    },
  }),
});

export function armToCome<Arm extends Pick<ArmStatistics, 'measures' | 'groups' | 'intersections' | 'fairness'>>(
  arm: Arm,
  when = toCome,
): Arm {
  const parts = <Part extends { readonly measures: ArmStatistics['measures'] }>(some: readonly Part[]) =>
    some.map((each) => ({ ...each, measures: withIntervalsToCome(each.measures, when) }));
  return {
    ...arm,
    measures: withIntervalsToCome(arm.measures, when),
    ...(arm.groups === undefined ? {} : { groups: parts(arm.groups) }),
    ...(arm.intersections === undefined ? {} : { intersections: parts(arm.intersections) }),
    ...(arm.fairness === undefined ? {} : { fairness: parts(arm.fairness) }),
  };
}
