// How long the rest of a run takes, from the trials that have ended.

/** Trials that have ended, by how many seconds their calls took one after the other. */
export interface Durations {
  readonly trials: number;
  readonly seconds: number;
  /** Sum of the squared seconds of each. */
  readonly squares: number;
}

/** What is left of one arm. */
export interface WorkLeft {
  readonly ended: Durations;
  /** Seconds that a trial is expected to take. */
  readonly each: number;
  /** Trials that are left; one under way counts by what is left of it. */
  readonly trials: number;
  readonly underWay: number;
}

/** Seconds, and a 95% interval of them; null where there is none. */
export interface TimeLeft {
  readonly seconds: number;
  readonly range: readonly [number, number] | null;
}

export const noTime: TimeLeft = { seconds: 0, range: null };

/** Ended trials of an arm from which on its mean is more than a first guess. */
export const enough = 3;

export const added = (one: Durations, other: Durations): Durations => ({
  trials: one.trials + other.trials,
  seconds: one.seconds + other.seconds,
  squares: one.squares + other.squares,
});

/**
 * 97.5% quantile of Student's t, at most 1% too small. Source: M. Abramowitz and I. A. Stegun, Handbook of Mathematical
 * Functions, 26.7.5. @param degrees of freedom, at least 2
 */
function studentQuantile(degrees: number): number {
  const z = 1.959964;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
    (79 * z ** 9 + 776 * z ** 7 + 1482 * z ** 5 - 1920 * z ** 3 - 945 * z) / 92_160,
  ];
  return terms.reduce((sum, term, index) => sum + term / degrees ** (index + 1), z);
}

/** Variance of the seconds that the trials left take together: that of each, and that of the mean which is expected of all. */
function varianceOf({ ended: { trials: n, seconds, squares }, trials: left }: WorkLeft): number {
  const ofOne = Math.max(0, squares - seconds ** 2 / n) / (n - 1);
  return ofOne * (left + left ** 2 / n);
}

/**
 * How long trials take that share one queue. The range holds if the rest is like the trials that have ended. There is none while
 * an arm that has trials left has fewer than three that ended, or fewer than are under way: of those that begin at the same
 * time the shortest end first. Degrees of freedom by Welch and Satterthwaite.
 * @param atATime calls under way at a time, above 0
 * @param longest seconds that a single trial still takes at most: no number of others under way makes it shorter
 */
export function timeLeft(work: readonly WorkLeft[], atATime: number, longest: number): TimeLeft {
  const open = work.filter(({ trials }) => trials > 0);
  if (open.length === 0) return noTime;
  const all = open.reduce((sum, { each, trials }) => sum + each * trials, 0);
  const seconds = Math.max(all / atATime, longest);
  if (open.some(({ ended, underWay }) => ended.trials < Math.max(enough, underWay))) return { seconds, range: null };
  const variances = open.map(varianceOf);
  const variance = variances.reduce((sum, each) => sum + each, 0);
  if (variance === 0) return { seconds, range: [seconds, seconds] };
  const shares = open.map(({ ended }, index) => ((variances[index] ?? 0) / variance) ** 2 / (ended.trials - 1));
  const degrees = 1 / shares.reduce((sum, each) => sum + each, 0);
  const half = (studentQuantile(degrees) * Math.sqrt(variance)) / atATime;
  return { seconds, range: [Math.max(0, seconds - half), seconds + half] };
}

/** How long queues that are worked on at the same time take together: as long as the longest. @param all null where one is not known */
export function longestOf(all: readonly (TimeLeft | null)[]): TimeLeft | null {
  const left: TimeLeft[] = [];
  for (const each of all) {
    if (each === null) return null;
    if (each.seconds > 0) left.push(each);
  }
  if (left.length === 0) return noTime;
  const ranges = left.flatMap(({ range }) => (range === null ? [] : [range]));
  const most = (of: readonly number[]) => of.reduce((one, other) => Math.max(one, other), 0);
  return {
    seconds: most(left.map(({ seconds }) => seconds)),
    range: ranges.length < left.length ? null : [most(ranges.map(([least]) => least)), most(ranges.map(([, high]) => high))],
  };
}
