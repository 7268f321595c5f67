import { settingGrid, settingWords } from '../../../core/figures/ablations.ts';
import { percent } from '../../../core/figures/shares.ts';
import { nameAxis, shownName, smallN, tooltip } from '../kit/axes.ts';
import { countsWords } from '../kit/counts.ts';
import type { Figure } from '../kit/figure.ts';
import { countedTrials } from '../kit/points.ts';
import { heatFields, heatScale } from '../panels/heatFields.ts';

interface Field {
  readonly arm: string;
  readonly accuracy: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
  readonly cases: number;
  readonly row: number;
  readonly column: number;
}

interface Data {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly fields: readonly Field[];
}

/** Accuracy of each structure of a trial with each number of examples, as a table whose fields are darker where it is higher. */
export const structureByShotsFigure: Figure<Data> = {
  id: 'structure-by-shots',
  title: 'Accuracy by structure and shots',
  paper: 'Courtroom-LLM: tables 3-5',
  group: 'ablations',
  needs: ['protocols'],
  data({ report, protocols }) {
    if (protocols === null) return { absent: 'The settings of the arms have not been read yet.' };
    const grid = settingGrid(protocols.arms, 'shots');
    if (grid === null) {
      return {
        absent:
          'There are not two structures with two numbers of shots. Arms of single, vote and courtroom with different shots have such a table.',
      };
    }
    const fields = grid.rows.flatMap(({ arms }, row) =>
      arms.flatMap((name, column): Field[] => {
        const measure = report.arms
          .find(({ arm }) => arm === name)
          ?.measures.find((each) => each.name === 'accuracy' && each.over === 'all');
        if (name === null || measure === undefined || measure.value === null) return [];
        const { value, low, high, n, cases } = measure;
        return [{ arm: name, accuracy: value, low, high, n, cases, row, column }];
      }),
    );
    if (fields.length === 0) return { absent: 'No finished trial of these arms has a case whose truth is known.' };
    return { rows: grid.rows.map(({ title }) => title), columns: grid.values.map(settingWords), fields };
  },
  caption({ fields }) {
    const counts = countsWords(
      fields.map(({ n }) => n),
      { cases: fields.map(({ cases }) => cases), each: 'in each field' },
    );
    return `Accuracy of all finished trials; a failed trial counts as not correct. ${counts}. A field that no arm has is empty. Intervals are in the table.${smallN(Math.min(...fields.map(({ cases }) => cases)))}`;
  },
  height: ({ rows }) => 70 + rows.length * 48,
  option({ rows, columns, fields }, paint, { width }) {
    const room = Math.min(260, Math.max(110, width * 0.34));
    const names = nameAxis(paint, rows, { room: room * 0.9, upright: true });
    return {
      animation: false,
      grid: { left: room + 12, right: 16, top: 12, bottom: 46 },
      tooltip: { ...tooltip(paint), trigger: 'item' },
      xAxis: { ...nameAxis(paint, columns, { room: 60, name: 'shots', nameGap: 26 }), splitArea: { show: false } },
      // What tells structures apart stands at the end of their names.
      yAxis: { ...names, axisLabel: { ...names.axisLabel, overflow: 'break', lineHeight: 14 } },
      visualMap: heatScale(paint, 0, 1),
      series: [
        ...heatFields(paint, {
          id: 'accuracy',
          fields: fields.map(({ row, column, accuracy, arm, n }) => ({
            row,
            column,
            value: accuracy,
            words: percent(accuracy),
            title: `${shownName(arm)}, n = ${n}`,
          })),
          room: 58,
        }),
      ],
    };
  },
  table: ({ rows, columns, fields }) => ({
    columns: [
      { name: 'structure', as: 'text' },
      { name: 'shots', as: 'text' },
      { name: 'arm', as: 'text' },
      { name: 'accuracy', as: 'share' },
      { name: 'low', as: 'share' },
      { name: 'high', as: 'share' },
      { name: 'trials', as: 'count' },
    ],
    rows: fields.map(({ row, column, arm, accuracy, low, high, n }) => [
      rows[row] ?? '',
      columns[column] ?? '',
      arm,
      accuracy,
      low,
      high,
      n,
    ]),
  }),
  behind({ fields }, { seriesId, dataIndex }) {
    const field = seriesId === 'accuracy' ? fields[dataIndex] : undefined;
    return field === undefined ? null : countedTrials('all', field.arm, field);
  },
  behindRow: ({ fields }, row) => (fields[row] === undefined ? null : countedTrials('all', fields[row].arm, fields[row])),
};
