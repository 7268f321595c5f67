import { randomSource } from '../../../core/cases/shuffle.ts';
import { percent } from '../../../core/figures/shares.ts';
import { quantile } from '../../../core/statistics/quantile.ts';
import { isSame } from '../../../core/statistics/sameNumber.ts';
import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import { retitled } from '../../../shared/decidedBy.ts';
import type { StatsReport } from '../../../shared/outputs.ts';
import { quantity, quantityOf } from '../../ui/quantity.ts';
import { cutName, shareAxis, shownName, smallN } from '../kit/axes.ts';
import { heldLines, rowsByArm } from '../kit/beliefLines.ts';
import { quantityIs } from '../kit/counts.ts';
import type { Mark, Plot } from '../kit/figure.ts';
import { inPanels, mostLargePanels, placesAxis, stackedPanels, stepPlaces } from '../kit/layout.ts';
import { area, line, paths, rule } from '../kit/marks.ts';
import { count, figure, share, table, text } from '../kit/plot.ts';
import { namedTrials } from '../kit/points.ts';

const kinds = [
  { kind: 'right', name: 'verdict right', colour: 'good', dash: 'solid' },
  { kind: 'wrong', name: 'verdict wrong', colour: 'bad', dash: 'dashed' },
  { kind: 'unknown', name: 'truth unknown', colour: 'line-strong', dash: 'dotted' },
] as const;
type Kind = (typeof kinds)[number]['kind'];
type Named = readonly (Omit<(typeof kinds)[number], 'name'> & { readonly name: string })[];

interface TimeLine {
  readonly trial: string;
  readonly case: string;
  readonly kind: Kind;
  /** Whether the lead changed on the way. */
  readonly crosses: boolean;
  /** Whether it is on the line at some step: there both labels are equally likely. */
  readonly touches: boolean;
  /** Place of the step in the panel, and the probability. */
  readonly points: readonly (readonly [number, number])[];
}

interface Step {
  readonly arm: string;
  readonly step: string;
  readonly trials: readonly string[];
  readonly low: number;
  readonly median: number;
  readonly high: number;
}

interface Panel {
  readonly arm: string;
  readonly steps: readonly Step[];
  readonly lines: readonly TimeLine[];
  /** Those that are drawn: all of them, or where they are too many some of them. */
  readonly shown: readonly TimeLine[];
}

/** Lines drawn at most, all panels together: more hide each other and slow panning. Median, band and counts have all trials. */
export const mostLines = 2000;
/** Dashes distinguish kinds one by one; in a crowd they cannot be seen, and they take most of the time of drawing. */
const mostDashed = 400;
/** Letters of the followed label at the axis and in the legend: with more, the axis takes the room of the lines. */
const mostOfLabel = 20;

const kindOf = (correct: number | undefined): Kind => (correct === 1 ? 'right' : correct === 0 ? 'wrong' : 'unknown');

const ruleText = {
  true: 'P(true label)',
  predicted: 'P(label of the verdict)',
  'true-labels': 'mean P(true labels)',
  'predicted-labels': 'mean P(labels of the verdict)',
} as const;

/** What is followed where several labels can apply, in the caption's words; null for cases of one label. */
const setAsText = ({ rule: followed }: DeliberationFigures['follows']): string | null => {
  if (followed !== 'true-labels' && followed !== 'predicted-labels') return null;
  const which = followed === 'true-labels' ? 'that are true of the case' : 'that its verdict names';
  return `Several labels can apply to a case: a line is the mean probability of the labels ${which}, each label a separate question. A trial without such labels has no line.`;
};

function panelsOf(source: DeliberationFigures): Panel[] {
  const { arms, rows, steps, cases } = source;
  const byArm = Map.groupBy(
    heldLines(source).filter(({ rules }) => rules),
    ({ row }) => rows.arm[row] ?? -1,
  );
  return arms.flatMap(({ name: arm, steps: inArm }, place): Panel[] => {
    const mine = byArm.get(place) ?? [];
    if (mine.length === 0) return [];
    const present = new Set(mine.flatMap(({ points }) => points.map(({ step }) => step)));
    const own = inArm.filter((step) => present.has(step));
    const at = new Map(own.map((step, x) => [step, x]));
    const values = own.map((): { trial: string; value: number }[] => []);
    const lines = mine.map(({ row, points }): TimeLine => {
      const trial = rows.trial[row] ?? '';
      const coords = points.map(({ step, value }): [number, number] => [at.get(step) ?? 0, value]);
      for (const [x, value] of coords) values[x]?.push({ trial, value });
      const name = cases[rows.case[row] ?? -1] ?? '';
      const crosses = (rows.flips[row] ?? 0) > 0;
      const touches = coords.some(([, value]) => isSame(value, 0.5));
      return { trial, case: name, kind: kindOf(rows.correct[row]), crosses, touches, points: coords };
    });
    const summary = values.map((all, x): Step => {
      const sorted = all.map(({ value }) => value).toSorted((one, other) => one - other);
      const [low = 0, median = 0, high = 0] = [0.25, 0.5, 0.75].map((part) => quantile(sorted, part) ?? 0);
      return { arm, step: steps[own[x] ?? -1]?.name ?? '', trials: all.map(({ trial }) => trial), low, median, high };
    });
    return [{ arm, steps: summary, lines, shown: lines }];
  });
}

