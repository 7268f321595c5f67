import { ablationsOf, settingGrid, settingText, settingTitle } from '../../../core/figures/ablations.ts';
import { percent, points as pointsText } from '../../../core/figures/shares.ts';
import { shownAdjusted } from '../../../core/statistics/measures/shownComparisons.ts';
import { capitalized } from '../../../core/text/visible.ts';
import type { Setting } from '../../../shared/api/protocolFigures.ts';
import { retitled, rightWords } from '../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import type { Comparison } from '../../../shared/statistics.ts';
import { cutNames, dodge, heatScale, nameAxis, shareAxis, shownName, smallN } from '../kit/axes.ts';
import { countsAsText } from '../kit/counts.ts';
import type { Figure } from '../kit/figure.ts';
import { inPanels, placesAxis, smallPanels } from '../kit/layout.ts';
import { cell } from '../kit/marks.ts';
import { comparisonOf } from '../kit/pairs.ts';
import { count, figure, number, share, table, text } from '../kit/plot.ts';
import { accuracyOf, endColumns, endsText, type Point, pointOf, trend } from '../kit/points.ts';

interface Measured {
  readonly arm: string;
  readonly setting: string;
  readonly value: Setting;
  /** On the axis: the number itself, or the place of a name. */
  readonly at: number;
  /** Of arms that are alike in everything but the setting. */
  readonly line: string;
  readonly point: Point;
  /** Of the arm less the one with the default, over the cases that both have; null if no arm has it, or for the default itself. */
  readonly less: Comparison | null;
}

type Ablation = ReturnType<typeof ablationsOf>[number];
type PointIn = (report: StatsReport, arm: string) => Point | null;

function linesOf({ setting, values, numeric, lines }: Ablation, report: StatsReport, pointIn: PointIn): Measured[][] {
  return lines.flatMap(({ title, protocol, arms, usual }) => {
    const found = arms.flatMap(({ arm, value }): Measured[] => {
      const point = pointIn(report, arm);
      if (point === null) return [];
      const besideUsual = usual !== null && usual !== arm;
      const compared = besideUsual ? comparisonOf(report, arm, usual) : null;
      const less = compared === null || compared.baseline ? null : compared;
      const at = numeric ? Number(value) : values.indexOf(value);
      return [{ arm, setting, value, at, line: title === '' ? protocol : title, point, less }];
    });
    return found.length < 2 ? [] : [found];
  });
}

/** What was farthest from the default, with its interval; empty where nothing is compared with one. */
function farthest(rows: readonly Measured[], of: Pick<StatsReport, 'decided_by'>): string {
  const distance = ({ less }: Measured) => Math.abs(less?.difference.value ?? -1);
  const compared = rows.filter(({ less }) => (less?.difference.value ?? null) !== null);
  const [most] = compared.toSorted((one, other) => distance(other) - distance(one));
  if (most === undefined || most.less === null) return '';
  const { value, low, high } = most.less.difference;
  const [point, interval] = endsText({ value: value ?? 0, low, high }, pointsText).split(', ');
  return ` ${capitalized(rightWords(of).accuracy)} against the default, in points: farthest is ${settingTitle(most.setting)} ${settingText(most.value)} with ${point}${interval === undefined ? '' : ` (${interval})`}; the table has all.`;
}

