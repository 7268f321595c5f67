// How many labels of all cases are wrong, estimated from those that people reviewed, and what the court's accuracy becomes.
import type { AllLabels, ReviewEstimate } from '../../shared/reviews.ts';
import { meanOf } from '../statistics/meanOverSets.ts';
import { missingEstimate } from '../statistics/measures/estimates.ts';
import { normalQuantile } from '../statistics/normalQuantile.ts';

/** A case of an experiment with its label, and the results of its trials by arm, null without a verdict; no changed arms. */
export interface LabelledCase {
  readonly case: string;
  readonly truth: string;
  readonly court: readonly { readonly arm: string; readonly prediction: string | null }[];
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
 * How far the ends of the score interval (Wilson 1927) of a mean of numbers from 0 to 1 lie from it, times the correction for a part that is
 * finite: a part that was reviewed whole is known. For shares of cases whose trials differ, too: their variance is less than Wilson's.
 */
function reachOf(mean: number, n: number, of: number, level: number): Reach {
  const z = -normalQuantile((1 - level) / 2);
  const centre = (mean + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z * Math.sqrt((mean * (1 - mean)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  const finite = Math.sqrt(of <= 1 ? 0 : (of - n) / (of - 1));
  return { low: (mean - centre + half) * finite, high: (centre + half - mean) * finite };
}

interface Reach {
  readonly low: number;
  readonly high: number;
}

/** The reach of a weighed sum of independent parts, by MOVER; a negative weight turns a part round. */
const together = (parts: readonly { readonly weight: number; readonly reach: Reach }[]): Reach => ({
  low: Math.hypot(...parts.map(({ weight, reach }) => weight * (weight < 0 ? reach.high : reach.low))),
  high: Math.hypot(...parts.map(({ weight, reach }) => weight * (weight < 0 ? reach.low : reach.high))),
});

/** A value between its ends, which are shares. */
function estimated(value: number, reach: Reach, level: number, n: number): ReviewEstimate {
  const isWhole = reach.low === 0 && reach.high === 0;
  const ends = isWhole
    ? { low: null, high: null, interval_method: null, why_null: 'no interval: every case was reviewed' }
    : {
        low: Math.max(0, value - reach.low),
        high: Math.min(1, value + reach.high),
        interval_method: 'wilson' as const,
        why_null: null,
      };
  return { value, ...ends, level, n, resamples: null, undefined_resamples: null, seed: null };
}

/** How many more of the trusted cases bring the half-width below the next of `targets`; null where even all of them do not, or it is narrow. */
function toNarrow(parts: readonly Part[], all: number, level: number): AllLabels['to_narrow'] {
  const trusted = parts.find(({ isDoubted }) => !isDoubted);
  if (trusted === undefined || trusted.reviewed.length === trusted.cases.length) return null;
  const widthWith = (more: number) => {
    const reach = together(
      parts.map((part) => {
        const n = part.reviewed.length + (part === trusted ? more : 0);
        // Of a part that was not reviewed, anything may be true.
        const p = part.reviewed.length === 0 ? 0.5 : part.wrong / part.reviewed.length;
        const unknown = { low: Number.POSITIVE_INFINITY, high: Number.POSITIVE_INFINITY };
        return { weight: part.cases.length / all, reach: n === 0 ? unknown : reachOf(p, n, part.cases.length, level) };
      }),
    );
    return Math.max(reach.low, reach.high);
  };
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

/**
 * The share of wrong labels among all cases: those whose label no verdict of the court names (doubted) and the others are two parts, each
 * with the share that its reviewed cases have, weighed by its number of cases. Right where chance decides which cases of a part are
 * reviewed, however many more of one part they are; a part without any review leaves the share unknown. Stratified sampling with a
 * known frame (Cochran, Sampling Techniques, 1977, chapter 5); the interval from those of the parts by MOVER (Zou and Donner 2008), Wilson's
 * for each with a correction for finite parts. The accuracy of an arm is that by the labels, known of all cases, and what it gains and what it
 * loses on reviewed ones by the reviewers' answers, weighed alike; its interval is that of gains and losses together. A trial without a
 * verdict is wrong, as in the statistics. Resampling instead would treat what was not found as impossible.
 *
 * Example: 10 of 100 cases are doubted. All 10 are reviewed and 6 are wrong, of the others 30 and 1 is wrong: 0.1 · 0.6 + 0.9 / 30 = 0.09.
 * @param people the answer of most reviewers, by case
 */
export function allLabels(cases: readonly LabelledCase[], people: ReadonlyMap<string, string>, level: number): AllLabels {
  // People review verdicts, so a case without any cannot be among those that chance decides on.
  const known = cases.filter(({ court }) => court.some(({ prediction }) => prediction !== null));
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
  const shown = parts.map(({ isDoubted, cases: mine, reviewed, wrong }) => ({
    ...{ doubted: isDoubted, cases: mine.length, reviewed: reviewed.length, wrong },
  }));
  const unseen = parts.find(({ reviewed }) => reviewed.length === 0);
  const none = unseen?.isDoubted
    ? 'no reviewed case has a label that no verdict names'
    : 'no reviewed case has a label that a verdict names: queues of doubtful labels leave these cases out, the random order does not';
  const missing: ReviewEstimate = { ...missingEstimate(level, none), n };
  const isUnknown = all === 0 || unseen !== undefined;
  const share = parts.reduce((sum, { cases: mine, reviewed, wrong }) => sum + (mine.length / all) * (wrong / reviewed.length), 0);
  const reach = together(
    parts.map(({ cases: mine, reviewed, wrong }) => ({
      weight: mine.length / all,
      reach: reachOf(wrong / reviewed.length, reviewed.length, mine.length, level),
    })),
  );
  const arms = [...new Set(cases.flatMap(({ court }) => court.map(({ arm }) => arm)))];
  return {
    parts: shown,
    wrong_labels: isUnknown ? missing : estimated(share, reach, level, n),
    to_narrow: toNarrow(parts, all, level),
    arms: arms.map((arm) => accuracyOf(arm, cases, parts, isUnknown ? missing : null, level)),
  };
}

function accuracyOf(
  arm: string,
  all: readonly LabelledCase[],
  parts: readonly Part[],
  missing: ReviewEstimate | null,
  level: number,
) {
  const right = ({ court }: LabelledCase, answer: string): number | null => {
    const mine = court.filter((each) => each.arm === arm);
    return mine.length === 0 ? null : meanOf(mine.map(({ prediction }) => Number(prediction === answer)));
  };
  const ofLabels = (cases: readonly LabelledCase[]) => cases.flatMap((each) => right(each, each.truth) ?? []);
  const known = parts.map(({ cases, reviewed }) => ({
    byLabel: ofLabels(cases),
    gains: reviewed.flatMap((each) => {
      const [by, corrected] = [right(each, each.truth), right(each, each.people)];
      return by === null || corrected === null ? [] : [corrected - by];
    }),
  }));
  const tried = ofLabels(all);
  const n = known.reduce((sum, { gains }) => sum + gains.length, 0);
  const isUnseen = known.some(({ byLabel, gains }) => byLabel.length > 0 && gains.length === 0);
  const terms = known.flatMap(({ byLabel, gains }) => {
    if (gains.length === 0) return [];
    const weight = byLabel.length / tried.length;
    const term = (sign: number) => {
      const mean = meanOf(gains.map((gain) => Math.max(0, sign * gain))) ?? 0;
      return { weight: sign * weight, mean, reach: reachOf(mean, gains.length, byLabel.length, level) };
    };
    // An arm that is right on none by the labels can lose nothing, and one that is right on all can gain nothing.
    return [...(byLabel.some((each) => each < 1) ? [term(1)] : []), ...(byLabel.some((each) => each > 0) ? [term(-1)] : [])];
  });
  const label = meanOf(tried) ?? 0;
  const value = terms.reduce((sum, { weight, mean }) => sum + weight * mean, label);
  const unseen: ReviewEstimate = { ...missingEstimate(level, 'of one of the two parts no case of this arm was reviewed'), n };
  return {
    arm,
    cases: tried.length,
    accuracy_by_label: label,
    accuracy_corrected: missing ?? (isUnseen ? unseen : estimated(value, together(terms), level, n)),
  };
}
