// Measures before they are computed: what each is of, and how its interval is drawn.
import type { Measure } from '../../../shared/statistics.ts';
import { type CaseStatistic, valueOfAll } from '../caseStatistic.ts';
import { signFlipTest } from '../signFlipTest.ts';
import { sumsStatistic, zeroRows } from '../sumsStatistic.ts';
import type { Weights } from '../weights.ts';
import { wilson } from '../wilson.ts';
import type { CasedTrials, MeasuredTrial } from './trials.ts';

export type MeasureName = Pick<Measure, 'name' | 'over'> & Partial<Pick<Measure, 'label' | 'side' | 'turn'>>;

/** A measure before its interval is drawn. */
export interface PlannedMeasure extends Pick<Measure, 'name' | 'label' | 'side' | 'turn' | 'over' | 'n' | 'cases'> {
  /** Over the cases of the trials that it was planned from; null where it has no value. */
  readonly statistic: CaseStatistic | null;
  /** Successes of a share to which each case gives one trial at most; null for everything else. */
  readonly successes: number | null;
  /** Of a share, where each trial weighs the same: how many of `n` it is. */
  readonly count?: number;
  readonly why: string | null;
  /** Why its interval is not drawn though there is a statistic. */
  readonly noInterval?: string;
  /** What is resampled instead of the statistic, and the ends of the interval from a high quantile of it. */
  readonly reach?: {
    readonly statistic: CaseStatistic;
    readonly ends: (value: number, reach: number) => { readonly low: number; readonly high: number };
  };
  /** The p-value of equality, where it is tested by dealing. */
  readonly chance?: (resampling: { readonly resamples: number; readonly seed: number }) => number | null;
  /** Value and interval where both come from a formula, and nothing is drawn. */
  readonly byFormula?: (level: number) => FormulaEstimate;
}

/** A value with the ends of its interval, and why either is missing. */
export interface FormulaEstimate extends Pick<Measure, 'value' | 'low' | 'high' | 'why_null'> {
  readonly interval_method: Measure['interval_method'];
}

const named = ({ name, over, label = null, side = null, turn = null }: MeasureName) => ({ name, over, label, side, turn });

export function withoutValue(name: MeasureName, why: string): PlannedMeasure {
  return { ...named(name), n: 0, cases: 0, statistic: null, successes: null, why };
}

/** Sums that cancel leave rounding errors: what is nearer to 0 than any share of a case is 0. */
const least = 1e-9;
export const unrounded = (sum: number): number => (sum < least ? 0 : sum);

// What is kept of a plan is made outside of the function that reads the trials, so that it does not keep them.
const ratioOf = (sums: Float64Array): number | null => {
  const count = unrounded(sums[1] ?? 0);
  return count === 0 ? null : (sums[0] ?? 0) / count;
};

function cleanSums(rows: Float64Array, width: number, measure: (sums: ArrayLike<number>) => number | null): CaseStatistic {
  const clean = new Float64Array(width);
  return sumsStatistic(rows, width, (sums) => {
    for (let column = 0; column < width; column++) clean[column] = unrounded(sums[column] ?? 0);
    return measure(clean);
  });
}

/** Weights of items from those of their cases: the same array at each call. @param caseOf the case of each item */
export const weightsOfItems = (cases: number, caseOf: Uint32Array): ((weights: Uint32Array) => Uint32Array) =>
  caseOf.length === cases && caseOf.every((place, index) => place === index) ? ofCases : spreadOver(caseOf);

const ofCases = (weights: Uint32Array) => weights;

function spreadOver(caseOf: Uint32Array): (weights: Uint32Array) => Uint32Array {
  const ofItems = new Uint32Array(caseOf.length);
  return (weights) => {
    for (let item = 0; item < caseOf.length; item++) ofItems[item] = weights[caseOf[item] as number] as number;
    return ofItems;
  };
}

function itemsStatistic(cases: number, caseOf: Uint32Array, measure: (weights: Weights) => number | null): CaseStatistic {
  const ofItems = weightsOfItems(cases, caseOf);
  return { cases, at: (weights) => measure(ofItems(weights)) };
}

/** How many of the cases have an item. @param caseOf the case of each item */
function casesWith(cases: number, caseOf: Uint32Array): number {
  const seen = new Uint8Array(cases);
  let found = 0;
  for (const place of caseOf) {
    found += 1 - (seen[place] as number);
    seen[place] = 1;
  }
  return found;
}

