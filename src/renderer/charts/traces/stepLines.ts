import { briefly, measureWords } from '../../../core/figures/exchangeMeasures.ts';
import { percent } from '../../../core/figures/shares.ts';
import type { ProtocolFigures, Trace } from '../../../shared/api/protocolFigures.ts';
import { quantity } from '../../ui/quantity.ts';
import { dodge, shareAxis, shownName, smallN, textStyle, valueAxis, whiskers } from '../kit/axes.ts';
import type { FigureSize, FigureTable, Mark, Paint, TrialsBehind } from '../kit/figure.ts';
import { namedTrials } from '../kit/namedTrials.ts';
import { panelGrid, placesAxis } from '../panels/panelGrid.ts';
import { told } from '../panels/told.ts';

/** Means over the steps of trials, with intervals, and the trials as thin lines: what the figures of single protocols share. */

/** One line of a panel: an arm, or one of several that are measured in an arm. */
export interface StepLine {
  readonly id: string;
  readonly name: string;
  readonly arm: string;
  readonly trace: Trace;
  /** Trials behind `trace.values`, in their order. */
  readonly trials: readonly string[];
  /** Place in the palette. */
  readonly colour: number;
}

/** One measure of the figure: a grid of its own under the others. */
export interface StepPanel {
  readonly title: string;
  /** Unit and range beside the axis: `nats, 0 to ln 2`; null where its labels tell them, as percent do. */
  readonly unit: string | null;
  /** Ends of the axis; without the upper one it fits what is drawn. */
  readonly max: number | null;
  readonly share: boolean;
  readonly lines: readonly StepLine[];
}

/** Trials that are drawn one by one in a panel, over all of its lines; more would be a carpet. */
export const mostThin = 120;

/** Pixels beside an axis for the name of its unit. */
const unitRoom = 14;

/** Steps of all lines in their order: `opening`, rounds, `closing`. */
export function stepsOf(panels: readonly StepPanel[]): string[] {
  const all = [...new Set(panels.flatMap(({ lines }) => lines.flatMap(({ trace }) => trace.steps.map(({ step }) => step))))];
  const place = (step: string) => (Number.isNaN(Number(step)) ? Number.POSITIVE_INFINITY : Number(step));
  return all.toSorted((one, other) => place(one) - place(other));
}

export const stepTitle = (step: string): string => (step === '0' ? 'start' : step);

/** The lines of some traces, an arm each, told apart by arm. */
export function armLines(figures: ProtocolFigures, traces: readonly Trace[]): StepLine[] {
  const arms = [...new Set(figures.traces.map(({ arm }) => arm))];
  return traces.map((trace) => ({
    // By its place: a name from outside has no business in what is drawn but as it is shown.
    id: JSON.stringify([trace.kind, trace.measure, trace.of, arms.indexOf(trace.arm)]),
    name: trace.arm,
    arm: trace.arm,
    trace,
    trials: figures.listed[trace.arm] ?? [],
    colour: arms.indexOf(trace.arm),
  }));
}

/** As many trials of each line as there is room for, evenly over the lines. */
export const thinOf = (panel: StepPanel): number =>
  Math.min(
    Math.max(0, ...panel.lines.map(({ trials }) => trials.length)),
    Math.floor(mostThin / Math.max(1, panel.lines.length)),
  );

function seriesOf(panel: StepPanel, place: number, steps: readonly string[], paint: Paint) {
  const thin = thinOf(panel);
  return panel.lines.flatMap((line, index) => {
    const { colour, symbol } = paint.series(line.colour);
    const axes = { xAxisIndex: place, yAxisIndex: place };
    const beside = dodge(index, panel.lines.length, Math.min(0.09, 0.6 / panel.lines.length));
    const at = (step: string) => steps.indexOf(step) + beside;
    const { trace } = line;
    const single = line.trials.slice(0, thin).map((trial, number) => ({
      type: 'line' as const,
      ...axes,
      id: `${line.id}/${trial}`,
      symbol: 'none',
      triggerEvent: 'line' as const,
      tooltip: { show: false },
      z: 0,
      emphasis: { disabled: true },
      lineStyle: { color: colour, width: 0.8, opacity: 0.22 },
      data: trace.steps.flatMap(({ step }, column) => {
        const value = trace.values[number]?.[column] ?? null;
        return value === null ? [] : [[at(step), value]];
      }),
    }));
    return [
      ...single,
      {
        ...whiskers({
          id: `${line.id}/interval`,
          colour,
          ends: 3,
          points: trace.steps.map(({ step, low, high }) => ({ at: at(step), low, high })),
        }),
        ...axes,
        z: 3,
      },
      {
        type: 'line' as const,
        ...axes,
        id: line.id,
        name: shownName(line.name),
        symbol,
        symbolSize: 7,
        z: 4,
        lineStyle: { color: colour, width: 2 },
        itemStyle: { color: colour },
        ...told(1, 2, panel.share ? percent : measureWords),
        data: trace.steps.map(({ step, value, n }) => [at(step), value ?? '-', `${stepTitle(step)}, n = ${n}`]),
      },
    ];
  });
}

