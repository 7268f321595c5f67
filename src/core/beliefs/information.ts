// Distributions and what they say of each other: entropies, divergences and distances.

/** Numbers divided by their sum. Throws RangeError where one is negative or not finite, and where all are 0. */
export function normalised(numbers: readonly number[]): readonly number[] {
  const wrong = numbers.find((number) => !(number >= 0 && Number.isFinite(number)));
  if (wrong !== undefined) throw new RangeError(`${wrong} is no part of a distribution`);
  const rawSum = numbers.reduce((sum, number) => sum + number, 0);
  if (!(rawSum > 0 && Number.isFinite(rawSum))) throw new RangeError(`numbers that add up to ${rawSum} are no distribution`);
  return numbers.map((number) => number / rawSum);
}

/** Pairs of probabilities of the same class. Throws RangeError where the two distributions are not over as many classes. */
function paired(first: readonly number[], second: readonly number[]): (readonly [number, number])[] {
  if (first.length !== second.length || first.length === 0) {
    throw new RangeError(`distributions over ${first.length} and ${second.length} classes cannot be compared`);
  }
  return first.map((probability, index) => [probability, second[index] ?? 0]);
}

/** What each class gets on top, so that no logarithm of 0 is taken. */
const smoothing = 1e-9;

/** (p + s) / (1 + n s): every class has some mass, and the sum stays 1. */
function smoothed(probabilities: readonly number[]): number[] {
  const whole = 1 + probabilities.length * smoothing;
  return probabilities.map((p) => (p + smoothing) / whole);
}

/**
 * Shannon entropy of a distribution, in nats: H(P) = -sum p ln p, with 0 ln 0 = 0.
 *
 * Source: C. E. Shannon, A Mathematical Theory of Communication (1948); table 7.4 of "SocraSynth and EVINCE".
 * Range: 0 (one class is certain) to ln n (all n classes are equally likely).
 *
 * @param probabilities each 0-1, sum 1. Example: a half and two quarters have 1.5 ln 2.
 */
export function entropy(probabilities: readonly number[]): number {
  // Shares of one class can add up to a little more than 1.
  return Math.max(
    0,
    probabilities.reduce((sum, p) => (p > 0 ? sum - p * Math.log(p) : sum), 0),
  );
}

/**
 * Entropy as a share of the most that so many classes allow: H(P) / ln n, 0 where there is one class.
 *
 * Source: Pielou's evenness (E. C. Pielou, J. Theoret. Biol. 13, 1966), over all classes, also those without mass.
 * Range: 0 (certain) to 1 (all equally likely).
 */
export function normalisedEntropy(probabilities: readonly number[]): number {
  return probabilities.length < 2 ? 0 : Math.min(1, entropy(probabilities) / Math.log(probabilities.length));
}

/**
 * How far the entropy of a distribution has fallen, in nats: H(before) - H(after).
 *
 * Source: chapter 7 of "SocraSynth and EVINCE", which takes it of the mixture of both agents, weighted by reliability.
 * Range: -ln n to ln n; negative where less is certain than before.
 */
export function informationGain(before: readonly number[], after: readonly number[]): number {
  return entropy(before) - entropy(after);
}

/**
 * Kullback-Leibler divergence, in nats: D(P || Q) = sum p ln(p / q), of both distributions smoothed by 1e-9 a class,
 * since one of them may rule out what the other does not.
 *
 * Source: S. Kullback, R. A. Leibler, On Information and Sufficiency (1951); appendix 7.A of "SocraSynth and EVINCE",
 * which asks for smoothing and names no number: 1e-9 is this program's own.
 * Range: 0 (equal) to about 20.7 = -ln 1e-9. Not symmetric. Throws RangeError on different numbers of classes.
 */
export function klDivergence(first: readonly number[], second: readonly number[]): number {
  const pairs = paired(smoothed(first), smoothed(second));
  return Math.max(
    0,
    pairs.reduce((sum, [p, q]) => sum + p * Math.log(p / q), 0),
  );
}

/**
 * Cross-entropy, in nats: H(P, Q) = -sum p ln q, of both distributions smoothed as `klDivergence` does, so that
 * H(P, Q) = H(P) + D(P || Q) holds for the smoothed ones.
 *
 * Source: appendix 7.A of "SocraSynth and EVINCE".
 * Range: 0 (both certain of the same class, up to the smoothing) to about 20.7 = -ln 1e-9. Not symmetric. Throws
 * RangeError on different numbers of classes.
 */
export function crossEntropy(first: readonly number[], second: readonly number[]): number {
  return paired(smoothed(first), smoothed(second)).reduce((sum, [p, q]) => sum - p * Math.log(q), 0);
}

/**
 * Jensen-Shannon divergence, in nats: (D(P || M) + D(Q || M)) / 2 with M = (P + Q) / 2; no smoothing is needed, since M
 * rules out only what both do.
 *
 * Source: J. Lin, Divergence Measures Based on the Shannon Entropy (1991); appendix 7.A of "SocraSynth and EVINCE". Its
 * table 7.4 calls the range 0 to 1, which holds with logarithms to the base 2; its table 7.2 prints 1.366, which no
 * base allows.
 * Range: 0 (equal) to ln 2 (nothing in common). Symmetric. Throws RangeError on different numbers of classes.
 */
