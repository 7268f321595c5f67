// How far the groups of an attribute are apart, as the largest difference and the smallest ratio of their rates.
import type { Measure } from '../../../shared/statistics.ts';
import { valueOfAll } from '../caseStatistic.ts';
import { type GroupedCases, groupPermutation } from '../groupPermutation.ts';
import { type PlannedMeasure, plannedSums, withoutValue } from './planned.ts';
import type { CasedTrials, MeasuredTrial } from './trials.ts';

/** Cases below which the rate of a group says too little to be compared with another. */
export const fewestInGroup = 10;

/** What of a trial counts for a rate: null if it is not in the denominator, else whether it is in the numerator. */
type RateOf = (trial: MeasuredTrial) => boolean | null;

/** Whether the positive label was given; a trial without a verdict is no selection where failures count. Null where it does not count. */
const selected =
  (positive: string, failuresCount: boolean): RateOf =>
  ({ outcome, prediction }) =>
    outcome === 'decided' ? prediction === positive : failuresCount ? false : null;

const amongTruths =
  (rate: RateOf, positive: string, isPositive: boolean): RateOf =>
  (trial) =>
    typeof trial.truth === 'string' && (trial.truth === positive) === isPositive ? rate(trial) : null;

function ratesOf(positive: string, failuresCount: boolean) {
  const rate = selected(positive, failuresCount);
  return {
    demographic_parity: [rate],
    equalized_odds: [amongTruths(rate, positive, true), amongTruths(rate, positive, false)],
  } as const;
}

/** A way to say how far rates are apart, and the ends of its interval where every pair of rates is off by `reach` at most. */
interface Spread {
  of(rates: readonly number[]): number | null;
  /** The scale on which pairs differ. */
  on(rate: number): number;
  ends(value: number, reach: number): { readonly low: number; readonly high: number };
}
const difference: Spread = {
  of: (rates) => Math.max(...rates) - Math.min(...rates),
  on: (rate) => rate,
  ends: (value, reach) => ({ low: Math.max(0, value - reach), high: Math.min(1, value + reach) }),
};
const ratio: Spread = {
  of: (rates) => (Math.max(...rates) === 0 ? null : Math.min(...rates) / Math.max(...rates)),
  on: (rate) => Math.log(rate),
  ends: (value, reach) => ({ low: value * Math.exp(-reach), high: Math.min(1, value * Math.exp(reach)) }),
};

/** The largest move of a difference between two groups in any rate; null where one is infinite. */
function largestMove(
  spread: Spread,
  before: readonly (readonly number[])[],
  after: readonly (readonly number[])[],
): number | null {
  const moves = after.map((rates, rate) => {
    const shifts = rates.map((each, group) => spread.on(each) - spread.on(before[rate]?.[group] ?? Number.NaN));
    return Math.max(...shifts) - Math.min(...shifts);
  });
  return moves.every(Number.isFinite) ? Math.max(...moves) : null;
}

/** The group of a trial; null where its case was erased. */
type GroupIn = (trial: MeasuredTrial) => string | null;

const groupOf = ({ groups }: MeasuredTrial, attribute: string) =>
  Object.hasOwn(groups, attribute) ? (groups[attribute] ?? '') : '';

function comparable(trials: CasedTrials, groups: readonly string[], groupIn: GroupIn, rates: readonly RateOf[]): string[] {
  return groups.filter((group) =>
    rates.every((rate) => {
      const mine = trials.trials.filter((trial) => groupIn(trial) === group && rate(trial) !== null);
      return new Set(mine.map(({ case: id }) => id)).size >= fewestInGroup;
    }),
  );
}

/**
 * The worst of some rates' spreads over groups, each rate a ratio of two sums over cases of equal weight. A largest difference cannot
 * be negative, so resamples of it never hold 0 where groups are equal. Its interval is therefore that of all pairs of groups at once.
 */
function plannedSpread(
  about: Pick<Measure, 'name' | 'over' | 'label'>,
  trials: CasedTrials,
  { groupIn, groups, rates }: { groupIn: GroupIn; groups: readonly string[]; rates: readonly RateOf[] },
  { spread, worst }: { spread: Spread; worst: (all: readonly number[]) => number },
): PlannedMeasure {
  if (groups.length < 2) return withoutValue(about, `fewer than two groups have ${fewestInGroup} cases that count`);
  const places = new Map<string | null, number>(groups.map((group, place) => [group, place]));
  const column = (rate: number, group: number) => 2 * (rate * groups.length + group);
  const planned = (measure: (found: readonly (readonly number[])[]) => number | null) =>
    plannedSums(
      about,
      trials,
      2 * rates.length * groups.length,
      (trial, add) => {
        const group = places.get(groupIn(trial));
        if (group === undefined) return false;
        let counted = false;
        rates.forEach((rate, place) => {
          const hit = rate(trial);
          if (hit === null) return;
          counted = true;
          if (hit) add(column(place, group));
          add(column(place, group) + 1);
        });
        return counted;
      },
      {
        none: 'no trial counts',
        measure(sums) {
          const found = rates.map((_, rate) =>
            groups.map((_group, group) => (sums[column(rate, group)] ?? 0) / (sums[column(rate, group) + 1] ?? 0)),
          );
          return found.flat().some(Number.isNaN) ? null : measure(found);
        },
      },
    );
  let observed: readonly (readonly number[])[] = [];
  const value = planned((found) => {
    observed = found;
    const spreads = found.map((each) => spread.of(each));
    return spreads.includes(null) ? null : worst(spreads.filter((each) => each !== null));
  });
  if (value.statistic !== null) valueOfAll(value.statistic);
  const seen = observed;
  const { statistic } = planned((found) => largestMove(spread, seen, found));
  if (statistic === null) return value;
  // Without a jackknife the bootstrap gives plain percentiles: a reach has no bias to correct.
  return { ...value, reach: { statistic: { ...statistic, without: () => null }, ends: spread.ends } };
}

