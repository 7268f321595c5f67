import type { ClassCounts } from './confusion.ts';
import { f1OfCounts } from './f1.ts';
import { type MacroAverage, macroAverage } from './macroAverage.ts';

/**
 * F1 averaged over the labels of cases that have several: the mean of each label's 2 TP / (2 TP + FP + FN), 0-1;
 * a label that is never true and never predicted goes in as 0 and is told, see `macroAverage`. One label's F1 is
 * `f1OfCounts` of its counts.
 *
 * Source: scikit-learn's `f1_score` with `average='macro'` and `zero_division=0` over indicator rows.
 * `counts`: of `labelSetCounts`. Example: counts with F1 of 2/3, 0 and undefined give 2/9 with one undefined.
 */
export function macroLabelSetF1(counts: readonly ClassCounts[]): MacroAverage {
  return macroAverage(counts.map(f1OfCounts));
}

/**
 * F1 over all labels together: 2 sum TP / (2 sum TP + sum FP + sum FN), 0-1, so that frequent labels weigh more;
 * null where nothing is true and nothing predicted.
 *
 * Source: scikit-learn's `f1_score` with `average='micro'`. `counts`: of `labelSetCounts`.
 * Example: TP 1, FP 2, FN 1 in all give 2 / 5.
 */
export function microLabelSetF1(counts: readonly ClassCounts[]): number | null {
  const total = (name: keyof ClassCounts) => counts.reduce((sum, each) => sum + each[name], 0);
  return f1OfCounts({
    truePositives: total('truePositives'),
    falsePositives: total('falsePositives'),
    falseNegatives: total('falseNegatives'),
  });
}
