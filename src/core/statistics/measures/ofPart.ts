// The report over a part of the trials, which shows nothing.
import type { Subset } from '../../../shared/api/subset.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { subsetText } from '../../figures/subset.ts';
import { chosenByTruth } from './chosenByTruth.ts';

type Report = Omit<StatsReport, 'store'>;

/** A report that states no finding says why in its first sentence and in its notes. */
export function withoutFinding({ primary: _unstated, ...report }: Report, sentence: string, rule: string): Report {
  return { ...report, finding: { sentence, rule }, notes: [`${sentence} ${rule}`, ...report.notes] };
}

/** Whether a part has trials of some true labels only. All labels choose only what has one. */
export const isByTruth = ({ truths }: Subset, labels: readonly string[]): boolean =>
  truths !== undefined && !labels.every((label) => truths.includes(label));

/** Of a pair that is in no family of tests that could be shown. */
export const unadjusted = ({ mcnemar, wilcoxon, ...pair }: Comparison): Comparison => ({
  ...pair,
  mcnemar: { ...mcnemar, p_adjusted: null },
  wilcoxon: wilcoxon === null ? null : { ...wilcoxon, p_adjusted: null },
});

/** What says that something is shown asks `part`; of a pair it asks the adjusted p-value. */
const withoutClaims = (report: Report, subset: Subset): Report => ({
  ...report,
  part: subsetText(subset),
  comparisons: report.comparisons.map(unadjusted),
});

/** What the choice of a part does to its numbers, after a sentence; empty text where it does nothing. */
export const choiceText = (subset: Subset, labels: readonly string[]): string =>
  `${
    isByTruth(subset, labels)
      ? ' Since they were chosen by their true label, all that depends on how frequent it is, such as precision, calibration and agreement beyond chance, is left out, and so are baselines.'
      : ''
  }${
    Object.values(subset.groups ?? {}).some(({ length }) => length > 1)
      ? ' A p-value of groups compares only those that were chosen, and holds if they were chosen before looking.'
      : ''
  }`;

export const ofPart = (report: Report, subset: Subset, { trials, of }: { trials: number; of: number }): Report =>
  withoutFinding(
    withoutClaims(isByTruth(subset, report.labels) ? chosenByTruth(report) : report, subset),
    `This is a look at ${trials} of ${of} trials (${subsetText(subset)}) and no finding.${choiceText(subset, report.labels)}`,
    'A part that is chosen after looking differs from the whole by chance more often than the intervals and p-values say: over a part ' +
      'no finding is stated. Intervals, baselines and comparisons are those of the trials and cases that are left.',
  );
