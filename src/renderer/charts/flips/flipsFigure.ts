import { percent } from '../../../core/figures/shares.ts';
import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { quantityOf } from '../../ui/quantity.ts';
import { deliberationIn, idsOf, measureOf, mergedOrder, rowsByArm } from '../deliberation/ways.ts';
import { cutName, legend, nameAxis, shareAxis, shownName, smallN, textStyle, tooltip } from '../kit/axes.ts';
import { countsWords } from '../kit/counts.ts';
import { type Figure, type FigureSources, isAbsent, type Paint } from '../kit/figure.ts';
import { manyNamed, namedTrials } from '../kit/namedTrials.ts';

/** From so many changes on, trials are counted together. */
const most = 4;
const countNames = ['none', '1', '2', '3', '4 or more'];

interface Arm {
  readonly arm: string;
  readonly n: number;
  readonly cases: number;
  readonly flipped: Measure;
  readonly mean: Measure;
  /** Trials by number of changes, 0 to `most`. */
  readonly byCount: readonly (readonly string[])[];
  /** Trials that change, by the step of their last change. */
  readonly byStep: readonly { readonly step: string; readonly trials: readonly string[] }[];
}

interface Data {
  readonly arms: readonly Arm[];
  /** Steps of all arms, each once, in their order. */
  readonly steps: readonly string[];
  readonly level: number;
}

const top = 34;
const panelHeight = 190;

function armOf(source: DeliberationFigures, place: number, mine: readonly number[]): Arm[] {
  const { rows, arms, steps } = source;
  const flipped = measureOf(source, place, 'flipped');
  const mean = measureOf(source, place, 'flips');
  const known = mine.filter((row) => (rows.flips[row] ?? -1) >= 0);
  const arm = arms[place];
  if (arm === undefined || flipped === undefined || mean === undefined || known.length === 0) return [];
  const byCount = countNames.map((_, count) =>
    idsOf(
      source,
      known.filter((row) => Math.min(most, rows.flips[row] ?? 0) === count),
    ),
  );
  const byStep = arm.steps.flatMap((step) => {
    const trials = idsOf(
      source,
      known.filter((row) => rows.lastFlip[row] === step),
    );
    return [{ step: steps[step]?.name ?? '', trials }];
  });
  return [{ arm: arm.name, n: known.length, cases: flipped.cases, flipped, mean, byCount, byStep }];
}

/** `0.5 changes`, `1 change`: a mean with two digits. */
const meanWords = (mean: number) => `${Number(mean.toFixed(2))} ${mean === 1 ? 'change' : 'changes'}`;

const interval = ({ low, high }: Measure) => (low === null || high === null ? '' : ` [${percent(low)}, ${percent(high)}]`);

function bars(arms: readonly Arm[], paint: Paint, index: number, trialsOf: (arm: Arm) => readonly (readonly string[])[]) {
  return arms.map((arm, place) => {
    const { colour, decal } = paint.series(place);
    return {
      type: 'bar',
      xAxisIndex: index,
      yAxisIndex: index,
      id: `${index === 0 ? 'count' : 'last'}:${place}`,
      name: shownName(arm.arm),
      barMaxWidth: 34,
      itemStyle: { color: colour, ...(decal === undefined ? {} : { decal }) },
      data: trialsOf(arm).map((trials) => trials.length / arm.n),
    };
  });
}

const atSteps = ({ byStep }: Arm, steps: readonly string[]) =>
  steps.map((step) => byStep.find((each) => each.step === step)?.trials ?? []);

function trialsAt({ arms, steps }: Data, seriesId: string | null, dataIndex: number): readonly string[] | null {
  const [what, place] = (seriesId ?? '').split(':');
  const arm = arms[Number(place)];
  if (arm === undefined) return null;
  return (what === 'count' ? arm.byCount : atSteps(arm, steps))[dataIndex] ?? null;
}

