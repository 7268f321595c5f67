import type { ArmStatistics } from '../../../shared/outputs.ts';
import { dotRows } from '../kit/dotRows.ts';
import { figure, number, table, text } from '../kit/plot.ts';
import { countText, fewWords, plainArms, pointColumns, pointOf } from '../kit/points.ts';

const channels = [
  { id: 'pearson', name: 'Pearson', of: (arm: ArmStatistics) => pointOf(arm, 'confidence_correctness_pearson', 'stated') },
  { id: 'spearman', name: 'Spearman', of: (arm: ArmStatistics) => pointOf(arm, 'confidence_correctness_spearman', 'stated') },
];

/** Whether who was surer was more often right: correlations of each arm with their intervals. */
export const confidenceCorrectnessFigure = figure({
  id: 'confidence-correctness',
  title: 'Correlation of stated confidence with being right',
  paper: 'AgenticSimLLM: correlation of confidence with correctness',
  group: 'calibration',
  requires: 'decided trials of known truth with stated confidences that differ, some of them right and some wrong',
  plot({ report }) {
    const pointsOf = (arm: ArmStatistics) => channels.map(({ of }) => of(arm));
    const arms = plainArms(report).filter((arm) => pointsOf(arm).some((point) => point !== null));
    if (arms.length === 0) return null;
    const points = arms.flatMap(pointsOf);
    const title = 'correlation of stated confidence with being right';
    return {
      caption: `${countText(points, report.interval.level, { noun: 'decided trial' })} Dotted: no correlation. An arm that always states the same confidence, or is always right or always wrong, has none.${fewWords(points)}`,
      ...dotRows({ rows: arms, name: ({ arm }) => arm, panels: [{ id: 'correlations', title, scale: 'signed', channels }] }),
      table: table(
        arms,
        [text('arm', ({ arm }: ArmStatistics) => arm), ...channels.flatMap(({ name, of }) => pointColumns(name, number, of))],
        (arm) => pointsOf(arm).find((point) => point !== null)?.behind ?? null,
      ),
    };
  },
});