/** Grids, axes, titles and series of panels; the legend and the tooltip are the figure's. */
export function stepOption(panels: readonly StepPanel[], paint: Paint, size: FigureSize, stepName: string) {
  const steps = stepsOf(panels);
  const { title, grid, isLast } = panelGrid(
    panels.map((panel) => panel.title),
    paint,
    size,
    panels.some(({ unit }) => unit !== null) ? unitRoom : 0,
  );
  const places = steps.map((step, at) => ({ at, name: stepTitle(step) }));
  return {
    animation: false,
    title,
    grid,
    xAxis: panels.map((_panel, place) => ({
      ...placesAxis(paint, places, { margin: 0.5, ...(isLast(place) ? { name: stepName } : {}) }),
      gridIndex: place,
    })),
    yAxis: panels.map(({ max, share, unit }, place) => ({
      ...(share
        ? shareAxis(paint)
        : valueAxis(paint, { min: 0, ...(max === null ? {} : { max }), ...(unit === null ? {} : { name: unit, nameGap: 34 }) })),
      gridIndex: place,
      ...(max === null ? { splitNumber: 3 } : { interval: max / 2 }),
      ...(max === null || share ? {} : { axisLabel: { ...textStyle(paint), formatter: briefly } }),
    })),
    series: panels.flatMap((panel, place) => seriesOf(panel, place, steps, paint)),
  };
}

/** Every mean of every panel as rows: measure, arm, whose, step, mean, interval, trials, cases. */
export function stepTable(panels: readonly StepPanel[]): FigureTable {
  const as = panels.every(({ share }) => share) ? 'share' : 'number';
  return {
    columns: [
      { name: 'measure', as: 'text' },
      { name: 'arm', as: 'text' },
      { name: 'line', as: 'text' },
      { name: 'step', as: 'text' },
      { name: 'mean', as },
      { name: 'low', as },
      { name: 'high', as },
      { name: 'trials', as: 'count' },
      { name: 'cases', as: 'count' },
    ],
    rows: rowsOf(panels).map(({ panel, line, point }) => [
      panel.unit === null ? panel.title : `${panel.title}, ${panel.unit}`,
      line.arm,
      line.name,
      stepTitle(point.step),
      point.value,
      point.low,
      point.high,
      point.n,
      point.cases,
    ]),
  };
}

const rowsOf = (panels: readonly StepPanel[]) =>
  panels.flatMap((panel) =>
    panel.lines.flatMap((line) => line.trace.steps.map((point, index) => ({ panel, line, point, index }))),
  );

/** Trials of a line that have a value at a step; all of the arm where not every trial is told. */
function trialsAt({ arm, trace, trials }: StepLine, index: number): TrialsBehind | null {
  const point = trace.steps[index];
  if (point === undefined) return null;
  const having = trials.filter((_trial, number) => (trace.values[number]?.[index] ?? null) !== null);
  return having.length === point.n ? namedTrials(having) : { arm, status: 'done', counts: { n: point.n, of: 'trials' } };
}

/** Trials behind a mean, its interval, or the line of one trial. */
export function stepsBehind(panels: readonly StepPanel[], { seriesId, dataIndex }: Mark): TrialsBehind | null {
  for (const line of panels.flatMap(({ lines }) => lines)) {
    if (seriesId === line.id || seriesId === `${line.id}/interval`) return trialsAt(line, dataIndex);
    const trial = seriesId?.startsWith(`${line.id}/`) ? seriesId.slice(line.id.length + 1) : null;
    if (trial !== null && line.trials.includes(trial)) return namedTrials([trial]);
  }
  return null;
}

export function stepsBehindRow(panels: readonly StepPanel[], row: number): TrialsBehind | null {
  const found = rowsOf(panels)[row];
  return found === undefined ? null : trialsAt(found.line, found.index);
}

/** What every such caption says: of how many trials the means are, and how many are drawn one by one. */
export function stepsCaption(panels: readonly StepPanel[], what: string): string {
  const lines = panels.flatMap((panel) =>
    panel.lines.map((line) => ({ line, thin: Math.min(thinOf(panel), line.trials.length) })),
  );
  const counts = [...new Map(lines.map(({ line }) => [line.arm, Math.max(...line.trace.steps.map(({ n }) => n))]))];
  const least = Math.min(...lines.map(({ line }) => Math.max(...line.trace.steps.map(({ cases }) => cases))));
  const whole = counts.reduce((sum, [, n]) => sum + n, 0);
  const isCut = lines.some(({ line, thin }) => thin < Math.max(...line.trace.steps.map(({ n }) => n)));
  const thin = isCut
    ? `Thin lines are the first ${quantity(Math.max(...lines.map((each) => each.thin)), 'trial')} of each mean`
    : 'Each thin line is a trial';
  return `${what} ${quantity(whole, 'trial')} with such a value${counts.length === 1 ? '' : ', all arms together'}. Points are means with 95% intervals over cases; a trial that has ended is in no later mean. ${thin}.${smallN(least)}`;
}
