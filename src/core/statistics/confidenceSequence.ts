/** Steps of the grid of candidate means over [-1, 1]; the ends of an interval are exact to one of them. */
const steps = 2000;

/** Share of the largest possible bet that is wagered at most: c of the source. */
const boldest = 0.5;

export interface ConfidenceSequence {
  /** Takes the next value, from -1 to 1, else RangeError. */
  add(value: number): void;
  /** The interval after the values so far: it holds the mean after every one of them with the sequence's level. */
  interval(): { readonly low: number; readonly high: number };
  /** Values taken. */
  count(): number;
}

/**
 * Anytime-valid interval of a mean of values in [-1, 1], by betting. With x = (value + 1) / 2, a candidate m has the capital
 *   K(m) = max(K+(m), K-(m)) / 2, K+-(m) = product of 1 +- b(m) (x_i - m), b+ = min(l_i, c / m), b- = min(l_i, c / (1 - m)),
 *   l_i = sqrt(2 ln(2 / alpha) / (v i ln(1 + i))), v = (1/4 + sum over j < i of (x_j - m_j)²) / i, m_j = (1/2 + sum to j of x) / (j + 1),
 * and leaves the interval for good once K(m) has reached 1 / alpha. If m is the mean, the chance that this ever happens is at
 * most alpha, however often one looks and whenever one stops. No form of the distribution is assumed; each value must have the
 * same mean given those before it, as those of cases in random order have.
 *
 * Source: I. Waudby-Smith and A. Ramdas, Estimating means of bounded random variables by betting, Journal of the Royal
 * Statistical Society B 86 (2024), 1-27, theorem 3 (hedged capital, theta = 1/2, c = 1/2). Candidates are on a grid of 0.001,
 * and the interval is rounded outwards to it.
 *
 * Example: without a value the interval is [-1, 1]; after 20 values of 1 at alpha = 0.05 it is [0.423, 1].
 *
 * @param alpha chance of ever missing the mean, 0-1 exclusive
 */
export function confidenceSequence(alpha: number): ConfidenceSequence {
  const candidates = Array.from({ length: steps + 1 }, (_, step) => (step - steps / 2) / (steps / 2));
  const means = Float64Array.from(candidates, (candidate) => (candidate + 1) / 2);
  const above = new Float64Array(means.length);
  const below = new Float64Array(means.length);
  const enough = Math.log(2 / alpha);
  const isOut = (place: number) => Math.max(above[place] ?? 0, below[place] ?? 0) >= enough;
  let [count, sum, squares] = [0, 0, 0];
  let [first, last] = [0, means.length - 1];
  return {
    add(value) {
      if (!(value >= -1 && value <= 1)) throw new RangeError(`${value} is not from -1 to 1`);
      const x = (value + 1) / 2;
      count += 1;
      const variance = (1 / 4 + squares) / count;
      const bet = Math.sqrt((2 * Math.log(2 / alpha)) / (variance * count * Math.log(1 + count)));
      for (let place = first; place <= last; place++) {
        const mean = means[place] ?? 0;
        above[place] = (above[place] ?? 0) + Math.log1p(Math.min(bet, boldest / mean) * (x - mean));
        below[place] = (below[place] ?? 0) + Math.log1p(-Math.min(bet, boldest / (1 - mean)) * (x - mean));
      }
      while (first < last && isOut(first)) first += 1;
      while (last > first && isOut(last)) last -= 1;
      sum += x;
      squares += (x - (1 / 2 + sum) / (count + 1)) ** 2;
    },
    interval: () => ({ low: candidates[first - 1] ?? -1, high: candidates[last + 1] ?? 1 }),
    count: () => count,
  };
}
