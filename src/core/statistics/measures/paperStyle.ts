// The papers' own test of two arms: a signed-rank test of bootstrap replicates, which is no inference.
import type { PaperStyle } from '../../../shared/api/compared.ts';
import { resampler } from '../bootstrap.ts';
import type { CaseStatistic } from '../caseStatistic.ts';
import { wilcoxonSignedRank } from '../wilcoxonSignedRank.ts';
import { accuracyMeasures } from './accuracyMeasures.ts';
import { macroF1Measure } from './labelMeasures.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';

export const paperReplicates = 20;

/**
 * Wilcoxon's signed-rank test of the differences of two statistics over resamples of their cases, as some papers do it:
 * each resample is one pair of the test.
 *
 * Source: "SocraSynth and EVINCE", section 7.4, which compares pairs with their stronger model by "the Wilcoxon signed
 * rank test on bootstrap replicates (n = 20)". Whether both are taken over the same resamples is not said; here they are,
 * since a signed-rank test needs pairs.
 *
 * **No inference.** Resamples of one set of cases scatter around the difference that was observed, not around 0, and any
 * number of them can be drawn: what is tested is whether the observed difference is exactly 0, and more replicates make
 * it surer of that without a single further case. On data without any difference it rejects at 5% in about two of three
 * experiments (`paperStyle.test.ts` measures it; docs/statistics.md).
 *
 * @param weights how often each case is in each resample. Null where the statistics are defined together in none.
 * Throws RangeError for statistics of different numbers of cases.
 */
export function wilcoxonOfReplicates(first: CaseStatistic, second: CaseStatistic, weights: Iterable<Uint32Array>) {
  if (first.cases !== second.cases) {
    throw new RangeError(`replicates are of the same cases, not of ${first.cases} and ${second.cases}`);
  }
  const differences: number[] = [];
  for (const drawn of weights) {
    const [one, other] = [first.at(drawn), second.at(drawn)];
    if (one !== null && other !== null) differences.push(one - other);
  }
  if (differences.length === 0) return null;
  return {
    /** Of first minus second, over the replicates in which both are defined. */
    meanDifference: differences.reduce((sum, difference) => sum + difference, 0) / differences.length,
    replicates: differences.length,
    /** Null where no replicate has a difference. */
    test: wilcoxonSignedRank(differences),
  };
}

/** `wilcoxonOfReplicates` over 20 resamples of a seed; null without a case. */
export function paperStyleWilcoxon(first: CaseStatistic, second: CaseStatistic, seed: number) {
  if (first.cases === 0) return null;
  const draw = resampler(first.cases, seed);
  const drawn = Array.from({ length: paperReplicates }, () => {
    const weights = new Uint32Array(first.cases);
    draw(weights);
    return weights;
  });
  return wilcoxonOfReplicates(first, second, drawn);
}

/** Accuracy of all and macro-F1 of the decided as statistics over some cases, in their order. */
function statisticsOf(trials: readonly MeasuredTrial[], cases: readonly string[], labels: readonly string[]) {
  const byCase = Map.groupBy(trials, ({ case: id }) => id);
  const cased = casedTrials(cases.flatMap((id) => byCase.get(id) ?? []));
  return { accuracy: accuracyMeasures(cased)[0].statistic, macro_f1: macroF1Measure(cased, labels).statistic };
}

/**
 * The papers' test of two arms over 20 bootstrap replicates of the cases that both have, of accuracy and of macro-F1; see
 * `wilcoxonOfReplicates` for why it is no inference.
 *
 * @param trials finished ones of both, of cases with a known truth that both have tried
 */
export function paperStyle(
  a: readonly MeasuredTrial[],
  b: readonly MeasuredTrial[],
  cases: readonly string[],
  { labels }: { readonly labels: readonly string[] },
  seed: number,
): PaperStyle[] {
  const [one, other] = [statisticsOf(a, cases, labels), statisticsOf(b, cases, labels)];
  return (['accuracy', 'macro_f1'] as const).flatMap((measure) => {
    const [first, second] = [one[measure], other[measure]];
    const found = first === null || second === null ? null : paperStyleWilcoxon(first, second, seed);
    if (found === null) return [];
    const { meanDifference, replicates, test } = found;
    return [
      { measure, mean_difference: meanDifference, replicates, statistic: test?.statistic ?? null, p: test?.p ?? null, seed },
    ];
  });
}
