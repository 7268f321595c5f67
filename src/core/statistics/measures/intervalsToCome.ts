// What a report says of intervals that were not drawn. Screens load it without what draws them.
import type { ArmStatistics } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';

export const notAsked = 'no resamples were asked for';
/** The same while they are being drawn. */
export const toCome = 'its interval is being computed';

/** Estimates with the word that their intervals are to come, where nothing was drawn yet. */
export const withIntervalsToCome = <Each extends { readonly why_null: string | null }>(estimates: readonly Each[]): Each[] =>
  estimates.map((each) => (each.why_null === notAsked ? { ...each, why_null: toCome } : each));

/** A comparison with the same word. */
export const comparisonToCome = (comparison: Comparison): Comparison => ({
  ...comparison,
  difference: { ...comparison.difference, ...withIntervalsToCome([comparison.difference])[0] },
  differences: withIntervalsToCome(comparison.differences),
});

export function armToCome<Arm extends Pick<ArmStatistics, 'measures' | 'groups' | 'intersections' | 'fairness'>>(arm: Arm): Arm {
  const parts = <Part extends { readonly measures: ArmStatistics['measures'] }>(some: readonly Part[]) =>
    some.map((each) => ({ ...each, measures: withIntervalsToCome(each.measures) }));
  return {
    ...arm,
    measures: withIntervalsToCome(arm.measures),
    ...(arm.groups === undefined ? {} : { groups: parts(arm.groups) }),
    ...(arm.intersections === undefined ? {} : { intersections: parts(arm.intersections) }),
    ...(arm.fairness === undefined ? {} : { fairness: parts(arm.fairness) }),
  };
}
