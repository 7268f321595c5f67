// Bootstrap intervals of statistics over cases.
import { randomGenerator } from '../cases/shuffle.ts';
import { bcaInterval, type NoBca } from './bcaInterval.ts';
import { type CaseStatistic, valueOfAll } from './caseStatistic.ts';
import { type Jackknife, jackknives } from './jackknife.ts';
import { quantile } from './quantile.ts';
import { valuesTogether } from './valuesTogether.ts';

export interface BootstrapSettings {
  /** Resamples to draw, from 1; an interval at 0.95 wants 2,000 and more. */
  readonly resamples: number;
  /** A safe integer. The same seed over the same cases in the same order gives the same resamples. */
  readonly seed: number;
  /** Confidence level, 0-1 exclusive; 0.95 by default. */
  readonly level?: number;
}

export type IntervalGap =
  | NoBca
  /** The statistic is undefined over all cases, so that there is nothing to put an interval around. */
  | 'undefined'
  /** One case only: all resamples are that case. */
  | 'one-case'
  /** The statistic is undefined on some resamples; the percentiles are over the others. */
  | 'undefined-resamples'
  /** It is undefined on all of them. */
  | 'no-resamples';

export interface BootstrapInterval {
  /** The statistic over all cases; null where it is undefined. */
  readonly value: number | null;
  /** Ends of the interval; both null where there is none. */
  readonly low: number | null;
  readonly high: number | null;
  /** Confidence level, 0-1 exclusive. */
  readonly level: number;
  /** How the ends were found: BCa, or where that is undefined plain percentiles; null where there is no interval. */
  readonly method: 'bca' | 'percentile' | null;
  /** Why not by BCa; null where it was. */
  readonly gap: IntervalGap | null;
  readonly resamples: number;
  /** Resamples on which the statistic is undefined, left out of the percentiles. */
  readonly undefinedResamples: number;
  readonly seed: number;
  readonly cases: number;
}

/**
 * Bootstrap intervals of several statistics of the same cases, over the same resamples: each resample draws as many cases
 * as there are, with replacement, and takes a case with all that belongs to it. BCa intervals; where BCa is undefined the
 * percentiles of the replicates, with the reason in `gap`. See `bcaInterval` for the formulas and their sources.
 *
 * Each case is drawn as floor(u n / 2^32) from 32 random bits u, so that no probability is further than 2^-32 from 1/n.
 * RangeError for statistics of different numbers of cases or with a value that is not finite,
 * `resamples` below 1, a level outside 0-1 and a seed that is no safe integer. Time: (draws + statistics) * cases * resamples.
 */
export function bootstrapMany(statistics: readonly CaseStatistic[], settings: BootstrapSettings): readonly BootstrapInterval[] {
  return replicated(statistics, settings).map((each) => intervalOf(each, settings));
}

/** Bootstrap intervals of differences; statistics share resamples. @param pairs places, the second taken from the first */
export function bootstrapDifferences(
  statistics: readonly CaseStatistic[],
  pairs: readonly (readonly [number, number])[],
  settings: BootstrapSettings,
): readonly BootstrapInterval[] {
  const all = replicated(statistics, settings);
  return pairs.map(([first, second]) => {
    const [one, other] = [all[first], all[second]];
    if (one === undefined || other === undefined) throw new RangeError(`no statistics ${first} and ${second}`);
    return intervalOf(less(one, other), settings);
  });
}

/** The interval of the difference of two statistics of the same cases at any level, over the same resamples. */
export function bootstrapDifference(
  one: CaseStatistic,
  other: CaseStatistic,
  settings: Omit<BootstrapSettings, 'level'>,
): (level: number) => BootstrapInterval {
  const [first, second] = replicated([one, other], settings) as [Replicated, Replicated];
  return intervalsOf(less(first, second), settings);
}

export function bootstrap(statistic: CaseStatistic, settings: BootstrapSettings): BootstrapInterval {
  const [found] = bootstrapMany([statistic], settings) as [BootstrapInterval];
  return found;
}

interface Replicated {
  readonly cases: number;
  readonly value: number | null;
  /** NaN where it is undefined. */
  readonly replicates: Float64Array;
  jackknife(): Jackknife;
}

/** Null where one of the two is undefined. */
export const subtract = (a: number | null, b: number | null) => (a === null || b === null ? null : a - b);

function less(one: Replicated, other: Replicated): Replicated {
  return {
    cases: one.cases,
    value: subtract(one.value, other.value),
    replicates: one.replicates.map((value, place) => value - (other.replicates[place] ?? Number.NaN)),
    jackknife() {
      const [first, second] = [one.jackknife(), other.jackknife()];
      for (let place = 0; place < first.length; place++) first[place] = (first[place] as number) - (second[place] ?? Number.NaN);
      return first;
    },
  };
}