/** A share of none or of all trials, where cases were tried several times: resamples are all alike, but so many cases have an interval. */
const alikeCases =
  (value: 0 | 1, cases: number): NonNullable<PlannedMeasure['byFormula']> =>
  (level) => {
    const { low, high } = wilson(value * cases, cases, level) ?? { low: null, high: null };
    const why =
      'the interval of as many cases, each counted once: all trials are alike, so that resampling cannot tell how others would vary';
    return { value, low, high, interval_method: 'wilson', why_null: why };
  };

/** What a trial adds to a ratio; null where it is not counted. */
export interface Part {
  readonly sum: number;
  readonly count: number;
}

/** sum / count over cases, each case weighing the same. @param isShare each count is 1 and each sum 0 or 1 */
export function plannedRatio<T = MeasuredTrial>(
  name: MeasureName,
  { trials, cases, caseOf, share }: CasedTrials<T>,
  partOf: (trial: T) => Part | null,
  { isShare, none }: { isShare: boolean; none: string },
): PlannedMeasure {
  const rows = zeroRows(2 * cases.length);
  const parts = new Uint32Array(cases.length);
  let n = 0;
  let total = 0;
  const weights = new Set<number>();
  trials.forEach((trial, index) => {
    const part = partOf(trial);
    if (part === null || part.count === 0) return;
    const place = caseOf[index] ?? 0;
    const weight = share[index] ?? 0;
    rows[2 * place] = (rows[2 * place] ?? 0) + part.sum * weight;
    rows[2 * place + 1] = (rows[2 * place + 1] ?? 0) + part.count * weight;
    parts[place] = (parts[place] ?? 0) + 1;
    weights.add(weight);
    n += part.count;
    total += part.sum;
  });
  if (n === 0) return withoutValue(name, none);
  const counted = parts.filter((count) => count > 0).length;
  const isRepeated = parts.some((count) => count > 1);
  return {
    ...named(name),
    n,
    cases: counted,
    statistic: sumsStatistic(rows, 2, ratioOf),
    successes: isShare && !isRepeated ? total : null,
    ...(isShare && (!isRepeated || weights.size === 1) ? { count: total } : {}),
    why: null,
    ...(isShare && isRepeated && (total === 0 || total === n) ? { byFormula: alikeCases(total === 0 ? 0 : 1, counted) } : {}),
  };
}

/** Exact p of no effect, by signs of a case's verdicts. @param effectOf verdicts for less against; null where not counted */
export function signsOf<T>({ trials, cases, caseOf }: CasedTrials<T>, effectOf: (trial: T) => number | null) {
  const sums = Array.from(cases, () => 0);
  trials.forEach((trial, index) => {
    const place = caseOf[index] ?? 0;
    sums[place] = (sums[place] ?? 0) + (effectOf(trial) ?? 0);
  });
  return { chance: () => signFlipTest(sums).p };
}

export function plannedShare<T = MeasuredTrial>(
  name: MeasureName,
  trials: CasedTrials<T>,
  fits: (trial: T) => boolean | null,
  none: string,
): PlannedMeasure {
  const partOf = (trial: T) => {
    const fit = fits(trial);
    return fit === null ? null : { sum: fit ? 1 : 0, count: 1 };
  };
  return plannedRatio(name, trials, partOf, { isShare: true, none });
}

/** A mean over trials: null leaves a trial out. */
export function plannedMean<T = MeasuredTrial>(
  name: MeasureName,
  trials: CasedTrials<T>,
  measure: (trial: T) => number | null,
  none: string,
): PlannedMeasure {
  const partOf = (trial: T) => {
    const value = measure(trial);
    return value === null ? null : { sum: value, count: 1 };
  };
  return plannedRatio(name, trials, partOf, { isShare: false, none });
}

/** The mean of an effect of each trial, with the exact test of signs over cases. */
export const plannedEffect = <T>(
  name: MeasureName,
  trials: CasedTrials<T>,
  effectOf: (trial: T) => number | null,
  none: string,
): PlannedMeasure => ({ ...plannedMean(name, trials, effectOf, none), ...signsOf(trials, effectOf) });

/**
 * The mean of a first group of trials less that of a second, over their cases: each case weighs the same in a group, by the mean of its trials there.
 * @param hasSecond else the mean of the first by itself
 * @param leastCases in each group for an interval
 */
