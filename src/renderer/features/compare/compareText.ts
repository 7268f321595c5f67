import { percent } from '../../../core/figures/shares.ts';
import { mirrored } from '../../../core/statistics/measures/shownComparisons.ts';
import { pairVerdict } from '../../../core/telling/pairSentences.ts';
import type { Compared, ComparedCase, Standing } from '../../../shared/api/compared.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { fewCases } from '../../charts/kit/axes.ts';
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

export function verdictAsText(...of: Parameters<typeof pairVerdict>): string {
  const { said, more } = pairVerdict(...of);
  return more === null ? said : `${said} ${more}`;
}

/** Said where few cases are compared; null from 30 on. */
export const fewWords = (cases: number): string | null =>
  cases >= fewCases || cases === 0 ? null : `Only ${quantity(cases, 'case')}: a few more could change the result.`;

/** Over which tests p-values are adjusted; null for a pair that the report does not have. */
export const familyText = (report: StatsReport | null, reported: Comparison | null): string =>
  reported?.primary === true
    ? `not adjusted: the exact test is that of the primary comparison, outside the family of exploratory tests, and is tested at ${percent(reported.detectable_at)}${reported.wilcoxon === null ? '' : '; Wilcoxon’s was not decided beforehand, so it makes no claim'}`
    : report?.part !== undefined
      ? 'not adjusted: a part of the trials makes no claim'
      : report !== null && reported !== null
        ? `adjusted after Benjamini and Hochberg over ${report.family.text}`
        : report === null
          ? 'not adjusted yet: the other pairs are being computed'
          : 'not adjusted: the report does not compare this pair, so it makes no claim';

type MostlyRight = Pick<Compared, 'replicated' | 'mostly' | 'decided_by'>;

/** A kind of cases, as the list of them is headed. */
export function standingText(
  standing: Standing,
  { a, b }: Pick<Pair, 'a' | 'b'>,
  { replicated, decided_by: by }: Pick<Compared, 'replicated' | 'decided_by'>,
): string {
  const words = rightWords({ decided_by: by });
  if (standing === 'a_only' || standing === 'b_only')
    return `${standing === 'a_only' ? a : b} ${replicated ? words.oftener : words.alone}`;
  if (by === undefined)
    return {
      both_right: replicated ? 'both always right' : 'both right',
      both_wrong: replicated ? 'both never right' : 'both wrong',
      equally: 'equally often right, though not always',
    }[standing];
  return {
    both_right: `both ${replicated ? 'always ' : ''}agree with ${by}`,
    both_wrong: replicated ? `both never agree with ${by}` : `both differ from ${by}`,
    equally: `both agree with ${by} equally often, though not always`,
  }[standing];
}

/** `3 of 3 against 1 of 3`: the trials of a case that are right; empty where each tried it once. */
export function rightCounts({ a, b }: Pick<ComparedCase, 'a' | 'b'>): string {
  const counted = (verdicts: ComparedCase['a']) =>
    `${verdicts.filter(({ correct }) => correct === true).length} of ${verdicts.length}`;
  return a.length < 2 && b.length < 2 ? '' : `${counted(a)} against ${counted(b)}`;
}

/** `court is right in more than half of its trials and alone in fewer than half: 8 cases; the other way round: 1. …` Null without replicates. */
export function mostlyText({ a, b }: Pick<Pair, 'a' | 'b'>, { replicated, mostly, decided_by }: MostlyRight): string | null {
  if (!replicated) return null;
  const { is, not } = rightWords({ decided_by });
  return `${a} ${is} in more than half of its trials and ${b} in fewer than half: ${quantity(mostly.a, 'case')}; the other way round: ${mostly.b}. A failure counts as ${not}.`;
}

export const pairedCases = ({ counts }: Pick<Compared, 'counts'>): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

export const paperStyleLabel = 'paper-style, not inference';

export const paperStyleWhy =
  'Resamples of the same cases scatter around the difference that was seen and not around none, and any number of them can be drawn: the test asks whether the difference seen is exactly 0. Where both are right equally often and all else is chance, it rejects at 5% in more than half of all experiments; the documentation of the statistics has the rate.';
