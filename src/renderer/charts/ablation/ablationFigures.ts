import { ablationsOf, settingTitle, settingWords } from '../../../core/figures/ablations.ts';
import { percent, points } from '../../../core/figures/shares.ts';
import type { Setting } from '../../../shared/api/protocolFigures.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { quantity } from '../../ui/quantity.ts';
import { cutName, dodge, legend, shareAxis, shownName, smallN, tooltip, whiskers } from '../kit/axes.ts';
import { countsWords } from '../kit/counts.ts';
import type { Figure, FigureSize, Paint } from '../kit/figure.ts';
import { countedTrials } from '../kit/points.ts';
import { panelGrid, panelsHeight, placesAxis } from '../panels/panelGrid.ts';
import { told } from '../panels/told.ts';

/** Of an arm less the arm with the default, over the cases that both have. */
interface Difference {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly adjusted: number | null;
}

interface Point {
  readonly arm: string;
  readonly value: Setting;
  /** On the axis: the number itself, or the place of a name. */
  readonly at: number;
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
  readonly cases: number;
  /** Null for the default itself, and where nobody has it or the pair is not in the report. */
  readonly difference: Difference | null;
  /** Whether another arm has the default, and the pair is one of those that the report left out. */
  readonly leftOut: boolean;
}

interface Line {
  readonly id: string;
  readonly name: string;
  readonly points: readonly Point[];
}

interface Panel {
  readonly setting: string;
  readonly places: readonly { readonly at: number; readonly name: string }[];
  readonly numeric: boolean;
  readonly lines: readonly Line[];
  /** Arm -> value of those with the default, for the caption. */
  readonly usual: Setting | null;
}

export interface AblationData {
  readonly panels: readonly Panel[];
  readonly level: number;
}

interface MeasureTerms {
  readonly name: string;
  readonly over: 'all' | 'decided';
}

/** A comparison from the side of an arm, whichever way the report has it. */
function differenceOf({ comparisons }: StatsReport, arm: string, usual: string): Difference | null {
  const found = comparisons.find(({ a, b }) => (a === arm && b === usual) || (a === usual && b === arm));
  if (found === undefined || found.baseline) return null;
  const { value, low, high } = found.difference;
  const adjusted = found.mcnemar.p_adjusted;
  const negative = (number: number | null) => (number === null ? null : 0 - number);
  return found.a === arm
    ? { value, low, high, adjusted }
    : { value: negative(value), low: negative(high), high: negative(low), adjusted };
}

function panelsOf(report: StatsReport, ablations: ReturnType<typeof ablationsOf>, { name, over }: MeasureTerms): Panel[] {
  const measureOf = (arm: string) =>
    report.arms
      .find((each) => each.arm === arm)
      ?.measures.find((measure) => measure.name === name && measure.over === over && measure.label === null);
  return ablations.flatMap(({ setting, values, numeric, lines }): Panel[] => {
    const placeOf = (value: Setting) => (numeric ? Number(value) : values.indexOf(value));
    const drawn = lines.flatMap(({ title, protocol, arms, usual }, index): Line[] => {
      const found = arms.flatMap(({ arm, value }): Point[] => {
        const measure = measureOf(arm);
        if (measure === undefined || measure.value === null) return [];
        const besideUsual = usual !== null && usual !== arm;
        const difference = besideUsual ? differenceOf(report, arm, usual) : null;
        return [
          {
            arm,
            value,
            at: placeOf(value),
            mean: measure.value,
            low: measure.low,
            high: measure.high,
            n: measure.n,
            cases: measure.cases,
            difference,
            leftOut: besideUsual && difference === null && report.comparisons_left_out > 0,
          },
        ];
      });
      return found.length < 2
        ? []
        : [{ id: JSON.stringify([setting, index]), name: title === '' ? protocol : title, points: found }];
    });
    if (drawn.length === 0) return [];
    const places = values.map((value) => ({ at: placeOf(value), name: cutName(settingWords(value), 14) }));
    const ofUsual = lines.flatMap(({ usual, arms }) => arms.flatMap(({ arm, value }) => (arm === usual ? [value] : [])));
    return [{ setting, places, numeric, lines: drawn, usual: ofUsual[0] ?? null }];
  });
}

