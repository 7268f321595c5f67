import { settingGrid, settingText } from '../../../core/figures/ablations.ts';
import { percent } from '../../../core/figures/shares.ts';
import { capitalized } from '../../../core/text/visible.ts';
import { rightWords } from '../../../shared/decidedBy.ts';
import { heatScale, nameAxis, shownName, smallN } from '../kit/axes.ts';
import { countsAsText } from '../kit/counts.ts';
import { cell } from '../kit/marks.ts';
import { count, figure, share, table, text } from '../kit/plot.ts';
import { accuracyOf, endColumns, type Point } from '../kit/points.ts';

interface Field {
  readonly arm: string;
  readonly row: number;
  readonly column: number;
  readonly point: Point;
}

/** Accuracy of each structure of a trial with each number of examples, as a table whose fields are darker where it is higher. */
export const structureByShotsFigure = figure({
  id: 'structure-by-shots',
  title: 'Accuracy by structure and shots',
  paper: 'Courtroom-LLM: tables 3-5',
  requires:
    'two structures with two numbers of shots and finished trials of known truth: arms of single, vote and courtroom with different shots',
  needs: ['protocols'],
  plot({ report, protocols }) {
    const grid = settingGrid(protocols.arms, 'shots');
    if (grid === null) return null;
    const fields = grid.rows.flatMap(({ arms }, row) =>
      arms.flatMap((name, column): Field[] => {
        const arm = report.arms.find((each) => each.arm === name);
        const point = arm === undefined ? null : accuracyOf(arm);
        return name === null || point === null ? [] : [{ arm: name, row, column, point }];
      }),
    );
    if (fields.length === 0) return null;
    const rows = grid.rows.map(({ title }) => title);
    const columns = grid.values.map(settingText);
    const cases = fields.map(({ point }) => point.cases);
    const counts = countsAsText(fields, ({ point }) => point.n, { cases, each: 'in each field' });
    const behind = ({ point }: Field) => point.behind;
    return {
      caption: `${capitalized(rightWords(report).accuracy)} of all finished trials; a failed trial counts as ${rightWords(report).not}. ${counts}. Fields without an arm are empty. Intervals are in the table.${smallN(Math.min(...cases))}`,
      height: 70 + rows.length * 48,
      layout(paint, { width }) {
        const room = Math.min(260, Math.max(110, width * 0.34));
        const names = nameAxis(paint, rows, { room: room * 0.9, upright: true, lines: 3 });
        return {
          grid: { left: room + 12, right: 16, top: 12, bottom: 46 },
          xAxis: { ...nameAxis(paint, columns, { room: 60, name: 'shots', nameGap: 26 }), splitArea: { show: false } },
          yAxis: names,
          visualMap: heatScale(paint, 0, 1),
        };
      },
      marks: cell({
        id: 'accuracy',
        rows: fields,
        column: ({ column }) => column,
        row: ({ row }) => row,
        value: ({ point }) => point.value,
        words: ({ point }) => percent(point.value),
        room: () => 58,
        tip: ({ arm, point }) => `${shownName(arm)}, n = ${point.n}\n${percent(point.value)}`,
        behind,
      }),
      table: table(
        fields,
        [
          text('structure', ({ row }: Field) => rows[row] ?? ''),
          text('shots', ({ column }) => columns[column] ?? ''),
          text('arm', ({ arm }) => arm),
          ...endColumns([rightWords(report).accuracy, 'low', 'high'], share, ({ point }: Field) => point),
          count('trials', ({ point }) => point.n),
        ],
        behind,
      ),
    };
  },
});
