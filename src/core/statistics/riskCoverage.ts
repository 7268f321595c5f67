// What a method gains by answering only where it is sure: how often it is wrong at each share of the cases that it answers.
import { isSame } from './sameNumber.ts';
import { tieGroups } from './tieGroups.ts';
import { requireWeights, type Weights } from './weights.ts';

/** Shares of the finished trials at which accuracy is told. */
export const coverages = [0.5, 0.8, 0.9, 0.95] as const;
export const accuracyAtName = (coverage: number): string => `accuracy_at_coverage_${Math.round(100 * coverage)}`;

/** A threshold of confidence, and what is answered if everything below it is declined. */
export interface RiskPoint {
  readonly leastConfidence: number;
  /** Trials answered; of them wrong. */
  readonly answered: number;
  readonly wrong: number;
}

export interface RiskCoverage {
  /** One point for each confidence that was stated, the highest first. */
  points(): readonly RiskPoint[];
  /** Mean over the answered trials of the share wrong among those at least as sure, 0-1, lower is better. */
  area(weights: Weights): number | null;
  /** That area less the area of the best order, all right ones first; 0 is best. */
  excess(weights: Weights): number | null;
  /** Share right of the most confident trials that are at least this share of all; null where fewer can be answered. */
  accuracyAt(coverage: number, weights: Weights): number | null;
}

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
export function prepareRiskCoverage(confidences: readonly (number | null)[], right: readonly boolean[]): RiskCoverage {
  if (right.length !== confidences.length) throw new RangeError(`${confidences.length} confidences for ${right.length} trials`);
  const items = [...confidences.keys()].filter((index) => confidences[index] !== null);
  const { order, ends } = tieGroups(items.map((index) => confidences[index] ?? 0));
  // Trials are counted by confidence and by whether they are wrong; what is declined comes last.
  const lowest = Float64Array.from(ends, (_end, group) => confidences[items[order[ends[group - 1] ?? 0] ?? 0] ?? 0] ?? 0);
  const cells = new Uint32Array(confidences.length).fill(2 * ends.length);
  ends.forEach((end, group) => {
    for (let place = ends[group - 1] ?? 0; place < end; place++) {
      const index = items[order[place] ?? 0] ?? 0;
      cells[index] = 2 * group + (right[index] === true ? 0 : 1);
    }
  });
  const counts = new Float64Array(2 * ends.length + 1);
  /** Counts the cells. Returns the number of all trials. */
  const count = (weights: Weights): number => {
    requireWeights(weights, cells.length);
    counts.fill(0);
    let all = 0;
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index] as number;
      const weight = weights[index] as number;
      counts[cell] = (counts[cell] as number) + weight;
      all += weight;
    }
    return all;
  };
  /** Of the best order, with all that are wrong last: sum over errors e of e / (right + e) = errors - right (H(all) - H(right)). */
  const harmonic = harmonicNumbers();
  const areas = (weights: Weights) => {
    count(weights);
    let [sum, answered, wrong] = [0, 0, 0];
    for (let group = ends.length - 1; group >= 0; group--) {
      const mistaken = counts[2 * group + 1] as number;
      const own = (counts[2 * group] as number) + mistaken;
      answered += own;
      wrong += mistaken;
      if (own > 0) sum += (own * wrong) / answered;
    }
    if (answered === 0) return null;
    const right = answered - wrong;
    const best = wrong - right * (harmonic(answered) - harmonic(right));
    return { area: sum / answered, best: best / answered };
  };
  return {
    points() {
      count(new Uint32Array(confidences.length).fill(1));
      let [answered, wrong] = [0, 0];
      return [...ends.keys()].toReversed().map((group): RiskPoint => {
        const mistaken = counts[2 * group + 1] ?? 0;
        answered += (counts[2 * group] ?? 0) + mistaken;
        wrong += mistaken;
        return { leastConfidence: lowest[group] ?? 0, answered, wrong };
      });
    },
    area: (weights) => areas(weights)?.area ?? null,
    excess(weights) {
      const found = areas(weights);
      return found === null ? null : found.area - found.best;
    },
    accuracyAt(coverage, weights) {
      const wanted = coverage * count(weights);
      let [answered, wrong] = [0, 0];
      for (let group = ends.length - 1; group >= 0; group--) {
        const mistaken = counts[2 * group + 1] as number;
        const own = (counts[2 * group] as number) + mistaken;
        answered += own;
        wrong += mistaken;
        if (own > 0 && (answered >= wanted || isSame(answered, wanted))) return 1 - wrong / answered;
      }
      return null;
    },
  };
}

/** 1 + 1/2 + … + 1/n, each found once. */
function harmonicNumbers(): (n: number) => number {
  const found = [0];
  return (n) => {
    for (let next = found.length; next <= n; next++) found.push((found[next - 1] ?? 0) + 1 / next);
    return found[n] ?? 0;
  };
}
