/**
 * The p-values of several tests adjusted by Benjamini and Hochberg, in the order given: reject what is at most q, and
 * the expected share of false rejections among all rejections is at most q (for independent or positively dependent
 * tests). For the i-th smallest of m: min over j >= i of p_j m / j, at most 1.
 *
 * Source: Y. Benjamini and Y. Hochberg, Controlling the False Discovery Rate, Journal of the Royal Statistical Society B
 * 57 (1995), 289-300. A test without a p-value (null) is not counted in m and stays null. `pValues`: 0-1, else
 * RangeError. Example: [0.01, 0.04, 0.03] gives [0.03, 0.04, 0.04].
 */
export function benjaminiHochberg(pValues: readonly (number | null)[]): (number | null)[] {
  const tests = pValues.flatMap((p, place) => (p === null ? [] : [{ p, place }]));
  const flaw = tests.find(({ p }) => !(p >= 0 && p <= 1));
  if (flaw !== undefined) throw new RangeError(`p-value ${flaw.place} is ${flaw.p}: not between 0 and 1`);
  const adjusted = pValues.map((): number | null => null);
  let least = 1;
  for (const [index, { p, place }] of tests.sort((a, b) => b.p - a.p).entries()) {
    least = Math.min(least, (p * tests.length) / (tests.length - index));
    adjusted[place] = least;
  }
  return adjusted;
}

/**
 * The p-values of several tests adjusted by Holm, in the order given: reject what is at most 5%, and the chance of any false
 * rejection among them all is at most 5%, however the tests depend on each other. For the i-th smallest of m: max over j <= i of
 * (m - j + 1) p_j, at most 1.
 *
 * Source: S. Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6 (1979), 65-70.
 * A test without a p-value (null) is not counted in m and stays null. Example: [0.01, 0.04, 0.03] gives [0.03, 0.06, 0.06].
 */
export function holm(pValues: readonly (number | null)[]): (number | null)[] {
  const tests = pValues.flatMap((p, place) => (p === null ? [] : [{ p, place }])).sort((one, other) => one.p - other.p);
  const adjusted = pValues.map((): number | null => null);
  let most = 0;
  for (const [index, { p, place }] of tests.entries()) {
    most = Math.max(most, Math.min(1, p * (tests.length - index)));
    adjusted[place] = most;
  }
  return adjusted;
}
