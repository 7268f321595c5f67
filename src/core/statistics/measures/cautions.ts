// Which intervals hold the true value less often than they say, found by simulation.
import type { Measure } from '../../../shared/statistics.ts';

/** Of how many simulated experiments an interval held the true value: bench/coverage.ts. */
interface Held {
  /** Of an arm, or of the difference of two. */
  readonly of: 'arm' | 'difference';
  readonly name: string;
  /** Cases in the simulated experiments. */
  readonly cases: number;
  readonly percent: number;
}

/** Intervals that missed by more than 2 points. */
const held: readonly Held[] = [
  { of: 'arm', name: 'log_loss', cases: 50, percent: 92 },
  { of: 'arm', name: 'excess_area_under_risk_coverage', cases: 50, percent: 91 },
  { of: 'arm', name: 'excess_area_under_risk_coverage', cases: 200, percent: 92 },
  { of: 'arm', name: 'area_under_risk_coverage', cases: 200, percent: 93 },
  { of: 'difference', name: 'brier', cases: 50, percent: 91 },
  { of: 'difference', name: 'brier', cases: 200, percent: 93 },
  { of: 'difference', name: 'log_loss', cases: 50, percent: 90 },
  { of: 'difference', name: 'log_loss', cases: 200, percent: 93 },
  { of: 'difference', name: 'area_under_curve', cases: 200, percent: 93 },
];

/** Of what numbers of cases that is said which was found at a simulated number. */
const range: Readonly<Record<number, readonly [above: number, upTo: number]>> = { 50: [0, 100], 200: [100, 500] };

/** The sentence beside an interval that is too narrow at this number of cases; nothing where it is not known to be. */
export function cautionOf(
  of: Held['of'],
  { name, cases, low }: Pick<Measure, 'name' | 'cases' | 'low'>,
): Pick<Measure, 'caution'> {
  const isNear = ([above, upTo]: readonly [number, number]) => cases > above && cases <= upTo;
  const found = held.find((each) => each.of === of && each.name === name && isNear(range[each.cases] ?? [0, 0]));
  return low === null || found === undefined
    ? {}
    : {
        caution: `too narrow over so few cases: in simulations of ${found.cases} cases, 95% intervals held the true value in ${found.percent}%`,
      };
}