/** How often the lead changes on the way to the verdict, and when it does so last. */
export const flipsFigure: Figure<Data> = {
  id: 'flips',
  title: 'How often the judge’s mind changes, and when it does so last',
  paper: null,
  group: 'deliberation',
  needs: ['deliberation'],
  data(sources: FigureSources) {
    const source = deliberationIn(sources);
    if (isAbsent(source)) return source;
    const byArm = rowsByArm(source);
    const arms = source.arms.flatMap((_, place) => armOf(source, place, byArm.get(place) ?? []));
    if (arms.length === 0) {
      return {
        absent: source.rows.recalled.includes(1)
          ? 'The beliefs were recalled at the end and not held at the time: whether the lead changed cannot be told. An arm of agentic-sim with "beliefUpdates": "live" tells it.'
          : 'No finished trial of a case with one label has a role that rules and that held beliefs one after the other. Arms of agentic-sim with "beliefUpdates": "live", of debate-feedback and of evince have one.',
      };
    }
    const known = new Set(arms.flatMap(({ byStep }) => byStep.filter(({ trials }) => trials.length > 0).map(({ step }) => step)));
    const steps = mergedOrder(arms.map(({ byStep }) => byStep.map(({ step }) => step))).filter((step) => known.has(step));
    return { arms, steps, level: sources.report.interval.level };
  },
  caption({ arms, steps, level }) {
    const told = arms.map(({ arm, flipped, mean, byCount, n }) => {
      const changed = n - (byCount[0]?.length ?? 0);
      const share =
        flipped.value === null ? '' : `, ${percent(flipped.value)}${interval(flipped)} with each case weighing the same`;
      const who = arms.length === 1 ? '' : `${arm}: `;
      return `${who}in ${quantityOf(changed, n, 'trial')} the lead changes at least once${share}; ${mean.value === null ? 'the mean number of changes is not known' : `${meanWords(mean.value)} in a trial on average`}`;
    });
    const last = steps.length === 0 ? ' It changes in no trial.' : '';
    const counts = countsWords(
      arms.map(({ n }) => n),
      { noun: 'decided trial' },
    );
    return `${counts}: ${told.join('. ')}. Intervals at ${percent(level)}. A tie is no change.${last}${manyNamed(Math.max(...arms.flatMap(({ byCount }) => byCount.map(({ length }) => length))))}${smallN(Math.min(...arms.map(({ cases }) => cases)))}`;
  },
  height: ({ steps }) => top + panelHeight * (steps.length === 0 ? 1 : 2),
  option(data, paint, { width }) {
    const { arms, steps } = data;
    const panels = [
      { title: 'Changes of the lead in a trial', names: countNames, series: bars(arms, paint, 0, ({ byCount }) => byCount) },
      ...(steps.length === 0
        ? []
        : [{ title: 'Step of the last change', names: steps, series: bars(arms, paint, 1, (arm) => atSteps(arm, steps)) }]),
    ];
    const largest = Math.max(...panels.flatMap(({ series }) => series.flatMap(({ data: shares }) => shares)));
    const apart = largest > 0.5 ? 0.25 : largest > 0.2 ? 0.1 : 0.05;
    return {
      animation: false,
      legend: { ...legend(paint), data: arms.map(({ arm }) => shownName(arm)) },
      tooltip: {
        ...tooltip(paint),
        trigger: 'item',
        formatter: ({ seriesId = '', dataIndex }: { seriesId?: string; dataIndex: number }) => {
          const trials = trialsAt(data, seriesId, dataIndex);
          const arm = arms[Number(seriesId.split(':')[1])];
          return trials === null || arm === undefined
            ? ''
            : `${cutName(arm.arm, 40)}: ${trials.length} of ${arm.n} trials, ${percent(trials.length / arm.n)}`;
        },
      },
      title: panels.map(({ title }, index) => ({
        text: title,
        left: 40,
        top: top + index * panelHeight - 4,
        textStyle: { ...textStyle(paint), color: paint.colour('ink'), fontWeight: 600 },
      })),
      grid: panels.map((_, index) => ({ left: 46, right: 14, top: top + index * panelHeight + 22, height: panelHeight - 56 })),
      xAxis: panels.map(({ names }, index) => ({
        ...nameAxis(paint, names, { room: Math.max(24, (width - 70) / names.length) }),
        gridIndex: index,
      })),
      yAxis: panels.map((_, index) => ({
        ...shareAxis(paint, { max: Math.ceil(largest / apart) * apart }),
        gridIndex: index,
        interval: apart,
      })),
      series: panels.flatMap(({ series }) => series),
    };
  },
  table: ({ arms, steps }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'trials', as: 'count' },
      { name: 'share that changes', as: 'share' },
      { name: 'share, low', as: 'share' },
      { name: 'share, high', as: 'share' },
      { name: 'changes a trial', as: 'number' },
      { name: 'changes, low', as: 'number' },
      { name: 'changes, high', as: 'number' },
      ...countNames.map((name) => ({ name: `changes: ${name}`, as: 'count' as const })),
      ...steps.map((name) => ({ name: `last at ${name}`, as: 'count' as const })),
    ],
    rows: arms.map((arm) => [
      arm.arm,
      arm.n,
      arm.flipped.value,
      arm.flipped.low,
      arm.flipped.high,
      arm.mean.value,
      arm.mean.low,
      arm.mean.high,
      ...arm.byCount.map(({ length }) => length),
      ...atSteps(arm, steps).map(({ length }) => length),
    ]),
  }),
  behind(data, { seriesId, dataIndex }) {
    const trials = trialsAt(data, seriesId, dataIndex);
    return trials === null ? null : namedTrials(trials);
  },
  behindRow({ arms }, row) {
    const changed = arms[row]?.byCount.slice(1).flat() ?? [];
    return changed.length === 0 ? null : namedTrials(changed);
  },
};
