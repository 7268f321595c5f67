import { briefly, measureText } from '../../../core/figures/exchangeMeasures.ts';
import { percent } from '../../../core/figures/shares.ts';
import { tracedMeasures } from '../../../core/trajectory/traces.ts';
import type { ProtocolFigures, Trace } from '../../../shared/api/protocolFigures.ts';
import { retitled } from '../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { quantity } from '../../ui/quantity.ts';
import { dodge, shareAxis, shownName, smallN, textStyle, valueAxis } from '../kit/axes.ts';
import type { Figure, Mark, TrialsBehind } from '../kit/figure.ts';
import { inPanels, isLast, placesAxis, smallPanels } from '../kit/layout.ts';
import { line } from '../kit/marks.ts';
import { count, figure, number, share, table, text } from '../kit/plot.ts';
import { endColumns, namedTrials, trend } from '../kit/points.ts';

/** Means over the steps of trials, with intervals, and the trials as thin lines: the figures of single protocols. */

/** One line of a panel: an arm, or one of several that are measured in an arm. */
interface StepLine {
  readonly name: string;
  readonly arm: string;
  readonly trace: Trace;
  /** Trials behind `trace.values`, in their order. */
  readonly trials: readonly string[];
  /** Place in the palette. */
  readonly colour: number;
}

/** One measure of the figure: a separate grid. */
interface StepPanel {
  readonly title: string;
  /** Unit and range next to the axis: `nats, 0 to ln 2`; null if its labels show them, as percent do. */
  readonly unit: string | null;
  /** Ends of the axis; without the upper one it fits what is drawn. */
  readonly max: number | null;
  readonly isShare: boolean;
  readonly lines: readonly StepLine[];
}

/** Trials that are drawn one by one in a panel, over all of its lines; more would be a carpet. */
export const mostThin = 120;

function stepsOf(lines: readonly StepLine[]): string[] {
  const place = (step: string) => (Number.isNaN(Number(step)) ? Number.POSITIVE_INFINITY : Number(step));
  const all = new Set(lines.flatMap(({ trace }) => trace.steps.map(({ step }) => step)));
  return [...all].toSorted((one, other) => place(one) - place(other));
}

const stepTitle = (step: string): string => (step === '0' ? 'start' : step);

function armLines(figures: ProtocolFigures, fits: (trace: Trace) => boolean): StepLine[] {
  const arms = [...new Set(figures.traces.map(({ arm }) => arm))];
  return figures.traces.filter(fits).map((trace) => ({
    name: trace.arm,
    arm: trace.arm,
    trace,
    trials: figures.listed[trace.arm] ?? [],
    colour: arms.indexOf(trace.arm),
  }));
}

/** As many trials of each line as there is room for, evenly over the lines. */
const thinOf = ({ lines }: StepPanel): number =>
  Math.min(Math.max(0, ...lines.map(({ trials }) => trials.length)), Math.floor(mostThin / Math.max(1, lines.length)));

/** Trials behind a mean: those whose values fit; all of the arm where not every trial is listed. */
function trialsBehind(
  { arm, trace, trials }: StepLine,
  point: Trace['change'],
  fits: (values: readonly (number | null)[]) => boolean,
): TrialsBehind {
  const having = trials.filter((_trial, place) => fits(trace.values[place] ?? []));
  return having.length === point.n ? namedTrials(having) : { arm, status: 'done', counts: { n: point.n, of: 'trials' } };
}

function trialsAt(line: StepLine, index: number): TrialsBehind | null {
  const point = line.trace.steps[index];
  return point === undefined ? null : trialsBehind(line, point, (values) => (values[index] ?? null) !== null);
}

const trialsThatChange = (line: StepLine) =>
  trialsBehind(line, line.trace.change, (values) => values.filter((value) => value !== null).length > 1);

