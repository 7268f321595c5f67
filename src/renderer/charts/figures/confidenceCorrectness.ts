import { retitled } from '../../../shared/decidedBy.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import { estimates } from '../kit/dotRows.ts';
import { figure } from '../kit/plot.ts';
import { plainArms, pointOf } from '../kit/points.ts';

const channels = [
  { id: 'pearson', name: 'Pearson', of: (arm: ArmStatistics) => pointOf(arm, 'confidence_correctness_pearson', 'stated') },
  { id: 'spearman', name: 'Spearman', of: (arm: ArmStatistics) => pointOf(arm, 'confidence_correctness_spearman', 'stated') },
];

/** Whether who was surer was more often right: correlations of each arm with their intervals. */
export const confidenceCorrectnessFigure = figure({
  id: 'confidence-correctness',
  title: 'Correlation of stated confidence with being right',
  paper: 'AgenticSimLLM: correlation of confidence with correctness',
  requires: 'decided trials of known truth with stated confidences that differ, some of them right and some wrong',
  plot({ report }) {
    const arms = plainArms(report).filter((arm) => channels.some(({ of }) => of(arm) !== null));
    const title = retitled('correlation of stated confidence with being right', report);
    return estimates({
      rows: arms,
      name: ({ arm }) => arm,
      panels: [{ id: 'correlations', title, scale: 'signed', channels }],
      noun: 'decided trial',
      level: report.interval.level,
      says: ` Dotted: no correlation. An arm that always states the same confidence, or ${report.decided_by === undefined ? 'is always right or always wrong' : 'always or never agrees'}, has none.`,
    });
  },
});
