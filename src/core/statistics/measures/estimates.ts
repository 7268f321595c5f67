import type { Measure, Resampling } from '../../../shared/statistics.ts';
import { type BootstrapInterval, bootstrapDifferences, bootstrapMany, type IntervalGap, subtract } from '../bootstrap.ts';
import { type CaseStatistic, valueOfAll } from '../caseStatistic.ts';
import { isSame } from '../sameNumber.ts';
import { wilson } from '../wilson.ts';
import { cautionOf } from './cautions.ts';
import { notAsked } from './intervalsToCome.ts';
import type { PlannedMeasure } from './planned.ts';

/** Value and interval as the report has them. */
export type Estimate = Pick<
  Measure,
  'value' | 'low' | 'high' | 'level' | 'interval_method' | 'resamples' | 'undefined_resamples' | 'seed' | 'why_null'
>;

/** Gets the share of the work that is done, 0-1. `what` names what is being done next. */
export type OnProgress = (share: number, what: string) => void;

/** Does a part of the work. @param share of the whole time that it takes, roughly, 0-1 */
export type RunPart = <Result>(share: number, what: string, make: () => Result) => Result;

export function inParts(onProgress: OnProgress): RunPart {
  let done = 0;
  return (share, what, make) => {
    onProgress(done, what);
    const found = make();
    done = Math.min(1, done + share);
    onProgress(done, what);
    return found;
  };
}

export const gapText: Readonly<Record<IntervalGap, string>> = {
  undefined: 'the measure is undefined over these cases',
  'one-case': 'no interval: every resample of one case is that case',
  'undefined-resamples': 'percentiles, since the measure is undefined in some resamples',
  'no-resamples': 'no interval, since the measure is undefined in every resample',
  'no-variance': 'no interval: every resample of these cases has the same value, which cannot tell how much others would vary',
  'one-sided': 'percentiles, since all resamples are on one side of the value',
  'undefined-without-a-case': 'percentiles, since the measure is undefined without a certain case',
  unstable: 'percentiles, since BCa has no stable interval here',
};

/** Gaps for which percentiles are no interval either. */
const gapsWithoutEnds: ReadonlySet<IntervalGap> = new Set(['undefined', 'one-case', 'no-resamples', 'no-variance']);

const without = (level: number) =>
  ({
    low: null,
    high: null,
    level,
    interval_method: null,
    resamples: null,
    undefined_resamples: null,
    seed: null,
  }) as const;

export const missingEstimate = (level: number, why: string): Estimate => ({ value: null, ...without(level), why_null: why });

const biased =
  'no interval: resamples lie to one side of the value, as those of a measure do that is too large on average over few cases';

/** Ends of the same replicates may differ from the value by rounding. */
const rounding = 1e-9;

/** Equal resamples make a point, not an interval; an interval without its value rests on extreme resamples and varies by seed. */
export function fromBootstrap({ gap, low, high, method, ...interval }: BootstrapInterval): Estimate {
  const { value } = interval;
  const isPoint = low !== null && high !== null && isSame(low, high);
  const isBeside = value !== null && low !== null && high !== null && (value < low - rounding || value > high + rounding);
  const reason = isPoint && gap !== 'one-case' ? 'no-variance' : gap;
  const why = reason === null ? null : gapText[reason];
  const ends =
    isPoint || isBeside || (reason !== null && gapsWithoutEnds.has(reason))
      ? { low: null, high: null, interval_method: null }
      : { low, high, interval_method: method };
  return {
    value,
    ...ends,
    level: interval.level,
    resamples: interval.resamples,
    undefined_resamples: interval.undefinedResamples,
    seed: interval.seed,
    why_null: isBeside ? biased : why,
  };
}

export const withoutResamples = (value: number | null, level: number): Estimate => ({
  value,
  ...without(level),
  why_null: value === null ? gapText.undefined : notAsked,
});

/** Bootstrap intervals of statistics over the same cases, over the same resamples; values alone for 0 resamples. */
export function drawnEstimates(
  statistics: readonly CaseStatistic[],
  resampling: Resampling,
  read: (interval: BootstrapInterval, place: number) => Estimate = fromBootstrap,
): Estimate[] {
  if (resampling.resamples > 0) return bootstrapMany(statistics, resampling).map(read);
  return statistics.map((statistic) => withoutResamples(valueOfAll(statistic), resampling.level));
}