export function plannedContrast<T extends { readonly case: string }>(
  name: MeasureName,
  { trials, cases, caseOf }: CasedTrials<T>,
  valueIn: (trial: T) => { readonly isFirst: boolean; readonly value: number | null },
  { hasSecond, none, leastCases = 0 }: { readonly hasSecond: boolean; readonly none: string; readonly leastCases?: number },
): PlannedMeasure {
  // Of each case and group the mean and how often it counts, 0 or 1.
  const rows = zeroRows(4 * cases.length);
  const times = new Uint32Array(2 * cases.length);
  const counted = new Set<string>();
  trials.forEach((trial, index) => {
    const { isFirst, value } = valueIn(trial);
    if (value === null) return;
    const group = 2 * (caseOf[index] ?? 0) + (isFirst ? 0 : 1);
    const before = times[group] ?? 0;
    rows[2 * group] = ((rows[2 * group] ?? 0) * before + value) / (before + 1);
    rows[2 * group + 1] = 1;
    times[group] = before + 1;
    counted.add(trial.case);
  });
  const statistic = sumsStatistic(rows, 4, ([first = 0, ofFirst = 0, second = 0, ofSecond = 0]) =>
    ofFirst === 0 || (hasSecond && ofSecond === 0) ? null : first / ofFirst - (hasSecond ? second / ofSecond : 0),
  );
  if (valueOfAll(statistic) === null) return withoutValue(name, none);
  const n = times.reduce((sum, each) => sum + each, 0);
  const groups = hasSecond ? [0, 1] : [0];
  const fewest = Math.min(...groups.map((group) => times.filter((each, place) => place % 2 === group && each > 0).length));
  const noInterval = `no interval: it takes ${leastCases} cases on each side, and one has ${fewest}`;
  return {
    ...{ ...named(name), n, cases: counted.size, statistic, successes: null, why: null },
    ...(fewest < leastCases ? { noInterval } : {}),
  };
}

/** A statistic of summed rows, such as counts of a confusion matrix, one row a trial. Each case weighs the same. */
export function plannedSums(
  name: MeasureName,
  { trials, cases, caseOf, share }: CasedTrials,
  width: number,
  addTo: (trial: MeasuredTrial, add: (column: number, amount?: number) => void) => boolean,
  { measure, none }: { measure: (sums: ArrayLike<number>) => number | null; none: string },
): PlannedMeasure {
  const rows = zeroRows(width * cases.length);
  const counted = new Uint8Array(cases.length);
  let n = 0;
  trials.forEach((trial, index) => {
    const place = caseOf[index] ?? 0;
    const start = width * place;
    const add = (column: number, amount = 1) => {
      rows[start + column] = (rows[start + column] ?? 0) + amount * (share[index] ?? 0);
    };
    if (!addTo(trial, add)) return;
    n += 1;
    counted[place] = 1;
  });
  if (n === 0) return withoutValue(name, none);
  return {
    ...named(name),
    n,
    cases: counted.reduce((sum, one) => sum + one, 0),
    statistic: cleanSums(rows, width, measure),
    successes: null,
    why: null,
  };
}

/** A statistic of single trials; cases tried more often weigh more. @param measure prepared from the trials that count */
export function plannedItems(
  name: MeasureName,
  all: CasedTrials,
  counts: (trial: MeasuredTrial) => boolean,
  {
    prepare,
    none,
    noInterval,
  }: {
    prepare: (trials: readonly MeasuredTrial[]) => (weights: Weights) => number | null;
    none: string;
    noInterval?: string;
  },
): PlannedMeasure {
  const items = [...all.trials.keys()].filter((index) => {
    const trial = all.trials[index];
    return trial !== undefined && counts(trial);
  });
  if (items.length === 0) return withoutValue(name, none);
  const caseOf = Uint32Array.from(items, (index) => all.caseOf[index] ?? 0);
  const measure = prepare(items.flatMap((index) => all.trials[index] ?? []));
  return {
    ...named(name),
    n: items.length,
    cases: casesWith(all.cases.length, caseOf),
    statistic: itemsStatistic(all.cases.length, caseOf, measure),
    successes: null,
    why: null,
    ...(noInterval === undefined ? {} : { noInterval }),
  };
}
