import type { Subset } from '../../../shared/api/subset.ts';
import type { TrialLine } from '../../../shared/trialLine.ts';

/** Whether a trial is of a part of an experiment; everything is of no part in particular. */
export function inSubset(line: TrialLine, subset: Subset | undefined): boolean {
  if (subset === undefined) return true;
  const { arms, models, groups = {}, outcomes } = subset;
  return (
    (arms === undefined || arms.includes(line.arm)) &&
    (models === undefined || line.models.some((model) => models.includes(model))) &&
    Object.entries(groups).every(([column, values]) => values.includes(line.groups[column] ?? '')) &&
    (outcomes === undefined || (line.outcome !== null && outcomes.includes(line.outcome)))
  );
}