function replicated(statistics: readonly CaseStatistic[], settings: BootstrapSettings): Replicated[] {
  const { resamples, seed, level = 0.95 } = settings;
  const cases = statistics[0]?.cases ?? 0;
  if (statistics.some((statistic) => statistic.cases !== cases)) {
    throw new RangeError('statistics share resamples only where they are of the same cases');
  }
  if (!(Number.isSafeInteger(resamples) && resamples >= 1))
    throw new RangeError(`${resamples} resamples: not a whole number from 1`);
  if (!(level > 0 && level < 1)) throw new RangeError(`level ${level} is not between 0 and 1`);
  const draw = sharedResampler(cases, seed, resamples);
  const weights = new Uint32Array(cases);
  const valuesUnder = valuesTogether(statistics);
  const observed = statistics.map(valueOfAll);
  const replicates = statistics.map(() => new Float64Array(resamples).fill(Number.NaN));
  for (let resample = 0; resample < resamples && cases > 0; resample++) {
    draw(weights);
    valuesUnder(weights).forEach((value, place) => {
      if (value === null) return;
      if (!Number.isFinite(value))
        throw new RangeError(`statistic ${place} is ${value} on a resample: give null where it is undefined`);
      (replicates[place] as Float64Array)[resample] = value;
    });
  }
  const jackknifeOf = jackknives(statistics);
  return statistics.map((_, place) => ({
    cases,
    value: observed[place] ?? null,
    replicates: replicates[place] ?? new Float64Array(),
    jackknife: () => jackknifeOf(place),
  }));
}

const intervalOf = (found: Replicated, { level = 0.95, ...settings }: BootstrapSettings) => intervalsOf(found, settings)(level);

/** The interval at any level: what all levels share is found once. */
function intervalsOf(found: Replicated, { resamples, seed }: BootstrapSettings): (level: number) => BootstrapInterval {
  const { value, cases } = found;
  const sorted = found.replicates.filter((replicate) => !Number.isNaN(replicate)).sort();
  const endsAt = endsOf(found, sorted);
  const undefinedResamples = resamples - sorted.length;
  return (level) => ({ value, ...endsAt(level), level, resamples, undefinedResamples, seed, cases });
}

type Ends = Pick<BootstrapInterval, 'low' | 'high' | 'method' | 'gap'>;

function endsOf({ value, cases, replicates, jackknife }: Replicated, sorted: Float64Array): (level: number) => Ends {
  if (value === null || sorted.length === 0) {
    return () => ({ low: null, high: null, method: null, gap: value === null ? 'undefined' : 'no-resamples' });
  }
  const percentile =
    (gap: IntervalGap) =>
    (level: number): Ends => ({
      low: quantile(sorted, (1 - level) / 2),
      high: quantile(sorted, (1 + level) / 2),
      method: 'percentile',
      gap,
    });
  if (cases === 1) return percentile('one-case');
  if (sorted.length < replicates.length) return percentile('undefined-resamples');
  const intervalAt = bcaInterval(value, sorted, jackknife());
  if (typeof intervalAt === 'string') return percentile(intervalAt);
  return (level) => {
    const interval = intervalAt(level);
    return interval === 'unstable' ? percentile(interval)(level) : { ...interval, method: 'bca', gap: null };
  };
}

/** The bytes that draws may take which are kept for the next statistics of the same cases: those of 32,000 cases 2,000 times. */
const mostKept = 64_000_000;

/** How often each case was drawn in each resample of the newest statistics: the arms of a report have the same cases. */
let kept: { readonly of: string; readonly counts: Uint8Array } | null = null;

/** The same draws as `resampler` gives, `resamples` times at most. */
function sharedResampler(cases: number, seed: number, resamples: number): (weights: Uint32Array) => void {
  const of = JSON.stringify([cases, seed, resamples]);
  let start = 0;
  if (kept?.of === of) {
    const { counts } = kept;
    return (weights) => {
      weights.set(counts.subarray(start, start + cases));
      start += cases;
    };
  }
  const draw = resampler(cases, seed);
  if (cases === 0 || cases * resamples > mostKept) return draw;
  // What was kept is given up before as much is taken again.
  kept = null;
  const counts = new Uint8Array(cases * resamples);
  let fits = true;
  return (weights) => {
    draw(weights);
    for (let index = 0; fits && index < cases; index++) fits = (weights[index] as number) < 256;
    counts.set(weights, start);
    start += cases;
    if (fits && start === counts.length) kept = { of, counts };
  };
}

/** Fills an array with how often each case is drawn, `times` as many draws as cases, one resample after the other. */
export function resampler(cases: number, seed: number, purpose = 'bootstrap', times = 1): (weights: Uint32Array) => void {
  const generator = randomGenerator(seed, purpose);
  const scale = cases / 2 ** 32;
  return (weights) => {
    weights.fill(0);
    for (let drawn = 0; drawn < times * cases; drawn++) {
      const index = Math.floor((generator.next() >>> 0) * scale);
      weights[index] = (weights[index] ?? 0) + 1;
    }
  };
}
