/**
 * The score of CRIT, the Critical Reading Inquisitive Template.
 *
 * Source: "SocraSynth: Adversarial Multi-LLM Reasoning", section 6.2.2 and table 6.3 (step 6), which asks for a weighted
 * sum of the validity g of reasons and rivals with their credibility t as weights.
 * Deviation: such a sum grows with the number of reasons and leaves the range from 1 to 10 that the section states. Here
 *
 *   s = sum(t g) / sum(t) over the reasons, r = the same over the rivals, 1 where there are none or none is credible;
 *   G = 1 + (s - 1)(1 - (r - 1)/18), in [1, 10].
 *
 * Without rivals G is s; the strongest rivals (r = 10) take half of what the reasons are worth above 1.
 * Example: reasons (8, 0.5), (6, 0.5) give s = 7; one rival (10, 1) gives r = 10; G = 1 + 6 (1 - 9/18) = 4.
 */

const least = 1;
const most = 10;

interface Weight {
  /** 1-10. */
  readonly validity: number;
  /** 0-1. */
  readonly credibility: number;
}

function credibleMean(weights: readonly Weight[]): number {
  const total = weights.reduce((sum, { credibility }) => sum + credibility, 0);
  if (total === 0) return least;
  const mean = weights.reduce((sum, { validity, credibility }) => sum + validity * (credibility / total), 0);
  return Math.min(most, Math.max(least, mean));
}

/** @returns 1-10 */
export function critScore(reasons: readonly Weight[], rivals: readonly Weight[]): number {
  const [support, rivalry] = [credibleMean(reasons), credibleMean(rivals)];
  return least + (support - least) * (1 - (rivalry - least) / (2 * (most - least)));
}
