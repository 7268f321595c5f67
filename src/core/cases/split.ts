import type { SplitName } from '../../shared/domain.ts';
import type { Split } from '../../shared/experiment.ts';
import { randomSource, shuffled } from './shuffle.ts';

/** Strings by their UTF-16 code units: the same order on every machine. */
export function byCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Deals every case to one split: the ids in code unit order, shuffled by the seed; the first round(test * n) are test,
 * the next round(train * n) train, the rest validation. A split with a share of 0 gets no case. The order of `ids`
 * does not matter; they are distinct.
 */
export function splitCases(ids: readonly string[], split: Split, seed: number): Map<string, SplitName> {
  const order = shuffled(ids.toSorted(byCodeUnits), randomSource(seed, 'split'));
  const { test, train } = splitSizes(order.length, split);
  return new Map(order.map((id, index) => [id, index < test ? 'test' : index < test + train ? 'train' : 'validation']));
}

/**
 * Deals the cases in the order of their times: about round(train * n) are train, the next round(validation * n) validation and
 * the latest test. Cases of the same time as the last of a split are in that split too, so that no case is tested on what was
 * learned from the same moment. A split with a share of 0 gets no case.
 * @param times case id -> a number that grows with time
 */
export function splitByTime(times: ReadonlyMap<string, number>, split: Split): Map<string, SplitName> {
  const order = [...times].toSorted(([one, a], [other, b]) => a - b || byCodeUnits(one, other));
  const { test, train } = splitSizes(order.length, split);
  const endAt = (start: number, wanted: number) => {
    const last = order[start + wanted - 1]?.[1];
    return wanted === 0 || last === undefined ? start : order.findLastIndex(([, time]) => time === last) + 1;
  };
  const trained = endAt(0, train);
  const validated = endAt(trained, Math.max(0, order.length - test - trained));
  const nameAt = (index: number) => (index < trained ? 'train' : index < validated ? 'validation' : 'test');
  return new Map(order.map(([id], index) => [id, nameAt(index)]));
}

function splitSizes(total: number, split: Split): { test: number; train: number } {
  const roundedTest = Math.min(total, Math.round(split.test * total));
  if (split.validation > 0) {
    return { test: roundedTest, train: Math.min(total - roundedTest, Math.round(split.train * total)) };
  }
  const test = split.train > 0 ? roundedTest : total;
  return { test, train: total - test };
}

/**
 * The first `n` ids (all of them without `n`) of a shuffle of the ids by the seed, so that a larger `n` extends a
 * smaller one. The order of `ids` does not matter; where there are fewer than `n`, all are returned.
 */
export function sampleIds(ids: readonly string[], n: number | undefined, seed: number): string[] {
  return shuffled(ids.toSorted(byCodeUnits), randomSource(seed, 'sample')).slice(0, n);
}