const pointsOf = ({ panels }: AblationData) =>
  panels.flatMap((panel) => panel.lines.flatMap((line) => line.points.map((point) => ({ panel, line, point }))));

function optionOf({ panels }: AblationData, paint: Paint, size: FigureSize) {
  const { title, grid } = panelGrid(
    panels.map(({ setting }) => settingTitle(setting)),
    paint,
    size,
  );
  const names = [...new Set(panels.flatMap(({ lines }) => lines.map(({ name }) => name)))];
  const seriesOf = ({ lines, places, numeric }: Panel, place: number) => {
    const axes = { xAxisIndex: place, yAxisIndex: place };
    const span = Math.max(...places.map(({ at }) => at)) - Math.min(...places.map(({ at }) => at));
    return lines.flatMap(({ id, name, points: own }, index) => {
      const { colour, symbol } = paint.series(names.indexOf(name));
      const beside = dodge(index, lines.length, span * Math.min(0.03, 0.2 / lines.length));
      return [
        {
          ...whiskers({
            id: `${id}/interval`,
            colour,
            ends: 3,
            points: own.map(({ at, low, high }) => ({ at: at + beside, low, high })),
          }),
          ...axes,
        },
        {
          type: 'line' as const,
          ...axes,
          id,
          name: shownName(name),
          symbol,
          symbolSize: 8,
          itemStyle: { color: colour },
          // Between names there is nothing: a line there only leads the eye.
          lineStyle: { color: colour, width: 2, type: numeric ? ('solid' as const) : ('dotted' as const) },
          ...told(1, 2, percent),
          data: own.map(({ at, mean, arm, n }) => [at + beside, mean, `${shownName(arm)}, n = ${n}`]),
        },
      ];
    });
  };
  return {
    animation: false,
    title,
    grid,
    legend: { ...legend(paint), data: names.map(shownName) },
    tooltip: { ...tooltip(paint), trigger: 'item' },
    xAxis: panels.map(({ places }, place) => ({
      ...placesAxis(paint, places, {
        margin: 0.12 * (Math.max(...places.map(({ at }) => at)) - Math.min(...places.map(({ at }) => at))),
      }),
      gridIndex: place,
    })),
    yAxis: panels.map((_panel, place) => ({ ...shareAxis(paint), gridIndex: place, interval: 0.5 })),
    series: panels.flatMap(seriesOf),
  };
}

const oneSetting =
  'No two arms differ in exactly one setting. An experiment with two arms that differ in one parameter, such as the number of judges, rounds or shots, has an ablation.';

const differenceWords = ({ value, low, high }: Difference): string =>
  value === null ? '' : `${points(value)}${low === null || high === null ? '' : ` (${points(low)} to ${points(high)})`}`;

/** What was farthest from the default, with its interval; empty where nothing is compared with one. */
function farthest(data: AblationData): string {
  const compared = pointsOf(data).flatMap(({ panel, point }) =>
    point.difference === null || point.difference.value === null ? [] : [{ panel, point, difference: point.difference }],
  );
  const [most] = compared.toSorted((one, other) => Math.abs(other.difference.value ?? 0) - Math.abs(one.difference.value ?? 0));
  if (most === undefined) return '';
  const { panel, point, difference } = most;
  return ` Accuracy against the default, in points: farthest is ${settingTitle(panel.setting)} ${settingWords(point.value)} with ${differenceWords(difference)}; the table has all.`;
}

