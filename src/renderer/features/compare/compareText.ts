import { percent, points, pointsOf } from '../../../core/figures/shares.ts';
import { disagreementText } from '../../../core/statistics/measures/shownComparisons.ts';
import type { Compared, Standing } from '../../../shared/api/compared.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { fewCases } from '../../charts/kit/axes.ts';
import { isStated, mirrored } from '../../charts/kit/pairs.ts';
import { quantity } from '../../ui/quantity.ts';
import type { Pair } from './pair.ts';

/** The pair in a report, where its p-values are adjusted over all pairs; null where the report does not have it. */
export function inReport(report: StatsReport | null, { a, b, baseline }: Pair): Comparison | null {
  const found = report?.comparisons.find(
    (each) => each.baseline === baseline && ((each.a === a && each.b === b) || (!baseline && each.a === b && each.b === a)),
  );
  if (found === undefined) return null;
  return found.a === a ? found : mirrored(found);
}

export const nothingKnown = 'The two have no tried case with a known truth in common.';

/** `12` for 12 points, in either direction. */
const bare = (change: number) => points(Math.abs(change)).replace('+', '');

/** What may be said of a comparison; what matters most first; without an adjusted p-value only what was seen. @param by who decided what the labels are */
export function verdictSentences(comparison: Comparison, isPart = false, by?: string): readonly string[] {
  const { is, are } = rightWords({ decided_by: by });
  const { a, b, difference, paired_cases: cases, smallest_detectable_difference: least } = comparison;
  const { value, low, high } = difference;
  if (value === null || cases === 0) return [nothingKnown];
  const size = pointsOf(value);
  if (isPart || comparison.mcnemar.p_adjusted === null) {
    const more =
      value === 0
        ? `${a} and ${b} ${are} equally often`
        : `${value > 0 ? a : b} ${is} ${size} more often than ${value > 0 ? b : a}`;
    const why = isPart
      ? 'This covers only a part of the trials, so it makes no claim.'
      : 'Significance needs an adjusted p-value.';
    return [`Over these cases ${more}.`, why];
  }
  if (isStated(comparison)) {
    const [better, worse, from, to] = value > 0 ? [a, b, low, high] : [b, a, high, low];
    const ends = from === null || to === null ? '' : ` (interval from ${bare(from)} to ${bare(to)})`;
    return [`${better} ${is} in ${bare(value)} more of 100 cases than ${worse}${ends}: chance does not explain it.`];
  }
  const seen =
    least === null
      ? 'The two decide too few cases differently: this comparison would mostly miss even the largest difference that these cases can show.'
      : `A comparison of this size would mostly miss a difference under ${pointsOf(least)}.`;
  const interval = low === null || high === null ? '' : `, and the interval reaches from ${points(low)} to ${points(high)}`;
  const disagreement = disagreementText([comparison]);
  return [
    `These cases do not show whether ${a} and ${b} differ: ${value === 0 ? `they ${are} equally often` : `the difference seen, ${a} less ${b}, is ${points(value)} points`}${interval}.`,
    ...(disagreement === null ? [] : [disagreement]),
    seen,
  ];
}

export const verdictAsText = (...of: Parameters<typeof verdictSentences>): string => verdictSentences(...of).join(' ');

/** Said where few cases are compared; null from 30 on. */
export const fewWords = (cases: number): string | null =>
  cases >= fewCases || cases === 0 ? null : `Only ${quantity(cases, 'case')}: a few more could change the result.`;

/** Over which tests p-values are adjusted; null for a pair that the report does not have. */
export const familyText = (report: StatsReport | null, reported: Comparison | null): string =>
  reported?.primary === true
    ? `not adjusted: the primary comparison is outside the family of exploratory tests, and is tested at ${percent(reported.detectable_at)}`
    : report !== null && reported !== null
      ? `adjusted after Benjamini and Hochberg over ${report.family.text}`
      : report === null
        ? 'not adjusted yet: the other pairs are being computed'
        : 'not adjusted: the report does not compare this pair, so it makes no claim';

/** A kind of cases, as the list of them is headed. */
export function standingText(
  standing: Standing,
  { a, b }: Pick<Pair, 'a' | 'b'>,
  { replicated, decided_by: by }: Pick<Compared, 'replicated' | 'decided_by'>,
): string {
  const words = rightWords({ decided_by: by });
  const more = replicated ? words.oftener : words.alone;
  if (by !== undefined) {
    return {
      a_only: `${a} ${more}`,
      b_only: `${b} ${more}`,
      both_right: `both ${replicated ? 'always ' : ''}agree with ${by}`,
      both_wrong: replicated ? `both never agree with ${by}` : `both differ from ${by}`,
      equally: `both agree with ${by} equally often, though not always`,
    }[standing];
  }
  return {
    a_only: `${a} ${more}`,
    b_only: `${b} ${more}`,
    both_right: replicated ? 'both always right' : 'both right',
    both_wrong: replicated ? 'both never right' : 'both wrong',
    equally: 'equally often right, though not always',
  }[standing];
}

export const pairedCases = ({ counts }: Pick<Compared, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

export const paperStyleLabel = 'paper-style, not inference';

export const paperStyleWhy =
  'Resamples of the same cases scatter around the difference that was seen and not around none, and any number of them can be drawn: the test asks whether the difference seen is exactly 0. Where both are right equally often and all else is chance, it rejects at 5% in more than half of all experiments; the documentation of the statistics has the rate.';
