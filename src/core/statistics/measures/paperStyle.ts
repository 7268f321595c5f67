// The papers' own test of two arms.
import type { PaperStyle } from '../../../shared/api/compared.ts';
import { paperStyleWilcoxon } from '../paperStyleWilcoxon.ts';
import { accuracyMeasures } from './accuracyMeasures.ts';
import { labelMeasures } from './labelMeasures.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';

interface Terms {
  readonly labels: readonly string[];
  readonly multiLabel: boolean;
}

/** Accuracy of all and macro-F1 of the decided as statistics over some cases, in their order. */
function statisticsOf(trials: readonly MeasuredTrial[], cases: readonly string[], { labels, multiLabel }: Terms) {
  const byCase = Map.groupBy(trials, ({ case: id }) => id);
  const cased = casedTrials(cases.flatMap((id) => byCase.get(id) ?? []));
  const named = (name: string, over: string) =>
    [...accuracyMeasures(cased), ...labelMeasures(cased, labels, multiLabel)].find(
      (planned) => planned.name === name && planned.over === over,
    )?.statistic ?? null;
  return { accuracy: named('accuracy', 'all'), macro_f1: named('macro_f1', 'decided') };
}

/**
 * The papers' test of two arms over 20 bootstrap replicates of the cases that both have, of accuracy and of macro-F1; see
 * `paperStyleWilcoxon` for why it is no inference.
 *
 * @param trials finished ones of both, of cases with a known truth that both have tried
 */
export function paperStyle(
  a: readonly MeasuredTrial[],
  b: readonly MeasuredTrial[],
  cases: readonly string[],
  terms: Terms,
  seed: number,
): PaperStyle[] {
  const [one, other] = [statisticsOf(a, cases, terms), statisticsOf(b, cases, terms)];
  return (['accuracy', 'macro_f1'] as const).flatMap((measure) => {
    const [first, second] = [one[measure], other[measure]];
    const found = first === null || second === null ? null : paperStyleWilcoxon(first, second, seed);
    if (found === null) return [];
    const { meanDifference, replicates, test } = found;
    return [
      {
        measure,
        mean_difference: meanDifference,
        replicates,
        statistic: test?.statistic ?? null,
        p: test?.p ?? null,
        seed,
      },
    ];
  });
}