/**
 * Panels with as many lines as can be drawn: of each arm its share, by selection sampling (D. E. Knuth, The Art of Computer
 * Programming 2, algorithm 3.4.2 S), the same for the same trials. Evenly spaced ones could be all of one kind.
 */
function thinned(panels: readonly Panel[], most: number): Panel[] {
  const all = panels.reduce((sum, { lines }) => sum + lines.length, 0);
  if (all <= most) return [...panels];
  return panels.map((panel) => {
    const random = randomSource(1, panel.arm);
    let wanted = Math.floor((panel.lines.length * most) / all);
    const shown = panel.lines.filter((_, place) => {
      const isChosen = random.next() * (panel.lines.length - place) < wanted;
      if (isChosen) wanted -= 1;
      return isChosen;
    });
    return { ...panel, shown };
  });
}

/** What has no line: failed trials, decided ones, and arms beyond the most. */
function missingText(source: DeliberationFigures, panels: readonly Panel[], leftOut: readonly Panel[]): string {
  const { rows, outcomes, arms } = source;
  const names = new Set(panels.map(({ arm }) => arm));
  const drawn = new Set(panels.flatMap(({ lines }) => lines.map(({ trial }) => trial)));
  const mine = [...rowsByArm(source)].flatMap(([arm, own]) => (names.has(arms[arm]?.name ?? '') ? own : []));
  const decided = mine.filter((row) => outcomes[rows.outcome[row] ?? -1] === 'decided');
  const without = decided.filter((row) => !drawn.has(rows.trial[row] ?? ''));
  const recalled = without.filter((row) => rows.recalled[row] === 1).length;
  const [failed, lost, more] = [mine.length - decided.length, without.length, leftOut.length];
  return [
    failed === 0 ? '' : ` ${quantity(failed, 'failed trial')} ${failed === 1 ? 'has' : 'have'} no verdict and no line.`,
    lost === 0
      ? ''
      : ` ${quantity(lost, 'decided trial')} ${lost === 1 ? 'has' : 'have'} no line${recalled === 0 ? '' : `, ${recalled} of them because beliefs were recalled at the end`}.`,
    more === 0 ? '' : ` ${quantityIs(more, 'further arm')} not drawn: ${leftOut.map(({ arm }) => arm).join(', ')}.`,
  ].join('');
}

function captionOf(panels: readonly Panel[], crosses: boolean, sets: string | null, missing: string): string {
  const counted = panels.map(({ arm, lines }) => {
    const changed = lines.filter((each) => each.crosses).length;
    const verb = changed === 1 ? ['crosses', 'changes'] : ['cross', 'change'];
    const what = crosses ? `${verb[0]} the line` : `${verb[1]} the likeliest label`;
    const only = crosses ? lines.filter((each) => each.touches && !each.crosses).length : 0;
    const tied =
      only === 0
        ? ''
        : `; ${quantity(only, 'trial')} only ${only === 1 ? 'reaches' : 'reach'} 50%, where the answer can change too`;
    const words =
      sets === null
        ? `${quantityOf(changed, lines.length, 'trial')} ${what} at least once${tied}`
        : quantity(lines.length, 'trial');
    return panels.length === 1 ? words : `${arm}: ${words}`;
  });
  const [all, shown] = [panels.flatMap(({ lines }) => lines).length, panels.flatMap((panel) => panel.shown).length];
  const drawn =
    shown === all
      ? 'Every trial is drawn'
      : `${quantityOf(shown, all, 'trial')} are drawn, chosen at random and always the same; all numbers, the median and the band are of all`;
  const fewest = Math.min(...panels.map(({ lines }) => new Set(lines.map((each) => each.case)).size));
  return `${sets === null ? '' : `${sets} `}${counted.join('. ')}. ${drawn}; heavy line: median, band: the middle half of the trials.${missing}${smallN(fewest)}`;
}