function marksOf(panels: readonly StepPanel[], steps: readonly string[]): Mark[] {
  return panels.flatMap((shown, panel) =>
    shown.lines.flatMap((each, index) => {
      const { trace, trials, colour, name } = each;
      const offset = dodge(index, shown.lines.length, Math.min(0.09, 0.6 / shown.lines.length));
      const at = (point: { readonly step: string }) => steps.indexOf(point.step) + offset;
      const words = shown.isShare ? percent : measureText;
      const single = trials.slice(0, thinOf(shown)).map((trial, place) =>
        line({
          id: `${panel}/${index}/${trial}`,
          panel,
          rows: trace.steps.flatMap((point, column) => {
            const value = trace.values[place]?.[column] ?? null;
            return value === null ? [] : [{ step: point.step, value }];
          }),
          x: at,
          y: ({ value }) => value,
          symbol: 'none',
          colour,
          width: 0.8,
          z: 0,
          opacity: 0.22,
          also: { triggerEvent: 'line', tooltip: { show: false }, emphasis: { disabled: true } },
          behind: () => namedTrials([trial]),
        }),
      );
      return [
        ...single,
        ...trend<Trace['steps'][number] & { readonly place: number }>({
          id: `${panel}/${index}`,
          name: shownName(name),
          panel,
          rows: trace.steps.map((point, place) => ({ ...point, place })),
          of: (point) => point,
          at,
          colour,
          size: 7,
          z: 4,
          intervals: 3,
          tip: ({ step, n, value }) => `${shownName(name)}, ${stepTitle(step)}, n = ${n}\n${value === null ? '–' : words(value)}`,
          behind: ({ place }) => trialsAt(each, place),
        }),
      ];
    }),
  );
}

/** What every such caption says: of how many trials the means are, and how many are drawn one by one. */
function captionOf(panels: readonly StepPanel[], what: string): string {
  const lines = panels.flatMap((panel) =>
    panel.lines.map((each) => ({ ...each, thin: Math.min(thinOf(panel), each.trials.length) })),
  );
  const most = ({ trace }: StepLine, of: 'n' | 'cases') => Math.max(...trace.steps.map((point) => point[of]));
  const byArm = new Map(lines.map((each) => [each.arm, most(each, 'n')]));
  const whole = [...byArm.values()].reduce((sum, n) => sum + n, 0);
  const thin = lines.some((each) => each.thin < most(each, 'n'))
    ? `Thin lines are the first ${quantity(Math.max(...lines.map((each) => each.thin)), 'trial')} of each mean`
    : 'Each thin line is a trial';
  return `${what} ${quantity(whole, 'trial')} with such a value${byArm.size === 1 ? '' : ', all arms together'}. Points are means with 95% intervals over cases; a trial that has ended is in no later mean. The table has the change from the first value to the last. ${thin}.${smallN(Math.min(...lines.map((each) => most(each, 'cases'))))}`;
}

interface StepTerms extends Pick<Figure, 'id' | 'title' | 'paper' | 'requires'> {
  /** What is measured, at the head of the caption. */
  readonly what: string;
  panels(figures: ProtocolFigures, of: Pick<StatsReport, 'decided_by'>): StepPanel[];
}

const stepFigure = ({ what, panels: panelsIn, ...about }: StepTerms) =>
  figure({
    ...about,
    needs: ['protocols'],
    plot({ report, protocols }) {
      const shown = panelsIn(protocols, report).filter(({ lines }) => lines.length > 0);
      if (shown.length === 0) return null;
      const lines = shown.flatMap((panel) => panel.lines);
      const steps = stepsOf(lines);
      const places = steps.map((step, at) => ({ at, name: stepTitle(step) }));
      const panels = smallPanels(
        shown.map(({ title }) => title),
        shown.some(({ unit }) => unit !== null) ? 14 : 0,
      );
      const as = shown.every(({ isShare }) => isShare) ? share : number;
      const each = shown.flatMap((panel) => panel.lines.map((line) => ({ panel, line })));
      const rows = [
        ...each.flatMap((of) =>
          of.line.trace.steps.map((point, index) => ({
            ...of,
            point,
            step: stepTitle(point.step),
            behind: () => trialsAt(of.line, index),
          })),
        ),
        ...each.flatMap((of) =>
          of.line.trace.change.n === 0
            ? []
            : [{ ...of, point: of.line.trace.change, step: 'first to last', behind: () => trialsThatChange(of.line) }],
        ),
      ];
      type Row = (typeof rows)[number];
      return {
        caption: captionOf(shown, retitled(what, report)),
        legend: [...new Set(lines.map(({ name }) => shownName(name)))],
        ...inPanels(panels, shown, ({ max, isShare, unit }, paint, { place }) => ({
          x: placesAxis(paint, places, { margin: 0.5, ...(isLast(panels, place) ? { name: 'round' } : {}) }),
          y: {
            ...(isShare
              ? shareAxis(paint)
              : valueAxis(paint, {
                  min: 0,
                  ...(max === null ? {} : { max }),
                  ...(unit === null ? {} : { name: unit, nameGap: 34 }),
                })),
            ...(max === null ? { splitNumber: 3 } : { interval: max / 2 }),
            ...(max === null || isShare ? {} : { axisLabel: { ...textStyle(paint), formatter: briefly } }),
          },
        })),
        marks: marksOf(shown, steps),
        table: table(
          rows,
          [
            text('measure', ({ panel: { title, unit } }: Row) => (unit === null ? title : `${title}, ${unit}`)),
            text('arm', (row) => row.line.arm),
            text('line', (row) => row.line.name),
            text('step', ({ step }) => step),
            ...endColumns(['mean', 'low', 'high'], as, ({ point }: Row) => point),
            count('trials', ({ point }) => point.n),
            count('cases', ({ point }) => point.cases),
          ],
          (row) => row.behind(),
        ),
      };
    },
  });

