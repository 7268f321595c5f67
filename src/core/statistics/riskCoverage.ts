// What a method gains by answering only where it is sure: how often it is wrong at each share of the cases that it answers.
import type { ArmStatistics } from '../../shared/outputs.ts';
import type { Measure } from '../../shared/statistics.ts';
import { alikePairs } from './alikePairs.ts';
import { tieGroups } from './tieGroups.ts';
import { equalWeights, type Weights } from './weights.ts';

/** Shares of the finished trials at which accuracy is reported. */
export const coverages = [0.5, 0.8, 0.9, 0.95] as const;
export const accuracyAtName = (coverage: number): string => `accuracy_at_coverage_${Math.round(100 * coverage)}`;

/** The stated confidence from which an arm counts as sure, the same for all arms. */
export const sureFrom = 0.9;
/** Stated confidences from which accuracy is reported, 0-1. */
export const sureLevels = [0.6, 0.7, 0.8, sureFrom] as const;
export const accuracyWhenSureName = (level: number): string => `accuracy_when_sure_${Math.round(100 * level)}`;

/** The stated confidence from which the trials of such a measure are answered; undefined of others, and where the curve leaves that point out. */
export const answeredFrom = ({ declining }: Pick<ArmStatistics, 'declining'>, { name, n }: Pick<Measure, 'name' | 'n'>) =>
  coverages.some((coverage) => accuracyAtName(coverage) === name)
    ? declining?.curve.find((point) => point.n === n)?.least_confidence
    : undefined;

/** The curve if each trial occurs as often as its weight says. */
export interface WeighedCurve {
  /** Mean over the answered trials of the share wrong among those at least as sure, 0-1, lower is better. */
  area(): number | null;
  /** That area less the area of the best order, all right ones first; 0 is best. */
  excess(): number | null;
  /** Share right of the most confident trials that are at least this share of all; null where fewer can be answered. */
  accuracyAt(coverage: number): number | null;
}

export type RiskCoverage = ReturnType<typeof prepareRiskCoverage>;

/**
 * The risk-coverage curve of trials in the order of their confidence, the surest first. Trials without a confidence (null) are
 * declined: they are covered at no threshold. Equal confidences (`tieGroups`) are answered together, since no threshold is between
 * them; the area counts each trial with the risk at its own confidence, so that without ties it is 1/n sum_i (wrong in the first i) / i.
 *
 * Source: Y. Geifman and R. El-Yaniv, Selective Classification for Deep Neural Networks, NeurIPS 2017; Y. Geifman, G. Uziel and
 * R. El-Yaniv, Bias-Reduced Uncertainty Estimation for Deep Neural Classifiers, ICLR 2019, for the excess. RangeError where
 * `right` or weights are not as many. Example: confidences 0.9, 0.8, 0.7 of which the second is wrong: area (0 + 1/2 + 1/3) / 3,
 * best order (0 + 0 + 1/3) / 3.
 */
export function prepareRiskCoverage(confidences: readonly (number | null)[], right: readonly boolean[]) {
  if (right.length !== confidences.length) throw new RangeError(`${confidences.length} confidences for ${right.length} trials`);
  // No confidence is NaN.
  const { x, y, under } = alikePairs(
    Float64Array.from(confidences, (confidence) => confidence ?? Number.NaN),
    Uint8Array.from(right, Number),
  );
  const items = Array.from(x, (_, index) => index).filter((index) => !Number.isNaN(x[index]));
  const { order, ends } = tieGroups(items.map((index) => x[index] ?? 0));
  // Trials with a confidence, the surest first; what is declined is in no group.
  const surest = Uint32Array.from(order, (place) => items[place] ?? 0).reverse();
  const lowest = Float64Array.from(ends, (_end, group) => x[items[order[ends[group - 1] ?? 0] ?? 0] ?? 0] ?? 0);
  const isWrong = Uint8Array.from(surest, (index) => 1 - (y[index] ?? 0));
  const isLast = new Uint8Array(surest.length);
  ends.forEach((_end, group) => {
    isLast[surest.length - 1 - (ends[group - 1] ?? 0)] = 1;
  });
  // From the surest down to each group: what is answered, and what of it is wrong.
  const answered = new Float64Array(ends.length);
  const wrong = new Float64Array(ends.length);
  let all = 0;
  let area = 0;
  const count = (ofItems: Weights) => {
    const weights = under(ofItems);
    all = 0;
    for (let index = 0; index < weights.length; index++) all += weights[index] as number;
    area = 0;
    let [own, mistaken, reached] = [0, 0, 0];
    let group = ends.length - 1;
    for (let place = 0; place < surest.length; place++) {
      const weight = weights[surest[place] as number] as number;
      own += weight;
      mistaken += weight * (isWrong[place] as number);
      if (isLast[place] === 0) continue;
      reached += own;
      if (own > 0) area += (own * mistaken) / reached;
      answered[group] = reached;
      wrong[group] = mistaken;
      own = 0;
      group--;
    }
  };
  /** 1 + 1/2 + ... + 1/n at place n. */
  const harmonics = [0];
  const harmonic = (n: number) => {
    for (let last = harmonics.length; last <= n; last++) harmonics.push((harmonics[last - 1] ?? 0) + 1 / last);
    return harmonics[n] ?? 0;
  };
  const weighed: WeighedCurve = {
    area: () => ((answered[0] ?? 0) === 0 ? null : area / (answered[0] ?? 1)),
    excess() {
      const [n, errors] = [answered[0] ?? 0, wrong[0] ?? 0];
      // The sum of e / (right + e) over the errors e, which come last.
      const best = errors - (n - errors) * (harmonic(n) - harmonic(n - errors));
      return n === 0 ? null : (area - best) / n;
    },
    accuracyAt(coverage) {
      const wanted = coverage * all - 1e-9;
      // The surest group with which enough is answered.
      let [enough, tooFew] = [-1, ends.length];
      while (tooFew - enough > 1) {
        const middle = (enough + tooFew) >> 1;
        if ((answered[middle] as number) >= wanted) enough = middle;
        else tooFew = middle;
      }
      const found = answered[enough] ?? 0;
      return found === 0 ? null : 1 - (wrong[enough] ?? 0) / found;
    },
  };
  return {
    /** For each confidence that was stated, the highest first, what is answered from it on, and what of it is wrong. */
    points() {
      count(equalWeights(confidences.length));
      return Array.from(lowest, (leastConfidence, group) => ({
        leastConfidence,
        answered: answered[group] ?? 0,
        wrong: wrong[group] ?? 0,
      })).toReversed();
    },
    /** Counts all trials once; the same object at every call. */
    under(weights: Weights) {
      count(weights);
      return weighed;
    },
  };
}
