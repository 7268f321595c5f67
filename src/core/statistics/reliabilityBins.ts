// The points of a reliability diagram.
import type { ReliabilityBin } from '../../shared/statistics.ts';
import { expectedCalibrationError } from './expectedCalibrationError.ts';
import { isSame, noise } from './sameNumber.ts';

interface Outcome {
  /** 0-1. */
  readonly belief: number;
  readonly isMet: boolean;
}

const binsOf = (some: readonly Outcome[], most?: number): ReliabilityBin[] =>
  expectedCalibrationError(
    some.map(({ belief }) => belief),
    some.map(({ isMet }) => isMet),
    most,
  ).bins;

/** A wider gap between beliefs has no bin over it: its mean would lie where nobody said anything. */
const widestGap = 0.1;

/** @param sorted beliefs, lowest first */
function splitAtGaps(sorted: readonly Outcome[]): (readonly Outcome[])[] {
  const end = sorted.findIndex(({ belief }, place) => belief - (sorted[place - 1]?.belief ?? belief) > widestGap + noise);
  return end === -1 ? [sorted] : [sorted.slice(0, end), ...splitAtGaps(sorted.slice(end))];
}

/** The bins of the calibration error, parted at wide gaps; lowest first. Throws RangeError for a belief outside of 0-1. */
export function reliabilityBins(outcomes: readonly Outcome[]): ReliabilityBin[] {
  const sorted = outcomes.toSorted((one, other) => one.belief - other.belief);
  return binsOf(sorted).flatMap((bin) => {
    const own = sorted.filter(({ belief }) => belief >= bin.from && (belief <= bin.to || isSame(belief, bin.to)));
    return splitAtGaps(own).flatMap((part) => binsOf(part, 1));
  });
}
