import { resampler } from './bootstrap.ts';
import type { CaseStatistic } from './caseStatistic.ts';
import { type WilcoxonTest, wilcoxonSignedRank } from './wilcoxonSignedRank.ts';

/** Replicates of the papers. */
export const paperReplicates = 20;

/** A signed-rank test of bootstrap replicates, which is no inference. */
export interface PaperStyleTest {
  /** Mean over the replicates of first minus second. */
  readonly meanDifference: number;
  /** Replicates in which both are defined. */
  readonly replicates: number;
  /** Null where no replicate has a difference. */
  readonly test: WilcoxonTest | null;
}

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
 * experiments (`paperStyleWilcoxon.test.ts` measures it; docs/statistics.md).
 *
 * @param weights how often each case is in each resample. Null where the statistics are defined together in none.
 * Throws RangeError for statistics of different numbers of cases.
 */
export function wilcoxonOfReplicates(
  first: CaseStatistic,
  second: CaseStatistic,
  weights: Iterable<Uint32Array>,
): PaperStyleTest | null {
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
    meanDifference: differences.reduce((sum, difference) => sum + difference, 0) / differences.length,
    replicates: differences.length,
    test: wilcoxonSignedRank(differences),
  };
}

function* resamples(cases: number, seed: number, count: number): Generator<Uint32Array> {
  const draw = resampler(cases, seed);
  const weights = new Uint32Array(cases);
  for (let drawn = 0; drawn < count; drawn++) {
    draw(weights);
    yield weights;
  }
}

/** `wilcoxonOfReplicates` over 20 resamples of a seed; null without a case. */
export function paperStyleWilcoxon(first: CaseStatistic, second: CaseStatistic, seed: number): PaperStyleTest | null {
  return first.cases === 0 ? null : wilcoxonOfReplicates(first, second, resamples(first.cases, seed, paperReplicates));
}