export function jensenShannonDivergence(first: readonly number[], second: readonly number[]): number {
  const part = (p: number, middle: number) => (p > 0 ? (p * Math.log(p / middle)) / 2 : 0);
  const divergence = paired(first, second).reduce((sum, [p, q]) => {
    const middle = (p + q) / 2;
    return sum + part(p, middle) + part(q, middle);
  }, 0);
  return Math.min(Math.LN2, Math.max(0, divergence));
}

/**
 * The joint distribution of two whose chance of agreeing is the highest that their own distributions allow: min(p, q) on
 * the diagonal, and of what is left (p - min) (q - min) / (1 - sum min) elsewhere.
 *
 * Source: the maximal coupling (W. Doeblin 1938; T. Lindvall, Lectures on the Coupling Method, 1992). "SocraSynth and
 * EVINCE" takes the mutual information of two stated distributions and does not say of which joint one.
 *
 * @returns rows by class of the first, columns by class of the second. Throws RangeError on different numbers of classes.
 */
function maximalCoupling(first: readonly number[], second: readonly number[]): number[][] {
  const pairs = paired(first, second);
  const common = pairs.map(([p, q]) => Math.min(p, q));
  const left = pairs.map(([p], index) => p - (common[index] ?? 0));
  const missing = pairs.map(([, q], index) => q - (common[index] ?? 0));
  const apart = left.reduce((sum, mass) => sum + mass, 0);
  return left.map((mass, row) =>
    missing.map((gap, column) => (row === column ? (common[row] ?? 0) : 0) + (apart > 0 ? (mass * gap) / apart : 0)),
  );
}

/**
 * Mutual information of two distributions under their maximal coupling, in nats: sum j ln(j / (p q)) over the joint one.
 *
 * Source: appendix 7.A of "SocraSynth and EVINCE"; the coupling is this program's own, see `maximalCoupling`.
 * Range: 0 to the smaller of both entropies, which it reaches where they are equal. Symmetric. Throws RangeError on
 * different numbers of classes.
 *
 * Limits: it measures how much there is to agree on as much as how far two agree, and falls to 0 as two that agree grow
 * certain. It is reported, and affects only when a debate stops.
 */
export function mutualInformation(first: readonly number[], second: readonly number[]): number {
  const information = maximalCoupling(first, second).reduce(
    (sum, row, a) =>
      row.reduce((part, joint, b) => {
        const apart = (first[a] ?? 0) * (second[b] ?? 0);
        return joint > 0 && apart > 0 ? part + joint * Math.log(joint / apart) : part;
      }, sum),
    0,
  );
  return Math.max(0, information);
}

/**
 * Mutual information as a share of the larger entropy: MI / max(H(P), H(Q)), under the maximal coupling. Where both are
 * certain that is 0 / 0: 1 if they are certain of the same class, else 0.
 *
 * Source: appendix 7.A of "SocraSynth and EVINCE", which leaves 0 / 0 open.
 * Range: 0 to 1; 1 where both are equal. Symmetric. Throws RangeError on different numbers of classes.
 */
export function normalisedMutualInformation(first: readonly number[], second: readonly number[]): number {
  const information = mutualInformation(first, second);
  const most = Math.max(entropy(first), entropy(second));
  if (most > 0) return Math.min(1, information / most);
  return first.every((p, index) => p === second[index]) ? 1 : 0;
}

/**
 * Wasserstein distance where any two different classes are 1 apart, which is the total variation: sum |p - q| / 2, the
 * mass that has to be moved to make one distribution of the other.
 *
 * Source: appendix 7.A of "SocraSynth and EVINCE", which leaves the ground distance open; the classes of a nominal
 * label have no order. Its tables print values up to 1.7, for which it gives no ground distance.
 * Range: 0 (equal) to 1 (nothing in common). Symmetric. Throws RangeError on different numbers of classes.
 */
export function totalVariation(first: readonly number[], second: readonly number[]): number {
  return Math.min(
    1,
    paired(first, second).reduce((sum, [p, q]) => sum + Math.abs(p - q) / 2, 0),
  );
}

/**
 * Wasserstein distance of classes on a line in the order given, the first and the last 1 apart and neighbours
 * 1 / (n - 1): the sum of the differences of the distribution functions, |F_P - F_Q| / (n - 1). 0 with one class.
 *
 * Source: S. S. Vallender, Calculation of the Wasserstein Distance between Probability Distributions on the Line
 * (1974); appendix 7.A.2 of "SocraSynth and EVINCE" names this form.
 * Range: 0 (equal) to 1 (all mass at opposite ends). Symmetric. Throws RangeError on different numbers of classes.
 */
export function orderedDistance(first: readonly number[], second: readonly number[]): number {
  let ahead = 0;
  let moved = 0;
  for (const [p, q] of paired(first, second).slice(0, -1)) {
    ahead += p - q;
    moved += Math.abs(ahead);
  }
  return first.length < 2 ? 0 : Math.min(1, moved / (first.length - 1));
}
