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