/** That some arms are not compared with their default. */
function leftOutWords(all: readonly Point[]): string {
  const arms = new Set(all.flatMap(({ arm, leftOut }) => (leftOut ? [arm] : []))).size;
  return arms === 0
    ? ''
    : ` Not compared with the default: ${quantity(arms, 'arm')}, since there are more pairs than a report compares; choose fewer arms to see it.`;
}

const ablationFigure = (
  about: Pick<Figure, 'id' | 'title' | 'paper'>,
  what: string,
  measure: MeasureTerms,
): Figure<AblationData> => ({
  ...about,
  group: 'ablations',
  needs: ['protocols'],
  data({ report, protocols }) {
    if (protocols === null) return { absent: 'The settings of the arms have not been read yet.' };
    const ablations = ablationsOf(protocols.arms);
    if (ablations.length === 0) return { absent: oneSetting };
    const panels = panelsOf(report, ablations, measure);
    if (panels.length === 0) {
      return { absent: 'No two arms that differ in one setting have finished trials of cases whose truth is known.' };
    }
    return { panels, level: report.resampling.level };
  },
  caption(data) {
    const all = pointsOf(data).map(({ point }) => point);
    const counts = countsWords(
      all.map(({ n }) => n),
      { cases: all.map(({ cases }) => cases) },
    );
    return `${what} Arms on one line are alike in everything but the setting. ${counts}, with ${percent(data.level)} intervals over cases.${measure.name === 'accuracy' ? farthest(data) : ''}${leftOutWords(all)}${smallN(Math.min(...all.map(({ cases }) => cases)))}`;
  },
  height: ({ panels }) => panelsHeight(panels.length),
  option: optionOf,
  table: (data) => ({
    columns: [
      { name: 'setting', as: 'text' },
      { name: 'value', as: 'text' },
      { name: 'line', as: 'text' },
      { name: 'arm', as: 'text' },
      { name: measure.name === 'accuracy' ? 'accuracy' : 'macro-F1', as: 'share' },
      { name: 'low', as: 'share' },
      { name: 'high', as: 'share' },
      { name: 'trials', as: 'count' },
      { name: 'accuracy less default', as: 'share' },
      { name: 'difference, low', as: 'share' },
      { name: 'difference, high', as: 'share' },
      { name: 'p adjusted (McNemar)', as: 'number' },
    ],
    rows: pointsOf(data).map(({ panel, line, point }) => [
      settingTitle(panel.setting),
      settingWords(point.value),
      line.name,
      point.arm,
      point.mean,
      point.low,
      point.high,
      point.n,
      point.difference?.value ?? null,
      point.difference?.low ?? null,
      point.difference?.high ?? null,
      point.difference?.adjusted ?? null,
    ]),
  }),
  behind(data, { seriesId, dataIndex }) {
    const line = data.panels.flatMap(({ lines }) => lines).find(({ id }) => seriesId === id || seriesId === `${id}/interval`);
    const point = line?.points[dataIndex];
    return point === undefined ? null : trialsOf(point, measure);
  },
  behindRow(data, row) {
    const found = pointsOf(data)[row];
    return found === undefined ? null : trialsOf(found.point, measure);
  },
});

const trialsOf = (point: Point, { over }: MeasureTerms) => countedTrials(over, point.arm, point);

export const ablationAccuracyFigure = ablationFigure(
  {
    id: 'ablation',
    title: 'Accuracy by setting, all else equal',
    paper:
      'Courtroom-LLM: tables 3-5, figure 4; EVINCE: study 3, figure 7.4; Debate-Feedback: figures 2, 3 and the ablation of smoothing',
  },
  'A failed trial counts as not correct.',
  { name: 'accuracy', over: 'all' },
);

export const ablationMacroF1Figure = ablationFigure(
  { id: 'ablation-macro-f1', title: 'Macro-F1 by setting, all else equal', paper: 'Debate-Feedback: figures 2, 3' },
  'Of decided trials.',
  { name: 'macro_f1', over: 'decided' },
);
