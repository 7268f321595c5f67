// How many labels of all cases are wrong, estimated from those that people reviewed, and what the court's accuracy becomes.
import type { AllLabels, ReviewEstimate } from '../../shared/reviews.ts';
import { missingEstimate } from '../statistics/measures/estimates.ts';
import { normalQuantile } from '../statistics/normalQuantile.ts';
import { wilson } from '../statistics/wilson.ts';

/** A case of an experiment with its label, and the court's answers to it by arm; no changed arms. */
export interface LabelledCase {
  readonly case: string;
  readonly truth: string;
  readonly court: readonly { readonly arm: string; readonly prediction: string }[];
}

/** Cases whose label the court doubts, or trusts: those reviewed, with the answer of most reviewers. */
interface Part {
  readonly isDoubted: boolean;
  readonly cases: readonly LabelledCase[];
  readonly reviewed: readonly (LabelledCase & { readonly people: string })[];
  readonly wrong: number;
}

/** Half-widths that an interval can be narrowed to, as shares. */
const targets = [0.1, 0.05, 0.02, 0.01];

/**
 * Half of the width that the Wilson interval of a part has, also for numbers that are not whole, times the correction for a part that
 * is finite: a part that was reviewed whole is known.
 */
function halfWidth(p: number, n: number, of: number, level: number): number {
  const z = -normalQuantile((1 - level) / 2);
  const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  return half * Math.sqrt(of <= 1 ? 0 : (of - n) / (of - 1));
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** How many more of the trusted cases bring the half-width below the next of `targets`; null where even all of them do not, or it is narrow. */
function toNarrow(parts: readonly Part[], all: number, level: number): AllLabels['to_narrow'] {
  const trusted = parts.find(({ isDoubted }) => !isDoubted);
  if (trusted === undefined || trusted.reviewed.length === trusted.cases.length) return null;
  const widthWith = (more: number) =>
    Math.hypot(
      ...parts.map((part) => {
        const n = part.reviewed.length + (part === trusted ? more : 0);
        // Of a part that nobody looked at, anything may be true.
        const p = part.reviewed.length === 0 ? 0.5 : part.wrong / part.reviewed.length;
        return n === 0 ? Number.POSITIVE_INFINITY : (part.cases.length / all) * halfWidth(p, n, part.cases.length, level);
      }),
    );
  const now = widthWith(0);
  const left = trusted.cases.length - trusted.reviewed.length;
  const target = targets.find((each) => each < now && widthWith(left) <= each);
  if (target === undefined) return null;
  let [few, enough] = [0, left];
  while (enough - few > 1) {
    const middle = Math.floor((few + enough) / 2);
    if (widthWith(middle) <= target) enough = middle;
    else few = middle;
  }
  return { half_width: target, reviews: enough };
}

/** Both ends of the share over all parts, by MOVER: each part's distance to its own Wilson ends, corrected for a finite part. */
function endsOf(parts: readonly Part[], all: number, value: number, level: number) {
  const distance = (end: 'low' | 'high') =>
    Math.hypot(
      ...parts.map(({ cases, reviewed, wrong }) => {
        const [n, of] = [reviewed.length, cases.length];
        const far = Math.abs((wilson(wrong, n, level)?.[end] ?? 0) - wrong / n);
        return (of / all) * far * Math.sqrt(of <= 1 ? 0 : (of - n) / (of - 1));
      }),
    );
  return { low: Math.max(0, value - distance('low')), high: Math.min(1, value + distance('high')) };
}

/**
 * The share of wrong labels among all cases: those whose label no verdict of the court names (doubted) and the others are two parts, each
 * with the share that its reviewed cases have, weighed by its number of cases. Right where chance decides which cases of a part are
 * reviewed, however many more of one part they are; a part without any review leaves the share unknown. Stratified sampling with a
 * known frame (Cochran, Sampling Techniques, 1977, chapter 5); the interval from those of the parts by MOVER (Zou and Donner 2008), Wilson's
 * for each with a correction for finite parts. The accuracy of an arm is that by the labels, known of all cases, and what it gains or loses
 * on reviewed ones by the reviewers' answers, weighed alike; its interval resamples the reviewed cases.
 *
 * Example: 10 of 100 cases are doubted. All 10 are reviewed and 6 are wrong, of the others 30 and 1 is wrong: 0.1 · 0.6 + 0.9 / 30 = 0.09.
 * @param people the answer of most reviewers, by case
 * @param overCases estimates a value of sums over cases, one row each
 */
export function allLabels(
  cases: readonly LabelledCase[],
  people: ReadonlyMap<string, string>,
  level: number,
  overCases: OverCases,
): AllLabels {
  const known = cases.filter(({ court }) => court.length > 0);
  const partOf = (isDoubted: boolean): Part => {
    const mine = known.filter(({ truth, court }) => court.every(({ prediction }) => prediction !== truth) === isDoubted);
    const reviewed = mine.flatMap((each) => {
      const answer = people.get(each.case);
      return answer === undefined ? [] : [{ ...each, people: answer }];
    });
    const wrong = reviewed.filter((each) => each.people !== each.truth).length;
    return { isDoubted, cases: mine, reviewed, wrong };
  };
  const parts = [partOf(true), partOf(false)].filter((part) => part.cases.length > 0);
  const all = known.length;
  const n = parts.reduce((sum, { reviewed }) => sum + reviewed.length, 0);
  const told = parts.map(({ isDoubted, cases: mine, reviewed, wrong }) => ({
    ...{ doubted: isDoubted, cases: mine.length, reviewed: reviewed.length, wrong },
  }));
  const unseen = parts.find(({ reviewed }) => reviewed.length === 0);
  const none = unseen?.isDoubted
    ? 'no case was reviewed whose label no verdict names'
    : 'no case was reviewed whose label a verdict names: queues of doubtful labels leave these out, the random order does not';
  const missing: ReviewEstimate = { ...missingEstimate(level, none), n };
  const isUnknown = all === 0 || unseen !== undefined;
  const share = parts.reduce((sum, { cases: mine, reviewed, wrong }) => sum + (mine.length / all) * (wrong / reviewed.length), 0);
  const shareOfAll: ReviewEstimate = {
    ...{ value: share, ...endsOf(parts, all, share, level), level, interval_method: 'wilson', why_null: null, n },
    ...{ resamples: null, undefined_resamples: null, seed: null },
  };
  const arms = [...new Set(known.flatMap(({ court }) => court.map(({ arm }) => arm)))];
  return {
    parts: told,
    wrong_labels: isUnknown ? missing : shareOfAll,
    to_narrow: toNarrow(parts, all, level),
    arms: arms.map((arm) => accuracyOf(arm, parts, isUnknown ? missing : null, overCases)),
  };
}

export type OverCases = (
  rows: readonly (readonly number[])[],
  n: number,
  width: number,
  value: (sums: ArrayLike<number>) => number | null,
) => ReviewEstimate;

/** The accuracy of an arm over its decided cases, by the labels and as the reviews correct it. */
function accuracyOf(arm: string, parts: readonly Part[], missing: ReviewEstimate | null, overCases: OverCases) {
  const right = ({ court }: LabelledCase, answer: string): number | null => {
    const mine = court.filter((each) => each.arm === arm);
    return mine.length === 0 ? null : meanOf(mine.map(({ prediction }) => Number(prediction === answer)));
  };
  const byLabel = parts.map(({ cases }) => cases.flatMap((each) => right(each, each.truth) ?? []));
  const tried = byLabel.flat();
  const rows = parts.flatMap(({ reviewed }, place) =>
    reviewed.flatMap((each) => {
      const [by, corrected] = [right(each, each.truth), right(each, each.people)];
      if (by === null || corrected === null) return [];
      return [parts.flatMap((_part, other) => (other === place ? [corrected - by, 1] : [0, 0]))];
    }),
  );
  const label = meanOf(tried);
  const value = (sums: ArrayLike<number>): number | null => {
    let sum = label;
    for (const [place, mine] of byLabel.entries()) {
      const count = sums[2 * place + 1] ?? 0;
      if (count === 0 && mine.length > 0) return null;
      if (count > 0) sum += (mine.length / tried.length) * ((sums[2 * place] ?? 0) / count);
    }
    return sum;
  };
  return {
    arm,
    cases: tried.length,
    accuracy_by_label: label,
    accuracy_corrected: missing ?? overCases(rows, rows.length, 2 * parts.length, value),
  };
}
