import type { Resampling } from '../../shared/statistics.ts';
import { resampler, subtract } from './bootstrap.ts';
import { type CaseStatistic, valueOfAll } from './caseStatistic.ts';
import { quantile } from './quantile.ts';
import { sumsStatistic } from './sumsStatistic.ts';
import { valuesTogether } from './valuesTogether.ts';

/** Its accuracy over cases; null where it has none of them. */
const accuracyOf = (correct: Float64Array): CaseStatistic =>
  sumsStatistic(
    Float64Array.from({ length: 2 * correct.length }, (_, place) => {
      const value = correct[place >> 1] ?? Number.NaN;
      return Number.isNaN(value) ? 0 : place % 2 === 0 ? value : 1;
    }),
    2,
    ([sum = 0, count = 0]) => (count === 0 ? null : sum / count),
  );

/** Place of the largest number, the first of equal ones. -1 without one. */
const placeOfMost = (values: readonly (number | null)[]): number =>
  values.reduce<number>((best, value, place) => (value === null || value <= (values[best] ?? -1) ? best : place), -1);

/** Draws for each case, so that the choice is nearer to that among all cases than with one draw, and some cases are left. */
const draws = 3;

/**
 * The most accurate of several, without the advantage of having been chosen on the same cases. Each resample draws 3 n of the n
 * cases, chooses its best and tries that one on the cases that were not drawn. Choice and trial never share a case, so the mean
 * fall from the drawn to the other cases is the advantage of being chosen in a resample. Accuracies of resamples scatter around
 * the truth with 1 + 1/3 the variance of the accuracy itself, so that its own advantage is smaller by the root of that:
 * corrected = value - (mean drawn - mean not drawn) / sqrt(4/3), and no more than the value: being chosen never makes an
 * accuracy too low, so a rise is chance in the resamples. `low` is the value less the (1 + level)/2 quantile of the largest
 * (resampled accuracy - accuracy) of all candidates, in resamples of n: the value exceeds the truth by more only if some
 * candidate's does.
 *
 * Source: I. Tsamardinos, E. Greasidou and G. Borboudakis, Bootstrapping the Out-of-sample Predictions for Efficient and
 * Accurate Cross-Validation, Machine Learning 107 (2018), 1895-1922; the bootstrap of the maximum: P. R. Hansen, A Test for
 * Superior Predictive Ability, Journal of Business & Economic Statistics 23 (2005), 365-380. bench/simulations.ts has how far
 * both hold. Time: candidates * cases * resamples.
 * @param candidates of each the share right on each case, 0-1, NaN where it has no trial of it; all have the same cases in the same order
 * @returns null without a candidate with a case. `place`: of the best, the first of equal ones; `corrected` and `low`: null where no resample
 * leaves out a case of its best
 */
export function bestOf(candidates: readonly Float64Array[], { resamples, seed, level }: Resampling) {
  const accuracies = candidates.map(accuracyOf);
  const observed = accuracies.map(valueOfAll);
  const place = placeOfMost(observed);
  const value = observed[place] ?? null;
  if (value === null) return null;
  const cases = candidates[0]?.length ?? 0;
  const draw = resampler(cases, seed, 'best');
  const drawToChoose = resampler(cases, seed, 'choice', draws);
  const weights = new Uint32Array(cases);
  const accuraciesUnder = valuesTogether(accuracies);
  const excess: number[] = [];
  const falls: number[] = [];
  for (let resample = 0; resample < resamples; resample++) {
    drawToChoose(weights);
    const found = accuraciesUnder(weights);
    const chosen = placeOfMost(found);
    const accuracy = found[chosen] ?? null;
    for (let index = 0; index < cases; index++) weights[index] = weights[index] === 0 ? 1 : 0;
    const fall = subtract(accuracy, accuracies[chosen]?.at(weights) ?? null);
    if (fall !== null) falls.push(fall);
    draw(weights);
    const gaps = accuraciesUnder(weights).flatMap((each, index) => subtract(each, observed[index] ?? null) ?? []);
    if (gaps.length > 0) excess.push(Math.max(...gaps));
  }
  const fall = falls.reduce((sum, each) => sum + each, 0) / falls.length;
  const corrected = falls.length === 0 ? null : Math.min(value, Math.max(0, value - fall / Math.sqrt(1 + 1 / draws)));
  const end = excess.length === 0 ? null : Math.max(0, value - quantile(Float64Array.from(excess).sort(), (1 + level) / 2));
  return { place, value, corrected, low: end === null || corrected === null ? null : Math.min(end, corrected) };
}