const ablationFigure = (
  about: Pick<Figure, 'id' | 'title' | 'paper'>,
  { name, what, pointIn, isAccuracy }: { name: string; what: string; pointIn: PointIn; isAccuracy: boolean },
) =>
  figure({
    ...about,
    requires:
      'two arms that differ in exactly one setting, such as the number of judges, rounds or shots, with finished trials of known truth',
    needs: ['protocols'],
    plot({ report, protocols }) {
      const ablations = ablationsOf(protocols.arms);
      if (ablations.length === 0) return null;
      const drawn = ablations.flatMap((ablation) => {
        const lines = linesOf(ablation, report, pointIn);
        const all = ablation.values.map((value, place) => (ablation.numeric ? Number(value) : place));
        return lines.length === 0 ? [] : [{ ...ablation, lines, all, span: Math.max(...all) - Math.min(...all) }];
      });
      if (drawn.length === 0) return null;
      const rows = drawn.flatMap(({ lines }) => lines.flat());
      const names = [...new Set(rows.map(({ line }) => line))];
      const panels = smallPanels(drawn.map(({ setting }) => settingTitle(setting)));
      const cases = rows.map(({ point }) => point.cases);
      const counts = countsAsText(rows, ({ point }) => point.n, { cases });
      return {
        caption: `${retitled(what, report)} Arms on one line are alike in everything but the setting. ${counts}, with ${percent(report.resampling.level)} intervals over cases.${isAccuracy ? farthest(rows, report) : ''}${smallN(Math.min(...cases))}`,
        legend: names.map(shownName),
        ...inPanels(panels, drawn, ({ values, all, span }, paint) => {
          const names = cutNames(values.map(settingText), 14);
          const places = names.map((name, index) => ({ at: all[index] ?? 0, name }));
          return { x: placesAxis(paint, places, { margin: 0.12 * span }), y: { ...shareAxis(paint), interval: 0.5 } };
        }),
        marks: drawn.flatMap(({ lines, numeric, span }, panel) =>
          lines.flatMap((mine, index) => {
            const offset = dodge(index, lines.length, span * Math.min(0.03, 0.2 / lines.length));
            return trend({
              id: `${panel}/${index}`,
              name: shownName(mine[0]?.line ?? ''),
              panel,
              rows: mine,
              of: ({ point }) => point,
              at: ({ at }) => at + offset,
              colour: names.indexOf(mine[0]?.line ?? ''),
              // Between names there is nothing: a line there only leads the eye.
              dash: numeric ? 'solid' : 'dotted',
              tip: ({ arm, point }) => `${shownName(arm)}, n = ${point.n}\n${percent(point.value)}`,
              behind: ({ point }) => point.behind,
            });
          }),
        ),
        table: table(
          rows,
          [
            text('setting', ({ setting }: Measured) => settingTitle(setting)),
            text('value', ({ value }) => settingText(value)),
            text('line', ({ line }) => line),
            text('arm', ({ arm }) => arm),
            ...endColumns([retitled(name, report), 'low', 'high'], share, ({ point }: Measured) => point),
            count('trials', ({ point }) => point.n),
            ...endColumns(
              [retitled('accuracy less default', report), 'difference, low', 'difference, high'],
              share,
              ({ less }: Measured) => less?.difference,
            ),
            number('adjusted p (McNemar)', ({ less }) => (less === null || less === undefined ? null : shownAdjusted(less))),
          ],
          ({ point }) => point.behind,
        ),
      };
    },
  });

const inArm =
  (name: string, over: 'all' | 'decided'): PointIn =>
  ({ arms }, arm) => {
    const found = arms.find((each) => each.arm === arm);
    return found === undefined ? null : pointOf(found, name, over);
  };

export const ablationAccuracyFigure = ablationFigure(
  {
    id: 'ablation',
    title: 'Accuracy by setting, all else equal',
    paper:
      'Courtroom-LLM: tables 3-5, figure 4; EVINCE: study 3, figure 7.4; Debate-Feedback: figures 2, 3 and the ablation of smoothing',
  },
  { name: 'accuracy', what: 'A failed trial counts as not correct.', pointIn: inArm('accuracy', 'all'), isAccuracy: true },
);

export const ablationMacroF1Figure = ablationFigure(
  { id: 'ablation-macro-f1', title: 'Macro-F1 by setting, all else equal', paper: 'Debate-Feedback: figures 2, 3' },
  { name: 'macro-F1', what: 'Of decided trials.', pointIn: inArm('macro_f1', 'decided'), isAccuracy: false },
);

interface Field {
  readonly arm: string;
  readonly row: number;
  readonly column: number;
  readonly point: Point;
}

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
