import { randomSource, shuffled } from '../cases/shuffle.ts';

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
  /** The sums over cases that it is a function of, column by column, so that many statistics can be summed together. */
  readonly summed?: {
    readonly columns: readonly (Float64Array | Uint8Array)[];
    readonly valueOfSums: (sums: Float64Array) => number | null;
  };
}

/** The value over the cases as they are, each once. */
export function valueOfAll(statistic: CaseStatistic): number | null {
  return statistic.at(new Uint32Array(statistic.cases).fill(1));
}

/** Cases beyond which they are left out in groups where leaving one out takes a pass over all of them, and how many groups. */
const mostSingly = 1000;
const groups = 500;

/**
 * The values that are left when each case in turn is left out: the jackknife. A statistic without a cheap way to do that
 * takes a pass over the cases each time, which grows with their square: beyond `mostSingly` cases it is the jackknife of
 * groups that are drawn by lot, so that no order of the cases is in them. The acceleration of a BCa interval is the same of groups as of cases on average
 * (skewness of sums of m falls by the root of m, as does the root of their number): B. Efron and R. J. Tibshirani, An
 * Introduction to the Bootstrap, 1993, section 14.3 and problem 14.10.
 */
export function leaveOneOut(statistic: CaseStatistic): (number | null)[] {
  if (statistic.without === undefined && statistic.cases > mostSingly) return leaveGroupsOut(statistic);
  const weights = new Uint32Array(statistic.cases).fill(1);
  return Array.from(weights, (_, index) => {
    if (statistic.without !== undefined) return statistic.without(index);
    weights[index] = 0;
    const value = statistic.at(weights);
    weights[index] = 1;
    return value;
  });
}

function leaveGroupsOut(statistic: CaseStatistic): (number | null)[] {
  const weights = new Uint32Array(statistic.cases);
  const order = shuffled([...weights.keys()], randomSource(0, 'jackknife'));
  return Array.from({ length: groups }, (_, group) => {
    weights.fill(1);
    for (let place = group; place < order.length; place += groups) weights[order[place] ?? 0] = 0;
    return statistic.at(weights);
  });
}