export const critByRoundFigure = stepFigure({
  id: 'crit-by-round',
  title: 'CRIT of the debate, round by round',
  paper: 'SocraSynth: section 6.2',
  what: 'One score from 1 to 10 of everything that both sides have said so far: for the claim of agent A, against which the arguments of agent B count, or the mean over both claims.',
  requires: 'finished trials with a score of their debate: an arm of socrasynth asks its critic after every round',
  panels: (figures) => [
    {
      title: 'CRIT',
      unit: 'points, 1 to 10',
      max: 10,
      isShare: false,
      lines: armLines(figures, ({ kind }) => kind === 'evaluation'),
    },
  ],
});

export const exchangeMeasuresFigure = stepFigure({
  id: 'exchange-measures',
  title: 'Measures of the exchanges, round by round',
  paper: 'EVINCE: figure 7.3, tables 7.2, 7.3',
  what: 'As they were recorded after each exchange. Logarithms are natural, so that information is in nats; n on an axis is the number of labels.',
  requires: 'finished trials with exchanges: an arm of evince measures every round',
  panels: (figures) =>
    tracedMeasures.flatMap(({ id, name, axis, most, lines }) =>
      lines.map(({ of }) => ({
        title: of === '' ? name : `${name} of ${of}`,
        unit: axis,
        max: most,
        isShare: false,
        lines: armLines(figures, (trace) => trace.kind === 'exchange' && trace.measure === id && trace.of === of),
      })),
    ),
});

const feedbackPanels: readonly { readonly title: string; readonly fits: (trace: Trace) => boolean }[] = [
  { title: 'Opinion, P(truth)', fits: ({ kind, of }) => kind === 'opinion' && of === 'opinion' },
  { title: 'The judge alone, P(truth)', fits: ({ kind, of }) => kind === 'opinion' && of === 'judge' },
  { title: 'Reliability', fits: ({ kind }) => kind === 'reliability' },
];

export const feedbackRoundsFigure = stepFigure({
  id: 'feedback-rounds',
  title: 'Opinion and reliability, round by round',
  paper: 'Debate-Feedback: algorithm 1',
  what: 'Probability of the true label in the opinion after each round and in the judge’s own answer before smoothing, and the mean reliability of the round’s answers. The start is the answer before any debate.',
  requires: 'finished trials with rounds that were settled: arms of debate-feedback',
  panels: (figures, report) =>
    feedbackPanels.map(({ title, fits }) => ({
      title: retitled(title, report),
      unit: null,
      max: 1,
      isShare: true,
      lines: armLines(figures, fits),
    })),
});

const speakers = [
  ['A', 'agent A'],
  ['B', 'agent B'],
  ['mixture', 'their mixture'],
] as const;

export const mixtureDivergenceFigure = stepFigure({
  id: 'mixture-divergence',
  title: 'Divergence from the truth, of each agent and of their mixture',
  paper: 'EVINCE: figure 7.5',
  what: 'Kullback-Leibler divergence of the stated distribution from one that is certain of the true label, in nats: 0 is certain and right, near 20.7 rules the truth out. For each case the mixture is below the weighted mean of both, whatever they say: the measure is made that way, so this is no finding.',
  requires:
    'finished trials with distributions of two agents and a known true label: an arm of evince over cases with one true label each',
  panels: (figures) => {
    const lines = armLines(figures, ({ kind }) => kind === 'divergence');
    return [...Map.groupBy(lines, ({ arm }) => arm)].map(([arm, mine]) => ({
      title: arm,
      unit: 'nats',
      max: null,
      isShare: false,
      lines: speakers.flatMap(([of, name], colour) => {
        const found = mine.find(({ trace }) => trace.of === of);
        return found === undefined ? [] : [{ ...found, name, colour }];
      }),
    }));
  },
});
