// What the recorded labels do in each group: they are measured as the answers of an arm.
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Resampling } from '../../../shared/statistics.ts';
import { isVaried } from '../../../shared/trialLine.ts';
import type { CaseTerms } from './armMeasures.ts';
import { estimates } from './estimates.ts';
import { plannedFairness } from './fairness.ts';
import { plannedGroups } from './groups.ts';
import type { ReportedTrial } from './heldTrials.ts';
import { casedTrials, type MeasuredTrial } from './trials.ts';

const isMeant = ({ name, over }: { readonly name: string; readonly over: string }) =>
  over === 'decided' && (name === 'selection_rate' || name === 'demographic_parity_difference');

/**
 * The share of the positive label by group among the cases with a finished trial and a known label, each case once however often and
 * by however many arms it was tried, and how far the groups of each column are apart, as of an arm. Cases that were erased are left
 * out. Undefined without a positive label, where cases have several labels, without groups, and without such a case.
 */
export function recordedGroups(
  lines: readonly ReportedTrial[],
  { labels, positive, multiLabel, groups: columns, erased = new Set() }: CaseTerms,
  resampling: Resampling,
): StatsReport['recorded_labels'] {
  if (positive === null || multiLabel || columns.length === 0) return undefined;
  const byCase = new Map<string, MeasuredTrial>();
  for (const line of lines) {
    const { case: id, status, truth, groups } = line;
    if (status !== 'done' || typeof truth !== 'string' || isVaried(line) || erased.has(id) || byCase.has(id)) continue;
    const nothing = { incomplete: false, inconsistent: false, confidence: null, belief: null };
    byCase.set(id, { ...nothing, case: id, outcome: 'decided', prediction: truth, truth, groups });
  }
  const decided = [...byCase.values()];
  if (decided.length === 0) return undefined;
  const { groups, leftOut } = plannedGroups(decided, columns, { labels, positive });
  const apart = columns
    .filter((column) => !leftOut.includes(column))
    .map((column) => plannedFairness(casedTrials(decided), column, positive));
  return {
    groups: groups.map((group) => ({ ...group, measures: estimates(group.measures.filter(isMeant), resampling, 'group') })),
    fairness: apart.map(({ attribute, leftOut: few, tooFew, measures }) => ({
      attribute,
      left_out: [...few],
      too_few: tooFew.filter(isMeant),
      measures: estimates(measures.filter(isMeant), resampling),
    })),
  };
}
