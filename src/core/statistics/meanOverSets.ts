import { resampler } from './bootstrap.ts';
import { type CaseStatistic, valueOfAll } from './caseStatistic.ts';
import { quantile } from './quantile.ts';

/** Null without numbers, or where one of them is missing. */
export const meanOf = (values: readonly (number | null)[]): number | null =>
  values.length === 0 || values.includes(null)
    ? null
    : values.reduce<number>((sum, value) => sum + (value ?? 0), 0) / values.length;

/**
 * The mean of a statistic over sets of cases, each set counting the same, with the percentiles of a bootstrap that resamples the
 * cases of each set by themselves: the sets are the ones that were chosen, and only their cases are a sample.
 * Source: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, section 8.3 (several samples).
 *
 * Null where the statistic is undefined in one of the sets, or there is none. RangeError as `bootstrapMany`.
 */
export function meanOverSets(
  sets: readonly CaseStatistic[],
  { resamples, seed, level }: { readonly resamples: number; readonly seed: number; readonly level: number },
) {
  if (!(level > 0 && level < 1)) throw new RangeError(`level ${level} is not between 0 and 1`);
  const value = meanOf(sets.map(valueOfAll));
  if (value === null) return null;
  // Sets of equally many cases must not be drawn alike.
  const draws = sets.map(({ cases }, place) => ({
    draw: resampler(cases, seed, `bootstrap/${place}`),
    weights: new Uint32Array(cases),
  }));
  const drawn = Array.from({ length: resamples }, () =>
    meanOf(
      sets.map((set, place) => {
        const { draw, weights } = draws[place] as (typeof draws)[number];
        draw(weights);
        return set.at(weights);
      }),
    ),
  );
  const sorted = Float64Array.from(drawn.filter((each) => each !== null)).sort();
  const end = (share: number) => (sorted.length === 0 ? null : quantile(sorted, share));
  return {
    value,
    /** Null where no resample has a value. */
    low: end((1 - level) / 2),
    high: end((1 + level) / 2),
    /** Those in which the statistic of some set is undefined: the interval is over the others. */
    undefinedResamples: resamples - sorted.length,
  };
}
