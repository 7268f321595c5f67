// The values that are left when each case in turn is left out.
import { readOnce } from '../../shared/remembered.ts';
import { randomSource, shuffled } from '../cases/shuffle.ts';
import type { CaseStatistic } from './caseStatistic.ts';
import { valuesTogether } from './valuesTogether.ts';

/** Cases beyond which they are left out in groups where leaving one out takes a pass over all of them, and how many groups. */
const mostSingly = 1000;
const groups = 500;

/** Values without each case, or each group of cases, in turn; NaN where a value is undefined. */
export type Jackknife = Float64Array;

/**
 * The jackknife of each of some statistics of the same cases, by its place. A statistic without a cheap way to leave a case out
 * takes a pass over the cases each time, which grows with their square: beyond `mostSingly` cases it is the jackknife of
 * groups that are drawn by lot, so that no order of the cases is in them. The acceleration of a BCa interval is the same of
 * groups as of cases on average (skewness of sums of m falls by the root of m, as does the root of their number): B. Efron and
 * R. J. Tibshirani, An Introduction to the Bootstrap, 1993, section 14.3 and problem 14.10. All that take passes have them
 * together, when one of them is asked for first; the others are made at each call. The caller may change what it gets, and has it
 * until the next but one is asked for: two arrays are used in turn, so that many differences take no more room than one.
 */
export function jackknives(statistics: readonly CaseStatistic[]): (place: number) => Jackknife {
  const passing = statistics.filter(({ without }) => without === undefined);
  let passed: readonly Jackknife[] | null = null;
  const roomOf = readOnce((_turn: number) => new Float64Array(statistics[0]?.cases ?? 0));
  let calls = 0;
  const room = (length: number): Jackknife => roomOf(calls++ % 2).subarray(0, length);
  return (place) => {
    const statistic = statistics[place];
    if (statistic === undefined) throw new RangeError(`no statistic ${place}`);
    const { cases, without } = statistic;
    if (without !== undefined) {
      const found = room(cases);
      for (let index = 0; index < cases; index++) found[index] = without(index) ?? Number.NaN;
      return found;
    }
    passed ??= byPasses(passing);
    const shared = passed[passing.indexOf(statistic)] ?? new Float64Array();
    const found = room(shared.length);
    found.set(shared);
    return found;
  };
}

function byPasses(statistics: readonly CaseStatistic[]): Jackknife[] {
  const cases = statistics[0]?.cases ?? 0;
  const parts = cases > mostSingly ? groups : cases;
  const places = [...new Uint32Array(cases).keys()];
  const order = parts === cases ? places : shuffled(places, randomSource(0, 'jackknife'));
  const found = statistics.map(() => new Float64Array(parts).fill(Number.NaN));
  const valuesUnder = valuesTogether(statistics);
  const weights = new Uint32Array(cases);
  for (let part = 0; part < parts; part++) {
    weights.fill(1);
    for (let place = part; place < cases; place += parts) weights[order[place] ?? 0] = 0;
    valuesUnder(weights).forEach((value, place) => {
      if (value !== null) (found[place] as Jackknife)[part] = value;
    });
  }
  return found;
}
