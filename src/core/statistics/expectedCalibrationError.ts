// Expected calibration error, and the bins of a reliability diagram.
import { tieGroups } from './tieGroups.ts';
import { equalWeights, requireWeights, type Weights } from './weights.ts';

/** The bins in columns, so that a bootstrap can fill them again without making objects. */
interface Columns {
  readonly n: Float64Array;
  /** Sums, not means. */
  readonly confidence: Float64Array;
  readonly correct: Float64Array;
  readonly from: Float64Array;
  readonly to: Float64Array;
}

/**
 * Expected calibration error over bins of equal frequency: sum over the bins of n_b / n |accuracy_b - confidence_b|,
 * where confidence_b is the mean confidence of the bin's cases and accuracy_b the share of them that are right.
 *
 * Source: M. P. Naeini, G. F. Cooper and M. Hauskrecht, Obtaining Well Calibrated Probabilities Using Bayesian
 * Binning, AAAI 2015; bins of equal frequency as in K. Nguyen and B. O'Connor, Posterior Calibration and Exploratory
 * Analysis for Natural Language Processing Models, EMNLP 2015. What becomes of equal values is our own rule.
 *
 * Equal values (`tieGroups`: equal but for rounding, all taken as the lowest of them) are never split: cases are ordered by
 * confidence, and all cases of one value go to the bin in which the middle of their ranks lies (exactly between two bins:
 * to the upper). With a below and b below or equal of n cases that is bin floor(bins (a + b) / 2n). Where no values are
 * equal, each bin has n / bins cases, rounded up or down. Few distinct values fill few bins; empty ones are left out. The error depends on the number of cases and grows as they
 * get fewer: compare over the same cases only.
 *
 * `confidences` 0-1, of the same length as `correct`; `bins` a whole number from 1; `weights`: see `Weights`; else
 * RangeError. Example: confidences [0.6, 0.6, 0.9, 0.9], the last three right, two bins:
 * 2/4 |0.5 - 0.6| + 2/4 |1 - 0.9| = 0.1.
 */
export function expectedCalibrationError(
  confidences: ArrayLike<number>,
  correct: ArrayLike<boolean>,
  bins = 15,
  weights: Weights = equalWeights(confidences.length),
) {
  const columns = prepareColumns(confidences, correct, bins)(weights);
  const filled = [...columns.n.keys()].filter((bin) => (columns.n[bin] ?? 0) > 0);
  return {
    /** 0-1; null without cases. */
    value: errorOf(columns),
    n: columns.n.reduce((sum, count) => sum + count, 0),
    /** Bins that hold a case, lowest confidence first; at most as many as were asked for. */
    bins: filled.map((bin) => {
      const n = columns.n[bin] ?? 0;
      return {
        from: columns.from[bin] ?? 0,
        to: columns.to[bin] ?? 0,
        n,
        confidence: (columns.confidence[bin] ?? 0) / n,
        accuracy: (columns.correct[bin] ?? 0) / n,
      };
    }),
  };
}

/** `expectedCalibrationError(...).value` of the same cases under many weights: sorts once, bins each time. */
export function prepareExpectedCalibrationError(
  confidences: ArrayLike<number>,
  correct: ArrayLike<boolean>,
  bins = 15,
): (weights: Weights) => number | null {
  const columnsUnder = prepareColumns(confidences, correct, bins);
  return (weights) => errorOf(columnsUnder(weights));
}

function errorOf({ n, confidence, correct }: Columns): number | null {
  let cases = 0;
  let gaps = 0;
  for (let bin = 0; bin < n.length; bin++) {
    cases += n[bin] ?? 0;
    gaps += Math.abs((correct[bin] ?? 0) - (confidence[bin] ?? 0));
  }
  return cases === 0 ? null : gaps / cases;
}

/** The columns are the same arrays at every call. */
function prepareColumns(
  confidences: ArrayLike<number>,
  correct: ArrayLike<boolean>,
  bins: number,
): (weights: Weights) => Columns {
  if (!Number.isSafeInteger(bins) || bins < 1) throw new RangeError(`${bins} is no number of bins`);
  if (confidences.length !== correct.length) {
    throw new RangeError(`there are ${confidences.length} confidences for ${correct.length} cases`);
  }
  const { order, ends } = tieGroups(confidences);
  const sorted = Float64Array.from(order, (index) => confidences[index] ?? 0);
  const outside = sorted.find((confidence) => !(confidence >= 0 && confidence <= 1));
  if (outside !== undefined) throw new RangeError(`${outside} is no confidence from 0 to 1`);
  const isCorrect = Uint8Array.from(order, (index) => (correct[index] ? 1 : 0));
  const column = () => new Float64Array(bins);
  const columns: Columns = { n: column(), confidence: column(), correct: column(), from: column(), to: column() };
  return (weights) => {
    requireWeights(weights, order.length);
    for (const each of Object.values(columns)) each.fill(0);
    let n = 0;
    for (const index of order) n += weights[index] ?? 0;
    let below = 0;
    let place = 0;
    for (const end of ends) {
      const value = sorted[place] ?? 0;
      let cases = 0;
      let right = 0;
      for (; place < end; place++) {
        const weight = weights[order[place] ?? 0] ?? 0;
        cases += weight;
        if (isCorrect[place] === 1) right += weight;
      }
      if (cases > 0) {
        const bin = Math.floor((bins * (2 * below + cases)) / (2 * n));
        add(columns, bin, value, cases, right);
        below += cases;
      }
    }
    return columns;
  };
}

/** Values come in ascending order. */
function add({ n, confidence, correct, from, to }: Columns, bin: number, value: number, cases: number, right: number): void {
  if (n[bin] === 0) from[bin] = value;
  to[bin] = value;
  n[bin] = (n[bin] ?? 0) + cases;
  confidence[bin] = (confidence[bin] ?? 0) + cases * value;
  correct[bin] = (correct[bin] ?? 0) + right;
}