/** Bootstrap intervals of differences over the same cases and resamples. @param pairs places, the second taken from the first */
export function drawnDifferences(
  statistics: readonly CaseStatistic[],
  pairs: readonly (readonly [number, number])[],
  resampling: Resampling,
): Estimate[] {
  if (resampling.resamples > 0) return bootstrapDifferences(statistics, pairs, resampling).map(fromBootstrap);
  const values = statistics.map(valueOfAll);
  return pairs.map(([one, other]) => withoutResamples(subtract(values[one] ?? null, values[other] ?? null), resampling.level));
}

/** The same if each statistic has its own cases, equal ones sharing resamples. @param none why a value lacks cases */
export function estimatesByCases(
  all: readonly { readonly cases: readonly string[]; readonly statistic: CaseStatistic }[],
  resampling: Resampling,
  none: string,
): Estimate[] {
  const filled = [...all.keys()].filter((place) => (all[place]?.cases.length ?? 0) > 0);
  const found = new Map<number, Estimate | undefined>();
  for (const places of Map.groupBy(filled, (place) => JSON.stringify(all[place]?.cases)).values()) {
    const statistics = places.flatMap((place) => all[place]?.statistic ?? []);
    const drawn = drawnEstimates(statistics, resampling);
    for (const [index, place] of places.entries()) found.set(place, drawn[index]);
  }
  return all.map((_, place) => found.get(place) ?? missingEstimate(resampling.level, none));
}

const isDrawn = ({ statistic, successes, noInterval, byFormula }: PlannedMeasure): boolean =>
  statistic !== null && successes === null && noInterval === undefined && byFormula === undefined;

function wilsonEstimate(successes: number, n: number, level: number): Estimate {
  const interval = wilson(successes, n, level);
  return {
    ...without(level),
    value: successes / n,
    low: interval?.low ?? null,
    high: interval?.high ?? null,
    interval_method: 'wilson',
    why_null: null,
  };
}

const together =
  'the reach of all differences between groups at once, so that it holds equality where the data do not separate them';

function around(
  value: number,
  drawn: Estimate,
  ends: (value: number, reach: number) => Pick<Estimate, 'low' | 'high'>,
): Estimate {
  if (drawn.high === null) return { ...drawn, value };
  return { ...drawn, value, ...ends(value, drawn.high), interval_method: 'percentile', why_null: together };
}

/**
 * Measures with their intervals: Wilson for shares to which each case gives one trial at most, and over cases for shares of none or
 * all trials; a bootstrap over cases for all others. All are planned from the same trials.
 * @param of whose measures they are: simulations found other intervals of derived arms to be off
 */
export function estimates(
  planned: readonly PlannedMeasure[],
  resampling: Resampling,
  of: Parameters<typeof cautionOf>[0] = 'arm',
): Measure[] {
  const drawn = planned.filter(isDrawn);
  const intervals = drawnEstimates(
    drawn.flatMap(({ statistic, reach }) => reach?.statistic ?? statistic ?? []),
    resampling,
    // A reach is 0 in the data themselves.
    (found, place) => fromBootstrap(drawn[place]?.reach === undefined ? found : { ...found, value: found.high }),
  );
  const byMeasure = new Map(drawn.map((measure, place) => [measure, intervals[place]]));
  const estimated = (measure: PlannedMeasure): Measure => {
    const { statistic, successes, why, noInterval, byFormula, reach, chance: _chance, ...named } = measure;
    if (byFormula !== undefined) return { ...named, ...without(resampling.level), ...byFormula(resampling.level) };
    if (statistic !== null && noInterval !== undefined) {
      return { ...named, ...without(resampling.level), value: valueOfAll(statistic), why_null: noInterval };
    }
    const estimate =
      byMeasure.get(measure) ??
      (successes === null
        ? missingEstimate(resampling.level, why ?? gapText.undefined)
        : wilsonEstimate(successes, measure.n, resampling.level));
    const value = reach === undefined || statistic === null ? null : valueOfAll(statistic);
    return { ...named, ...(reach === undefined || value === null ? estimate : around(value, estimate, reach.ends)) };
  };
  return planned.map((measure) => {
    const found = estimated(measure);
    const p = measure.chance?.(resampling) ?? null;
    return { ...found, ...cautionOf(of, found), ...(p === null ? {} : { p }) };
  });
}
