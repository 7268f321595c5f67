// How well predictions and truth agree.
import { balancedAccuracy, cohenKappa, matthewsCorrelation } from '../agreementScores.ts';
import { type Confusion, confusionOfCells } from '../confusion.ts';
import { noDecided } from './accuracyMeasures.ts';
import { type PlannedMeasure, plannedSums } from './planned.ts';
import type { CasedTrials, MeasuredTrial } from './trials.ts';

const statistics = {
  balanced_accuracy: balancedAccuracy,
  matthews_correlation: matthewsCorrelation,
  cohen_kappa: cohenKappa,
} as const satisfies Record<string, (matrix: Confusion) => number | null>;

/** Cell of a decided trial in the confusion matrix, row after row; null for other trials. */
function cellOf({ outcome, truth, prediction }: MeasuredTrial, places: ReadonlyMap<string, number>): number | null {
  if (outcome !== 'decided' || typeof truth !== 'string' || typeof prediction !== 'string') return null;
  const [row, column] = [places.get(truth), places.get(prediction)];
  return row === undefined || column === undefined ? null : row * places.size + column;
}

/** Balanced accuracy, Matthews correlation and Cohen's kappa of truth and prediction, over decided trials of one label. */
export function agreementMeasures(trials: CasedTrials, labels: readonly string[]): PlannedMeasure[] {
  const places = new Map(labels.map((label, place) => [label, place]));
  return Object.entries(statistics).map(([name, measure]) =>
    plannedSums(
      { name, over: 'decided' },
      trials,
      labels.length ** 2,
      (trial, add) => {
        const cell = cellOf(trial, places);
        if (cell !== null) add(cell);
        return cell !== null;
      },
      { measure: (sums) => measure(confusionOfCells(labels, sums)), none: noDecided },
    ),
  );
}
