// Counts, accuracy and quality of one arm.
import type { ArmStatistics } from '../../shared/outputs.ts';
import type { TrialLine } from '../../shared/trialLine.ts';
import type { Share } from './accuracy.ts';
import { confidenceBins } from './confidenceBins.ts';
import { type Confusion, classCounts, confusion } from './confusion.ts';
import { f1, macroF1 } from './f1.ts';
import { summarizeOutcomes } from './outcomes.ts';
import { precision } from './precision.ts';
import { recall } from './recall.ts';

const shareOf = ({ value, correct, n, interval }: Share) => ({
  value,
  count: correct,
  n,
  low: interval?.low ?? null,
  high: interval?.high ?? null,
});

/** Decided single-label trials with a known truth, as pairs. */
function pairsOf(lines: readonly TrialLine[]) {
  return lines.flatMap(({ outcome, truth, prediction }) =>
    outcome === 'decided' && typeof truth === 'string' && typeof prediction === 'string' ? [{ truth, prediction }] : [],
  );
}

function positiveCounts(matrix: Confusion, positive: string) {
  const { truePositives, trueNegatives, falsePositives, falseNegatives } = classCounts(matrix, positive);
  return { tp: truePositives, tn: trueNegatives, fp: falsePositives, fn: falseNegatives };
}

/** Bins of the histogram of stated confidences. */
const histogramBins = 10;

/** The cells that hold a trial, truth by truth. */
const cellsOf = ({ labels, counts }: Confusion) =>
  labels.flatMap((truth, row) =>
    labels.flatMap((prediction, column) => {
      const n = counts[row]?.[column] ?? 0;
      return n === 0 ? [] : [{ truth, prediction, n }];
    }),
  );

const total = (lines: readonly TrialLine[], field: 'calls' | 'prompt_tokens' | 'completion_tokens' | 'model_ms' | 'wall_ms') =>
  lines.reduce((sum, line) => sum + line[field], 0);

/**
 * Counts and quality of one arm. Precision, recall and F1 are over decided trials with a known truth, so
 * they are never to be read without `decided` and `failures` beside them.
 * @param lines every planned trial of the arm
 */
export function armStatistics(
  lines: readonly TrialLine[],
  labels: readonly string[],
  positive: string | null,
): Omit<ArmStatistics, 'measures' | 'reliability' | 'groups'> {
  const finished = lines.filter(({ status }) => status === 'done');
  const outcomes = summarizeOutcomes(
    finished.flatMap(({ outcome, truth, prediction }) => (outcome === null ? [] : [{ outcome, truth, prediction }])),
  );
  const matrix = confusion(pairsOf(finished), labels);
  const [first] = lines;
  return {
    arm: first?.arm ?? '',
    protocol: first?.protocol ?? '',
    swap: first?.swap ?? null,
    base_arm: first?.base_arm ?? null,
    models: [...new Set(finished.flatMap(({ models }) => models))],
    standin: finished.some(({ standin }) => standin),
    planned: lines.length,
    n: outcomes.n,
    decided: outcomes.decided,
    incomplete: finished.filter(({ incomplete }) => incomplete).length,
    inconsistent: finished.filter(({ inconsistent }) => inconsistent).length,
    failures: Object.fromEntries(Object.entries(outcomes.failures).filter(([, count]) => count > 0)),
    without_truth: outcomes.withoutTruth,
    accuracy_decided: shareOf(outcomes.accuracyDecided),
    accuracy_all: shareOf(outcomes.accuracyAll),
    positive,
    counts: positive === null || matrix.n === 0 ? null : positiveCounts(matrix, positive),
    precision: positive === null ? null : precision(matrix, positive),
    recall: positive === null ? null : recall(matrix, positive),
    f1: positive === null ? null : f1(matrix, positive),
    macro_f1: matrix.n === 0 ? null : macroF1(matrix).value,
    classes: labels.map((label) => {
      const { truePositives, falseNegatives } = classCounts(matrix, label);
      return {
        label,
        support: truePositives + falseNegatives,
        precision: precision(matrix, label),
        recall: recall(matrix, label),
        f1: f1(matrix, label),
      };
    }),
    confusion: cellsOf(matrix),
    confidence_bins: confidenceBins(
      finished.filter(({ outcome }) => outcome === 'decided'),
      histogramBins,
    ).bins,
    calls: total(finished, 'calls'),
    prompt_tokens: total(finished, 'prompt_tokens'),
    completion_tokens: total(finished, 'completion_tokens'),
    model_ms: total(finished, 'model_ms'),
    wall_ms: total(finished, 'wall_ms'),
  };
}
