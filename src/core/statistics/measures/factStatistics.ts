import type { FactStatistics } from '../../../shared/changeStatistics.ts';
import { largestChange, setsOfSize } from '../../../shared/leftOut.ts';
import { shapleyValues } from '../shapley.ts';
import { type LabelTerms, labelFollowed } from './speechWorth.ts';
import { isFlipped, type PairedTrial } from './swapMeasures.ts';

/** An arm that tries one case without some of its facts. */
interface LeftOutArm {
  readonly arm: string;
  readonly facts: readonly string[];
  /** Facts of the case. */
  readonly of: number;
}

/** P(label) of a decided trial; null where it has no belief. */
const shareIn = ({ outcome, belief }: PairedTrial, label: string): number | null =>
  outcome === 'decided' && belief !== null ? (belief[label] ?? 0) : null;

function shapleyIn(base: PairedTrial, found: readonly (LeftOutArm & { readonly trial: PairedTrial })[], label: string | null) {
  const names = [...new Set(found.flatMap(({ facts }) => facts))].toSorted();
  // A fact that was never left out looks like no fact.
  if (label === null || found.some(({ of }) => of !== names.length)) return null;
  const worth = new Map<string, number>();
  for (const { facts, trial } of [{ facts: [] as string[], trial: base }, ...found]) {
    const share = shareIn(trial, label);
    if (share !== null) worth.set(names.map((name) => (facts.includes(name) ? '0' : '1')).join(''), share);
  }
  const shapley = shapleyValues(names.length, worth);
  if (shapley === null) return null;
  const [all, none] = ['1', '0'].map((each) => worth.get(each.repeat(names.length)) ?? Number.NaN);
  return {
    ...{ method: shapley.method, permutations: shapley.permutations, all: all ?? Number.NaN, none: none ?? Number.NaN },
    values: shapley.values.map((value, place) => ({ fact: names[place] ?? '', ...value })),
  };
}

/**
 * What the facts of one case do: the smallest sets without which the verdict is another, among those that were tried, and the Shapley
 * value of each fact for P(label), where enough sets were tried (`shapleyValues`). A counterfactual explanation by leaving out, after
 * Wachter, Mittelstadt, Russell, Counterfactual explanations without opening the black box (2017); the worth of a set of facts is
 * P(label) when the court knows only them, after Štrumbelj and Kononenko, Explaining prediction models and individual predictions
 * with feature contributions (2014), with facts left out instead of drawn from other cases.
 *
 * Limits: only sets of up to three facts count as a change; each set is tried once, with the seeds of the first trial, so that above temperature 0 a flip can be chance.
 * @returns null unless the arm has exactly one finished trial
 */
export function factStatistics(
  arm: string,
  leftOut: readonly LeftOutArm[],
  trialsOf: (arm: string) => readonly PairedTrial[],
  terms: LabelTerms,
): FactStatistics | null {
  const [base, ...more] = trialsOf(arm);
  if (base === undefined || more.length > 0) return null;
  const found = leftOut.flatMap((each) => {
    const [trial] = trialsOf(each.arm);
    return trial === undefined ? [] : [{ ...each, trial }];
  });
  const tried = found
    .filter((each) => each.facts.length <= largestChange)
    .map((each) => ({
      facts: each.facts,
      flipped: isFlipped({ case: base.case, replicate: base.replicate, base, swapped: each.trial }),
    }));
  const facts = Math.max(0, ...leftOut.map(({ of }) => of));
  const flipping = tried.filter(({ flipped }) => flipped === true).map((each) => each.facts);
  const least = Math.min(...flipping.map(({ length }) => length));
  const label = labelFollowed(terms);
  const sizes = [...new Set(leftOut.map((each) => each.facts.length))]
    .filter((size) => size <= largestChange)
    .toSorted((a, b) => a - b);
  return {
    ...{ arm, facts, label },
    smallest: flipping.filter(({ length }) => length === least).map((each) => [...each]),
    sizes: sizes.map((size) => ({
      size,
      of: setsOfSize(facts, size),
      tried: tried.filter((each) => each.facts.length === size && each.flipped !== null).length,
    })),
    shapley: shapleyIn(base, found, label),
  };
}
