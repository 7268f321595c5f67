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
  { id: 'initial', name: 'first answer', measure: 'initial_accuracy' },
  { id: 'verdict', name: 'verdict', measure: 'verdict_accuracy' },
] as const;

const drawn = ({ rows, columns }: Data): DotRows => ({
  names: rows.map(({ name }) => name),
  panels: [
    {
      id: 'accuracies',
      title: 'right, of trials that have both',
      scale: 'share',
      joined: true,
      series: columns.map((each, place) => ({ ...each, place })),
    },
  ],
});

/** How often the first answer and the verdict of the same trials are right, as in Courtroom-LLM's figure 3. */
export const hearingAgainstVerdictFigure: Figure<Data> = {
  id: 'hearing-against-verdict',
  title: 'Accuracy of the first answer and of the verdict',
  paper: 'Courtroom-LLM: figure 3',
  group: 'performance',
  needs: [],
  data({ report }) {
    const arms = plainArms(report).filter((arm) => pointOf(arm, 'initial_accuracy', 'initial-and-verdict') !== null);
    if (arms.length === 0) {
      return {
        absent:
          'No decided trial of known truth has an answer from before the verdict. Protocols with a hearing, a prior belief or rounds record one; the priorBelief of agentic-sim has to be asked for.',
      };
    }
    return {
      rows: arms.map(({ arm }) => ({ name: arm, trials: { arm, outcome: 'decided' } })),
      columns: measures.map(({ id, name, measure }) => ({
        id,
        name,
        points: arms.map((arm) => pointOf(arm, measure, 'initial-and-verdict')),
      })),
      level: report.interval.level,
    };
  },
  caption({ columns, level }) {
    const points = columns.flatMap((column) => column.points);
    return `${countWords(points, level, { noun: 'decided trial' })} Both marks of an arm are over the same trials, so their intervals do not tell whether they differ: the corrections and degradations do.${fewWords(points)}`;
  },
  height: (data) => dotRowsHeight(drawn(data)),
  option: (data, paint, size) => dotRows(drawn(data), paint, size),
  table: ({ rows, columns }) =>
    dotTable(
      rows.map(({ name }) => name),
      columns,
    ),
  behind: (data, mark) =>
    dotBehind(drawn(data), data.rows, mark, (_id, row, point) =>
      countedTrials('initial-and-verdict', data.rows[row]?.name ?? '', point),
    ),
  behindRow({ rows, columns }, row) {
    const point = columns.map(({ points }) => points[row] ?? null).find((each) => each !== null);
    return point === undefined ? null : countedTrials('initial-and-verdict', rows[row]?.name ?? '', point);
  },
};
