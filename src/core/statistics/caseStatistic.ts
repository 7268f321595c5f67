/** A statistic of a set of cases, for resampling cases: all trials and replicates of a case stay together. */
export interface CaseStatistic {
  readonly cases: number;
  /** Its value if case i occurs weights[i] times; null where undefined. @param weights one a case, changed later by the caller */
  at(weights: Uint32Array): number | null;
  /** Its value without case `index`, where there is a cheaper way than `at`. */
  without?(index: number): number | null;
  /** The sums over cases that it is a function of, column by column, so that many statistics can be summed together. */
  readonly summed?: {
    readonly columns: readonly (Float64Array | Uint8Array)[];
    readonly valueOfSums: (sums: Float64Array) => number | null;
  };
  /** What it is a function of, where several statistics share that: counted once for all that have the same `count`. */
  readonly counted?: {
    readonly count: (weights: Uint32Array) => void;
    readonly value: () => number | null;
  };
}

export function valueOfAll(statistic: CaseStatistic): number | null {
  return statistic.at(new Uint32Array(statistic.cases).fill(1));
}
