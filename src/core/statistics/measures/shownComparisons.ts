// What tables and figures show of comparisons that were made. Screens load it without what computes them.
import { rightWords } from '../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { percent } from '../../figures/shares.ts';

/** 1 - 0.95 is a little more than 0.05. */
export const rounding = 1e-12;

/** The adjusted p-value to show; none for the primary comparison, which is not in the family. */
export const shownAdjusted = ({ primary, mcnemar }: Pick<Comparison, 'primary' | 'mcnemar'>): number | null =>
  primary === true ? null : mcnemar.p_adjusted;

/** The same difference from the other side. */
function turned<Found extends Pick<Comparison['difference'], 'value' | 'low' | 'high'>>(difference: Found): Found {
  const negative = (value: number | null) => (value === null ? null : 0 - value);
  return { ...difference, value: negative(difference.value), low: negative(difference.high), high: negative(difference.low) };
}

export function mirrored(comparison: Comparison): Comparison {
  const { a, b, difference, differences, mcnemar, wilcoxon } = comparison;
  return {
    ...comparison,
    a: b,
    b: a,
    difference: turned(difference),
    differences: differences.map((each) => ({ ...turned(each), a: each.b, b: each.a })),
    mcnemar: { ...mcnemar, a_only: mcnemar.b_only, b_only: mcnemar.a_only },
    wilcoxon:
      wilcoxon === null || wilcoxon.favours === null ? wilcoxon : { ...wilcoxon, favours: wilcoxon.favours === 'a' ? 'b' : 'a' },
  };
}

/** Whether some case was tried several times by an arm: then one is right more often on a case, and not alone. */
export const isReplicated = ({ arms }: Pick<StatsReport, 'arms'>): boolean =>
  arms.some(({ measures }) => measures.some(({ name, over, n, cases }) => name === 'accuracy' && over === 'all' && n > cases));

/** What the exact p-value of a pair is of. @param replicated whether some case was tried several times by an arm */
export const exactTest = (replicated: boolean): string =>
  replicated ? 'the exact permutation test of signs over cases' : "McNemar's exact test";

/** What the column of p-values has, and why the counts next to it do not give it. @param family the tests adjusted over */
export function exactTestText(report: Pick<StatsReport, 'arms' | 'decided_by' | 'part'>, family: string): string {
  if (report.part !== undefined) return 'Over a part of the trials no p is adjusted, and no difference is stated.';
  const replicated = isReplicated(report);
  const counted = replicated
    ? ` A case counts by how much more often one of the two ${rightWords(report).is}, so the two counts of cases do not give it.`
    : '';
  return `The adjusted p is of ${exactTest(replicated)}, after Benjamini and Hochberg over ${family}; only by it is a difference stated.${counted}`;
}

/** Heads the counts of cases on which one of two is right more often. */
export const rightTitle = (report: Pick<StatsReport, 'arms' | 'decided_by'>): string =>
  rightWords(report)[isReplicated(report) ? 'oftener' : 'alone'];

/** Pairs beyond which a table is no longer read. */
const mostShown = 50;

/** The pairs that a table shows, in order: of too many those with the smallest p-values. Nothing is concluded from these. */
export function shownComparisons(comparisons: readonly Comparison[]): { shown: readonly Comparison[]; more: number } {
  const p = ({ mcnemar }: Comparison) => mcnemar.p ?? 2;
  const shown = new Set(comparisons.toSorted((one, other) => p(one) - p(other)).slice(0, mostShown));
  return { shown: comparisons.filter((each) => shown.has(each)), more: comparisons.length - shown.size };
}

/** A p-value to three digits, and more only where it takes that to see on which side of 5% it is. @param none in its place where there is none */
export function chanceText(p: number | null, none = '-'): string {
  if (p === null) return none;
  if (p < 0.001) return '< 0.001';
  if (p.toFixed(4) === '0.0500') return p <= 0.05 + rounding ? '≤ 0.05' : '> 0.05';
  return p.toFixed(p.toFixed(3) === '0.050' ? 4 : 3);
}

/** The p-value that a pair is judged by. */
export const testText = ({ primary, mcnemar, detectable_at: level }: Comparison): string =>
  primary === true ? `p ${chanceText(mcnemar.p)}, tested at ${percent(level)}` : `adjusted p ${chanceText(mcnemar.p_adjusted)}`;

/** Why a difference is not shown where only the test of the one pair speaks for it. @param range what the reader calls an interval */
export const amongManyText = (pair: Comparison, range: string): string =>
  `but this ${range} is for the one comparison, and corrected for all of them this can be chance (${testText(pair)})`;

const mostNamed = 3;

/** Pairs whose intervals and p-values seem to say different things, by the reason. */
function disagreements(comparisons: readonly Comparison[]) {
  const tested = comparisons.filter(
    ({ difference: { low, high }, mcnemar }) =>
      low !== null && high !== null && mcnemar.p !== null && mcnemar.p_adjusted !== null,
  );
  const isBeside = ({ difference: { low, high } }: Comparison) => (low ?? 0) > 0 || (high ?? 0) < 0;
  const isSmall = (p: number | null, { difference }: Comparison) => p !== null && p <= 1 - difference.level + rounding;
  const isFound = (pair: Comparison) => isSmall(pair.mcnemar.p_adjusted, pair);
  return [
    {
      pairs: tested.filter((pair) => isBeside(pair) && !isSmall(pair.mcnemar.p, pair)),
      text: 'the interval leaves out 0, but the exact test does not show a difference: with few cases a bootstrap interval is too narrow',
      short: 'the exact test does not show a difference, and with few cases an interval is too narrow',
    },
    {
      pairs: tested.filter((pair) => isBeside(pair) && isSmall(pair.mcnemar.p, pair) && !isFound(pair)),
      text: 'the interval leaves out 0, but the adjusted p-value is above 5%: an interval is of one pair alone, the adjustment is for all pairs',
      short: 'the p-value adjusted for all pairs is above 5%, and an interval is not adjusted',
    },
    {
      pairs: tested.filter((pair) => !isBeside(pair) && isFound(pair)),
      text: 'the test finds a difference, but the interval includes 0: near the border the two approximate differently',
      short: 'the test finds a difference, but the interval includes 0',
    },
  ].filter(({ pairs }) => pairs.length > 0);
}

/** Why a difference of this pair is not stated, where its interval or its test speaks for one; null elsewhere. */
export function disagreementOf(pair: Comparison): string | null {
  return disagreements([pair])[0]?.short ?? null;
}

/**
 * Why intervals and p-values of some pairs seem to say different things, with their names if there are several pairs; null where
 * they agree, or nothing is concluded from a pair. Both are of the same difference over the same cases.
 */
export function disagreementText(comparisons: readonly Comparison[]): string | null {
  const reasons = disagreements(comparisons);
  const sentences = reasons.map(({ pairs, text }) => {
    const isOne = comparisons.length === 1;
    const named = pairs.slice(0, mostNamed).map((pair) => `${isOne ? '' : `${pair.a} against ${pair.b} `}(${testText(pair)})`);
    const more = pairs.length - named.length;
    return `${isOne ? 'Here' : 'For'} ${named.join(', ')}${more === 0 ? '' : ` and ${more} more`} ${text}.`;
  });
  return reasons.length === 0
    ? null
    : ['A difference is stated only where the interval and the adjusted p-value agree.', ...sentences].join(' ');
}
