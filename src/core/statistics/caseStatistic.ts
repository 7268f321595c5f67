/**
 * A statistic of a set of cases, for resampling **cases**: a case stands for all of its trials and replicates, which
 * stay together.
 */
export interface CaseStatistic {
  /** Number of cases. */
  readonly cases: number;
  /**
   * Its value where case i stands weights[i] times, a finite number; null where it is undefined.
   * @param weights one for each case; kept and changed by the caller, so not to be held on to
   */
  at(weights: Uint32Array): number | null;
  /** Its value without case `index`, where there is a cheaper way than `at`. */
  without?(index: number): number | null;
}

/** The value over the cases as they are, each once. */
export function valueOfAll(statistic: CaseStatistic): number | null {
  return statistic.at(new Uint32Array(statistic.cases).fill(1));
}

/** The values that are left when each case in turn is left out: the jackknife. */
export function leaveOneOut(statistic: CaseStatistic): (number | null)[] {
  const weights = new Uint32Array(statistic.cases).fill(1);
  return Array.from(weights, (_, index) => {
    if (statistic.without !== undefined) return statistic.without(index);
    weights[index] = 0;
    const value = statistic.at(weights);
    weights[index] = 1;
    return value;
  });
}
