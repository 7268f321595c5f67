// The anytime-valid interval of the difference of two arms' accuracy, case by case in the order of the sample.

import { confidenceSequence } from '../confidenceSequence.ts';
import type { ReportedTrial } from './heldTrials.ts';

interface PairedCase {
  readonly a: readonly ReportedTrial[];
  readonly b: readonly ReportedTrial[];
}

/** Cases with a known truth that two arms try, in the order of the sample. */
export function pairedCases(lines: readonly ReportedTrial[], [a, b]: readonly [string, string]): PairedCase[] {
  const byArm = (arm: string) =>
    Map.groupBy(
      lines.filter((line) => line.arm === arm && line.truth !== null),
      ({ case: id }) => id,
    );
  const [first, second] = [byArm(a), byArm(b)];
  return [...first].flatMap(([id, mine]) => {
    const theirs = second.get(id);
    return theirs === undefined ? [] : [{ a: mine, b: theirs }];
  });
}

/**
 * Takes the cases in the order of the sample, each once all its trials are finished and all before it are: a case is its mean
 * over the replicates of one arm less that of the other, a failure as wrong. What ends quicker has no say in the order.
 * @param width below which the interval ends the run; null: nothing does
 */
export function pairedSequence(
  cases: readonly PairedCase[],
  { alpha, width }: { readonly alpha: number; readonly width: number | null },
) {
  const sequence = confidenceSequence(alpha);
  const right = new Map<string, boolean>();
  let after: number | null = null;
  const meanOf = (trials: readonly ReportedTrial[]): number | null => {
    let sum = 0;
    for (const { trial } of trials) {
      const found = right.get(trial);
      if (found === undefined) return null;
      sum += Number(found);
    }
    return sum / trials.length;
  };
  const advance = () => {
    for (let next = cases[sequence.count()]; next !== undefined; next = cases[sequence.count()]) {
      const [a, b] = [meanOf(next.a), meanOf(next.b)];
      if (a === null || b === null) return;
      sequence.add(a - b);
      const { low, high } = sequence.interval();
      if (after === null && width !== null && high - low < width) after = sequence.count();
    }
  };
  for (const { trial, status, correct } of cases.flatMap(({ a, b }) => [...a, ...b]))
    if (status === 'done') right.set(trial, correct === true);
  advance();
  return {
    interval: sequence.interval,
    count: sequence.count,
    finish({ trial, correct }: Pick<ReportedTrial, 'trial' | 'correct'>): void {
      right.set(trial, correct === true);
      advance();
    },
    /** Cases after which the interval was narrow enough; null where it has not been. */
    after: () => after,
  };
}