function marksOf({ steps, shown }: Panel, panel: number, follows: string, named: Named): Mark[] {
  return [
    ...named.map(({ kind, name, colour, dash }) =>
      paths({
        id: `${kind}:${panel}`,
        name,
        panel,
        rows: shown.filter((each) => each.kind === kind),
        points: ({ points }) => points,
        colour,
        // The more lines, the fainter each: a crowd shows as a shade, and one line can still be seen.
        opacity: Math.max(0.06, Math.min(0.6, 120 / shown.length)),
        dash: shown.length > mostDashed ? 'solid' : dash,
        z: 1,
        tip: (each) =>
          `case ${shownName(each.case)}, ${name}\n${each.points.map(([x, value]) => `${steps[x]?.step} ${percent(value)}`).join(', ')}`,
        behind: ({ trial }) => namedTrials([trial]),
      }),
    ),
    ...area({ id: `band:${panel}`, panel, rows: steps, low: ({ low }) => low, high: ({ high }) => high, colour: 'judge', z: 2 }),
    line({
      id: `median:${panel}`,
      name: `median ${follows}`,
      panel,
      rows: steps,
      x: (_step, at) => at,
      y: ({ median }) => median,
      colour: 'ink',
      symbol: 'circle',
      size: 7,
      width: 2.5,
      z: 3,
      tip: ({ step, trials, median, low, high }) =>
        `${step}, n = ${trials.length}\nmedian ${follows} ${percent(median)}\nquartiles ${percent(low)} and ${percent(high)}`,
      behind: ({ trials }) => namedTrials(trials),
    }),
  ];
}

export function timelinesOf(source: DeliberationFigures, of: Pick<StatsReport, 'decided_by'>): Plot | null {
  const all = panelsOf(source);
  if (all.length === 0) return null;
  const arms = thinned(all.slice(0, mostLargePanels), mostLines);
  const { rule: followed, label } = source.follows;
  const followedAs = (name: string) => (followed === 'positive' ? `P(${name})` : ruleText[followed]);
  const follows = followedAs(cutName(label ?? '', mostOfLabel));
  const inFull = followedAs(shownName(label ?? ''));
  const crosses = followed === 'positive';
  const missing = missingText(source, arms, all.slice(mostLargePanels));
  const named = kinds.map((each) => ({ ...each, name: retitled(each.name, of) }));
  const occurring = named.filter(({ kind }) => arms.some(({ shown }) => shown.some((each) => each.kind === kind)));
  const panels = {
    ...stackedPanels(arms, ({ arm }) => arm, { left: 46, high: 230, below: 36 }).panels,
    tail: 10,
    notes: arms.map(({ lines }) => `  n = ${lines.length}`),
  };
  const places = [...arms.keys()];
  const zoom = { type: 'inside', filterMode: 'none', zoomOnMouseWheel: 'ctrl', moveOnMouseWheel: false };
  return {
    caption: captionOf(arms, crosses, setAsText(source.follows), missing),
    hint: 'Drag to pan, zoom with Ctrl and the wheel.',
    legend: [...occurring.map(({ name }) => name), `median ${follows}`],
    ...inPanels(
      panels,
      arms,
      ({ steps }, paint) => ({
        x: placesAxis(paint, stepPlaces(steps.map(({ step }) => step)), { margin: 0.3 }),
        y: { ...shareAxis(paint, { name: follows, nameGap: 34 }), interval: 0.25 },
      }),
      {
        dataZoom: [
          { ...zoom, xAxisIndex: places },
          { ...zoom, yAxisIndex: places },
        ],
      },
    ),
    marks: arms.flatMap((arm, panel) => [
      ...marksOf(arm, panel, follows, named),
      ...(crosses ? [rule({ id: `line:${panel}`, on: 'y', panel, lines: [{ value: 0.5, name: '' }] })] : []),
    ]),
    table: table(
      arms.flatMap(({ steps }) => steps),
      [
        text('arm', ({ arm }: Step) => arm),
        text('step', ({ step }) => step),
        count('n', ({ trials }) => trials.length),
        share(`${inFull}, lower quartile`, ({ low }) => low),
        share(`${inFull}, median`, ({ median }) => median),
        share(`${inFull}, upper quartile`, ({ high }) => high),
      ],
      ({ trials }) => namedTrials(trials),
    ),
  };
}

export const beliefTimelinesFigure = figure({
  id: 'belief-timelines',
  title: 'How sure the judge was on the way to the verdict',
  requires:
    'finished trials in which a role that rules said what it believed on the way: arms of agentic-sim whose judge is asked after every speech, of debate-feedback and of evince. Beliefs that were recalled at the end are no timeline, and open questions have none',
  needs: ['deliberation'],
  plot: ({ report, deliberation }) => timelinesOf(deliberation, report),
});
