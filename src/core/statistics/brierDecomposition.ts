// What the bins of a reliability diagram say of beliefs: Murphy's parts of the Brier score, and a calibration error without its bias.
import type { ReliabilityBin } from '../../shared/statistics.ts';

/** All 0-1. The Brier score of the beliefs when each is replaced by the mean of its bin is reliability - resolution + uncertainty. */
export interface BrierDecomposition {
  /** How far the mean belief of a bin is from its share of outcomes; 0 is best. */
  readonly reliability: number;
  /** How far the shares of the bins are from the share over all; more is better, at most `uncertainty`. */
  readonly resolution: number;
  /** Share over all times its complement: the part that is due to the cases alone. */
  readonly uncertainty: number;
  readonly binned: number;
}

const weightedSum = (bins: readonly ReliabilityBin[], of: (bin: ReliabilityBin) => number) => {
  const n = bins.reduce((sum, bin) => sum + bin.n, 0);
  return bins.reduce((sum, bin) => sum + (bin.n / n) * of(bin), 0);
};

/**
 * With bins of n_b of n trials, mean belief f_b and share of outcomes o_b, and o the share over all:
 * reliability = sum n_b/n (f_b - o_b)², resolution = sum n_b/n (o_b - o)², uncertainty = o (1 - o).
 *
 * Source: A. H. Murphy, A New Vector Partition of the Probability Score, Journal of Applied Meteorology 12 (1973), 595-600. Null
 * without a bin. Example: bins of 2 trials each with f 0.5, o 0.5 and f 0.9, o 1: 0.005 - 0.0625 + 0.1875 = 0.13.
 */
export function brierDecomposition(bins: readonly ReliabilityBin[]): BrierDecomposition | null {
  if (bins.length === 0) return null;
  const base = weightedSum(bins, ({ accuracy }) => accuracy);
  const reliability = weightedSum(bins, ({ confidence, accuracy }) => (confidence - accuracy) ** 2);
  const resolution = weightedSum(bins, ({ accuracy }) => (accuracy - base) ** 2);
  const uncertainty = base * (1 - base);
  return { reliability, resolution, uncertainty, binned: reliability - resolution + uncertainty };
}

/**
 * The root mean square calibration error of the bins, less what chance adds to it:
 * sqrt(max(0, sum n_b/n ((f_b - o_b)² - o_b (1 - o_b) / (n_b - 1)))); a bin of one trial adds 0.
 *
 * Source: A. Kumar, P. Liang and T. Ma, Verified Uncertainty Calibration, NeurIPS 2019; the same correction of Murphy's reliability
 * in J. Bröcker, Estimating Reliability and Resolution of Probability Forecasts, Climate Dynamics 39 (2012), 655-667. Null without
 * a bin. Example: bins of 2 with f 0.5, o 0.5 and f 0.9, o 1: 1/2 (0 - 0.25) + 1/2 0.01 is below 0, so that it is 0.
 */
export function debiasedCalibrationError(bins: readonly ReliabilityBin[]): number | null {
  if (bins.length === 0) return null;
  const square = weightedSum(bins, ({ n, confidence, accuracy }) =>
    n < 2 ? 0 : (confidence - accuracy) ** 2 - (accuracy * (1 - accuracy)) / (n - 1),
  );
  return Math.sqrt(Math.max(0, square));
}