/** The cases of each rate with their group, for the test of equality; a case counts with all its trials. */
function groupedCases(
  { trials, cases, caseOf, share }: CasedTrials,
  { groupIn, groups, rates }: { groupIn: GroupIn; groups: readonly string[]; rates: readonly RateOf[] },
): GroupedCases[] {
  const places = new Map<string | null, number>(groups.map((group, place) => [group, place]));
  return rates.map((rate) => {
    const [group, sum, count] = [new Uint32Array(cases.length), new Float64Array(cases.length), new Float64Array(cases.length)];
    trials.forEach((trial, index) => {
      const [own, hit, at] = [places.get(groupIn(trial)), rate(trial), caseOf[index] ?? 0];
      if (own === undefined || hit === null) return;
      group[at] = own;
      sum[at] = (sum[at] ?? 0) + (hit ? (share[index] ?? 0) : 0);
      count[at] = (count[at] ?? 0) + (share[index] ?? 0);
    });
    const counts = (_: number, place: number) => (count[place] ?? 0) > 0;
    return { group: group.filter(counts), sum: sum.filter(counts), count: count.filter(counts) };
  });
}

// Made outside of the function that reads the trials, so that it does not keep them.
const chanceOf =
  (found: readonly GroupedCases[], groups: number): NonNullable<PlannedMeasure['chance']> =>
  (resampling) =>
    groupPermutation(found, groups, resampling);

function tested(planned: PlannedMeasure, trials: CasedTrials, compared: Parameters<typeof groupedCases>[1]): PlannedMeasure {
  if (planned.statistic === null) return planned;
  return { ...planned, chance: chanceOf(groupedCases(trials, compared), compared.groups.length) };
}

/**
 * Demographic parity and equalised odds between the groups of an attribute, twice: over the decided trials, and over all
 * finished ones where what was not decided counts as not selected (`over`: `decided` and `finished`).
 *
 *   demographic_parity_difference = max - min over groups of P(positive label given), _ratio = min / max;
 *   equalized_odds_difference = the larger of that difference of the true-positive and of the false-positive rate, _ratio the
 *   smaller of the ratios; true_positive_rate_difference and false_positive_rate_difference = max - min of each by itself, over the
 *   decided; failure_rate_difference = max - min of the share of trials without a verdict.
 *
 * Source: S. Bird et al., Fairlearn: A Toolkit for Assessing and Improving Fairness in AI, 2020, whose names and formulas these are.
 * The interval of a difference is the difference less and plus the largest move of any difference between two groups in 97.5% of the
 * resamples, cut off at 0 and 1, that of a ratio the same on the log scale: it holds 0 if the data do not separate the groups. Groups
 * with fewer than 10 cases in a denominator are left out. A difference of the largest from the smallest cannot be negative, so that it
 * is above 0 on average also where groups are equal: read it with the n of the groups.
 */
export function plannedFairness(
  trials: CasedTrials,
  attribute: string,
  positive: string,
  erased: ReadonlySet<string> = new Set(),
) {
  const groupIn = (trial: MeasuredTrial) => (erased.has(trial.case) ? null : groupOf(trial, attribute));
  const everywhere = [...new Set(trials.trials.map(groupIn))].filter((group) => group !== null).sort();
  const largest = { spread: difference, worst: (all: readonly number[]) => Math.max(...all) };
  const smallest = { spread: ratio, worst: (all: readonly number[]) => Math.min(...all) };
  const lacking: { name: string; over: string; groups: string[] }[] = [];
  const of = (name: string, over: 'decided' | 'finished', rates: readonly RateOf[]) => {
    const groups = comparable(trials, everywhere, groupIn, rates);
    lacking.push({ name, over, groups: everywhere.filter((group) => !groups.includes(group)) });
    return { groupIn, groups, rates };
  };
  const measures = (['decided', 'finished'] as const).flatMap((over) =>
    Object.entries(ratesOf(positive, over === 'finished')).flatMap(([name, rates]) => {
      const compared = of(`${name}_difference`, over, rates);
      const apart = plannedSpread({ name: `${name}_difference`, over, label: positive }, trials, compared, largest);
      return [
        over === 'decided' && name === 'demographic_parity' ? tested(apart, trials, compared) : apart,
        plannedSpread({ name: `${name}_ratio`, over, label: positive }, trials, compared, smallest),
      ];
    }),
  );
  const [hits, falseAlarms] = ratesOf(positive, false).equalized_odds;
  const errors = Object.entries({ true_positive_rate_difference: hits, false_positive_rate_difference: falseAlarms }).map(
    ([name, rate]) => {
      const compared = of(name, 'decided', [rate]);
      return tested(plannedSpread({ name, over: 'decided', label: positive }, trials, compared, largest), trials, compared);
    },
  );
  const failed = of('failure_rate_difference', 'finished', [({ outcome }) => outcome !== 'decided']);
  const failures = plannedSpread({ name: 'failure_rate_difference', over: 'finished', label: null }, trials, failed, largest);
  return {
    attribute,
    /** Groups with too few cases for every measure. */
    leftOut: everywhere.filter((group) => lacking.every(({ groups }) => groups.includes(group))),
    /** Differences that leave out groups with too few cases for them. */
    tooFew: lacking.filter(({ groups }) => groups.length > 0),
    measures: [...measures, ...errors, failures],
  };
}
