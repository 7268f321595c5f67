/** Fewest batches for an estimate; at twice as many, each two are joined. */
const fewestBatches = 8;
/** 97.5% quantile of Student's t with 7 degrees of freedom: for more it is smaller, and the range a little too wide. */
const quantile = 2.365;

/**
 * How far the time that calls still take may be from what the calls so far suggest, by the method of batch means: calls that
 * follow each other are alike, while batches of many hardly depend on each other.
 * Source: A. M. Law, Simulation Modeling and Analysis, chapter 9.
 */
export function uncertainTime() {
  /** Calls in a batch. */
  let size = 1;
  /** Seconds at which each batch was complete, from 0 on. */
  let ends = [0];
  let calls = 0;
  return {
    /** One more call has ended, so many seconds after the beginning. */
    add(atSeconds: number): void {
      calls += 1;
      if (calls < ends.length * size) return;
      ends.push(atSeconds);
      if (ends.length <= 2 * fewestBatches) return;
      ends = ends.filter((_, index) => index % 2 === 0);
      size *= 2;
    },
    /**
     * @param rest calls that are left, above 0
     * @returns half the width of the 95% interval of the time they take, as a share of the expected time; null while there are
     *   fewer than eight batches of two calls
     */
    share(rest: number): number | null {
      const lengths = ends.slice(1).map((end, index) => end - (ends[index] ?? 0));
      const count = lengths.length;
      if (count < fewestBatches || size === 1) return null;
      const mean = lengths.reduce((sum, length) => sum + length, 0) / count;
      if (mean === 0) return null;
      const variance = lengths.reduce((sum, length) => sum + (length - mean) ** 2, 0) / (count - 1);
      const batches = rest / size;
      return (quantile * Math.sqrt(variance * (1 / batches + 1 / count))) / mean;
    },
  };
}
