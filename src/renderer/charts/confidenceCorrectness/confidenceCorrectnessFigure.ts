import { countedTrials } from '../estimates/countedTrials.ts';
import { dotBehind, dotTable, type NamedRow, type PointColumn } from '../estimates/dotFigure.ts';
import { type DotRows, dotRows, dotRowsHeight } from '../estimates/dotRows.ts';
import { countWords, fewWords, plainArms, pointOf } from '../estimates/points.ts';
import type { Figure } from '../kit/figure.ts';

interface Data {
  readonly rows: readonly NamedRow[];
  readonly columns: readonly PointColumn[];
  readonly level: number;
}

const measures = [
  { id: 'pearson', name: 'Pearson', measure: 'confidence_correctness_pearson' },
  { id: 'spearman', name: 'Spearman', measure: 'confidence_correctness_spearman' },
] as const;

const drawn = ({ rows, columns }: Data): DotRows => ({
  names: rows.map(({ name }) => name),
  panels: [
    {
      id: 'correlations',
      title: 'correlation of stated confidence with being right',
      scale: 'signed',
      series: columns.map((each, place) => ({ ...each, place })),
    },
  ],
});

/** Whether who was surer was more often right: correlations of each arm with their intervals. */
export const confidenceCorrectnessFigure: Figure<Data> = {
  id: 'confidence-correctness',
  title: 'Correlation of stated confidence with being right',
  paper: 'AgenticSimLLM: correlation of confidence with correctness',
  group: 'calibration',
  needs: [],
  data({ report }) {
    const arms = plainArms(report).filter((arm) => measures.some(({ measure }) => pointOf(arm, measure, 'stated') !== null));
    if (arms.length === 0) {
      return {
        absent:
          'No arm has decided trials of known truth with stated confidences that differ, some right and some wrong: there is nothing to correlate.',
      };
    }
    return {
      rows: arms.map(({ arm }) => ({ name: arm, trials: { arm, outcome: 'decided' } })),
      columns: measures.map(({ id, name, measure }) => ({
        id,
        name,
        points: arms.map((arm) => pointOf(arm, measure, 'stated')),
      })),
      level: report.interval.level,
    };
  },
  caption({ columns, level }) {
    const points = columns.flatMap((column) => column.points);
    return `${countWords(points, level, { noun: 'decided trial' })} Dotted: no correlation. An arm that always states the same confidence, or is always right or always wrong, has none.${fewWords(points)}`;
  },
  height: (data) => dotRowsHeight(drawn(data)),
  option: (data, paint, size) => dotRows(drawn(data), paint, size),
  table: ({ rows, columns }) =>
    dotTable(
      rows.map(({ name }) => name),
      columns.map((column) => ({ ...column, as: 'number' as const })),
    ),
  behind: (data, mark) =>
    dotBehind(drawn(data), data.rows, mark, (_id, row, point) => countedTrials('stated', data.rows[row]?.name ?? '', point)),
  behindRow({ rows, columns }, row) {
    const point = columns.map(({ points }) => points[row] ?? null).find((each) => each !== null);
    return point === undefined ? null : countedTrials('stated', rows[row]?.name ?? '', point);
  },
};
