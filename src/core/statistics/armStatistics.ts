// Counts, accuracy and quality of one arm.
import { failureOutcomes } from '../../shared/domain.ts';
import type { ArmStatistics } from '../../shared/outputs.ts';
import { isCorrect } from './accuracy.ts';
import { f1, macroF1, precision, recall } from './classScores.ts';
import { confidenceBins } from './confidenceBins.ts';
import { type Confusion, classCounts, confusion } from './confusion.ts';
import type { ReportedTrial } from './measures/heldTrials.ts';
import { type RatedTrial, verdictOf } from './measures/raterAgreement.ts';
import { mostNamed } from './unsettledTrials.ts';
import { wilson } from './wilson.ts';

/** A share of trials with its Wilson interval; none where trials share a case, since they are then not independent. */
function shareOf(count: number, trials: readonly ReportedTrial[]) {
  const n = trials.length;
  const interval = new Set(trials.map(({ case: id }) => id)).size < n ? null : wilson(count, n);
  return { value: n === 0 ? null : count / n, count, n, low: interval?.low ?? null, high: interval?.high ?? null };
}

function pairsOf(lines: readonly ReportedTrial[]) {
  return lines.flatMap(({ outcome, truth, prediction }) =>
    outcome === 'decided' && typeof truth === 'string' && typeof prediction === 'string' ? [{ truth, prediction }] : [],
  );
}

const histogramBins = 10;

const cellsOf = ({ labels, counts }: Confusion) =>
  labels.flatMap((truth, row) =>
    labels.flatMap((prediction, column) => {
      const n = counts[row]?.[column] ?? 0;
      return n === 0 ? [] : [{ truth, prediction, n }];
    }),
  );

/** How often the trials of one case ended differently; null where no case has two finished ones. */
export function repeatedCases(finished: readonly RatedTrial[]): NonNullable<ArmStatistics['repeated']> | null {
  if (new Set(finished.map(({ case: id }) => id)).size === finished.length) return null;
  const all = Map.groupBy(finished, ({ case: id }) => id).values();
  const repeated = [...all].filter(({ length }) => length > 1);
  if (repeated.length === 0) return null;
  const sizes = repeated.map(({ length }) => length);
  const differing = repeated.filter((trials) => new Set(trials.map(verdictOf)).size > 1);
  return {
    cases: repeated.length,
    least: sizes.reduce((least, size) => Math.min(least, size)),
    most: sizes.reduce((most, size) => Math.max(most, size)),
    differed: differing.length,
    first: differing.slice(0, mostNamed).flatMap(([trial]) => trial?.case ?? []),
  };
}

const total = (
  lines: readonly ReportedTrial[],
  field: 'calls' | 'prompt_tokens' | 'completion_tokens' | 'model_ms' | 'wall_ms',
) => lines.reduce((sum, line) => sum + line[field], 0);

/**
 * Counts and quality of one arm. Neither accuracy goes without the other: over decided trials alone, an arm that fails on hard
 * cases looks better than it is. Failures count as themselves; a decided trial without a prediction counts as not correct.
 * Precision, recall and F1 are over decided trials with a known truth, so always read them together with `decided` and
 * `failures`.
 * @param lines every planned trial of the arm
 */
export function armStatistics(
  lines: readonly ReportedTrial[],
  labels: readonly string[],
  positive: string | null,
): Omit<ArmStatistics, 'measures' | 'reliability' | 'label_reliability' | 'groups' | 'fairness' | 'declining' | 'conformal'> {
  const finished = lines.filter(({ status }) => status === 'done');
  const decided = finished.filter(({ outcome }) => outcome === 'decided');
  const known = finished.filter(({ truth }) => truth !== null);
  const right = decided.filter(({ truth, prediction }) => truth !== null && prediction !== null && isCorrect(truth, prediction));
  const failures = failureOutcomes.map((kind) => [kind, finished.filter(({ outcome }) => outcome === kind).length] as const);
  const matrix = confusion(pairsOf(finished), labels);
  const classes = labels.map((label) => ({ label, counts: classCounts(matrix, label) }));
  const main = positive === null ? null : classCounts(matrix, positive);
  const [first] = lines;
  const repeated = labels.length === 0 ? null : repeatedCases(finished);
  return {
    arm: first?.arm ?? '',
    protocol: first?.protocol ?? '',
    swap: first?.swap ?? null,
    base_arm: first?.base_arm ?? null,
    ...(first?.change === undefined ? {} : { change: first.change.text }),
    models: [...new Set(finished.flatMap(({ models }) => models))],
    standin: finished.some(({ standin }) => standin),
    planned: lines.length,
    n: finished.length,
    decided: decided.length,
    incomplete: finished.filter(({ incomplete }) => incomplete).length,
    inconsistent: finished.filter(({ inconsistent }) => inconsistent).length,
    failures: Object.fromEntries(failures.filter(([, count]) => count > 0)),
    without_truth: finished.length - known.length,
    accuracy_decided: shareOf(
      right.length,
      decided.filter(({ truth }) => truth !== null),
    ),
    accuracy_all: shareOf(right.length, known),
    positive,
    counts:
      main === null || matrix.n === 0
        ? null
        : { tp: main.truePositives, tn: main.trueNegatives, fp: main.falsePositives, fn: main.falseNegatives },
    precision: main && precision(main),
    recall: main && recall(main),
    f1: main && f1(main),
    macro_f1: matrix.n === 0 ? null : macroF1(classes.map(({ counts }) => counts)),
    classes: classes.map(({ label, counts }) => ({
      label,
      support: counts.truePositives + counts.falseNegatives,
      precision: precision(counts),
      recall: recall(counts),
      f1: f1(counts),
    })),
    confusion: cellsOf(matrix),
    confidence_bins: confidenceBins(decided, histogramBins),
    calls: total(finished, 'calls'),
    prompt_tokens: total(finished, 'prompt_tokens'),
    completion_tokens: total(finished, 'completion_tokens'),
    model_ms: total(finished, 'model_ms'),
    wall_ms: total(finished, 'wall_ms'),
    ...(repeated === null ? {} : { repeated }),
  };
}
