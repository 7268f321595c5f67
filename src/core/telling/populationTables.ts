// Measures of another population than the cases as they are: weighted, and at another prevalence.
import type { ArmStatistics, StatsReport } from '../../shared/outputs.ts';
import { count } from '../../shared/sizes.ts';
import { percent } from '../figures/shares.ts';
import { cautionLines, estimateOf, type Piece, table } from './cells.ts';

/** Weighted measures in the order of their columns, with what each is over. */
export const weightedColumns = [
  ['weighted_accuracy', 'all', 'accuracy of all'],
  ['weighted_accuracy', 'decided', 'accuracy of decided'],
  ['weighted_selection_rate', 'decided', 'selection rate'],
  ['weighted_true_positive_rate', 'truly-positive', 'true-positive rate'],
  ['weighted_false_positive_rate', 'truly-negative', 'false-positive rate'],
  ['weighted_positive_predictive_value', 'selected', 'predictive value'],
] as const;

export const prevalenceColumns = [
  ['positive_predictive_value', 'positive predictive value'],
  ['negative_predictive_value', 'negative predictive value'],
  ['accuracy', 'accuracy'],
] as const;

export const isWeighted = ({ measures }: Pick<ArmStatistics, 'measures'>): boolean =>
  measures.some(({ name, value }) => name === 'weighted_accuracy' && value !== null);

/** The share of decided trials that are truly positive, for each arm that answered positive: a predictive value holds there alone. */
export const precisionTexts = ({ arms, positive }: Pick<StatsReport, 'arms' | 'positive'>): string[] =>
  arms.flatMap(({ arm, counts }) => {
    if (counts === null || counts.tp + counts.fp === 0) return [];
    const { tp, fp, fn, tn } = counts;
    const all = tp + fp + fn + tn;
    return [
      `${arm}: of ${count(tp + fp)} answers ${positive}, ${count(tp)} ${tp === 1 ? 'was' : 'were'} truly so (precision ${percent(tp / (tp + fp))}). This holds where, as here, ${percent((tp + fn) / all)} of cases are truly ${positive}; where they are rarer, fewer are.`,
    ];
  });

/** Nothing where nothing is weighted and no prevalence was stated. */
export function populationPieces({ arms, baselines, prevalence }: StatsReport): Piece[] {
  const all = [...arms, ...baselines];
  const weighted = all
    .filter(isWeighted)
    .map(({ arm, measures }) => [
      arm,
      ...weightedColumns.map(([name, over]) => estimateOf(measures.find((each) => each.name === name && each.over === over))),
    ]);
  const there = all.flatMap(({ arm, at_prevalence: at }) =>
    at === undefined ? [] : [[arm, ...prevalenceColumns.map(([name]) => estimateOf(at.find((each) => each.name === name)))]],
  );
  return [
    ...(weighted.length === 0
      ? []
      : [
          '',
          'Weighted by the sampling weights of the cases: of the population that they were sampled from, with the plain numbers above:',
          table(['arm', ...weightedColumns.map(([, , title]) => title)], weighted),
          ...cautionLines(all.flatMap(({ measures }) => measures.filter(({ name }) => name.startsWith('weighted_')))),
        ]),
    ...(there.length === 0
      ? []
      : [
          '',
          `As it would be where ${percent(prevalence ?? 0)} of the cases are truly positive, and positive and negative cases are each as here; over the decided:`,
          table(['arm', ...prevalenceColumns.map(([, title]) => title)], there),
          ...cautionLines(all.flatMap(({ at_prevalence: at = [] }) => at)),
        ]),
  ];
}
