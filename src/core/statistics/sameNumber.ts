/** How far two numbers of size one may be apart and still be the same. Token probabilities are recorded to 1e-9. */
export const noise = 1e-10;

/**
 * Whether two numbers are the same but for rounding: |a - b| <= 1e-10 max(1, |a|, |b|). It is the one rule by which
 * statistics recognise ties, zeros and edges: 0.1 + 0.2 and 0.3 are a tie, and so are 1 - 0.7 - 0.3 and 0.
 *
 * An absolute distance up to size one, so that two probabilities are the same exactly where their complements are. For
 * probabilities, losses and differences of them; numbers far below one would all be the same. An infinite number is the
 * same as itself alone, NaN as none. Not transitive: `tieGroups` says what becomes of many.
 */
export const isSame = (a: number, b: number): boolean =>
  a === b || (Number.isFinite(a - b) && Math.abs(a - b) <= noise * Math.max(1, Math.abs(a), Math.abs(b)));
