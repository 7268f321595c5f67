import { randomSource } from '../../../core/cases/shuffle.ts';
import { quantile } from '../../../core/statistics/quantile.ts';
import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import { quantity, quantityOf } from '../../ui/quantity.ts';
import { deliberationIn, heldLines, rowsByArm } from '../deliberation/ways.ts';
import { smallN } from '../kit/axes.ts';
import { quantityIs } from '../kit/counts.ts';
import { type Figure, type FigureSources, isAbsent } from '../kit/figure.ts';
import { namedTrials } from '../kit/namedTrials.ts';
import { type Kind, kinds, mostLines, type Panel, timelinesOption } from './timelinesOption.ts';

/** Arms that are drawn; further ones are named in the caption. */
const mostPanels = 6;
const panelHeight = 230;

interface Data {
  readonly panels: readonly Panel[];
  /** Arms beyond the most. */
  readonly leftOut: readonly string[];
  /** Whose probability it is: `P(YES)`, `P(true label)`. */
  readonly follows: string;
  readonly crosses: boolean;
  /** What is followed where several labels can apply; null for cases of one label. */
  readonly sets: string | null;
  /** Decided trials of the arms drawn that have no line, and those of them with recalled beliefs. */
  readonly without: number;
  readonly recalled: number;
  readonly failed: number;
}

const kindOf = (correct: number | undefined): Kind => (correct === 1 ? 'right' : correct === 0 ? 'wrong' : 'unknown');

const ruleWords = {
  true: 'P(true label)',
  predicted: 'P(label of the verdict)',
  'true-labels': 'mean P(true labels)',
  'predicted-labels': 'mean P(labels of the verdict)',
} as const;

const followedWords = ({ rule, label }: DeliberationFigures['follows']): string =>
  rule === 'positive' ? `P(${label})` : ruleWords[rule];

/** What is followed where several labels can apply, in the caption's words; null for cases of one label. */
const setWords = ({ rule }: DeliberationFigures['follows']): string | null => {
  if (rule !== 'true-labels' && rule !== 'predicted-labels') return null;
  const which = rule === 'true-labels' ? 'that are true of the case' : 'that its verdict names';
  return `Several labels can apply to a case: a line is the mean probability of the labels ${which}, each label a question of its own. A trial without such labels has no line.`;
};

function panelsOf(source: DeliberationFigures): Panel[] {
  const { arms, rows, steps, cases } = source;
  const lines = heldLines(source).filter(({ rules }) => rules);
  const byArm = Map.groupBy(lines, ({ row }) => rows.arm[row] ?? -1);
  return arms.flatMap((arm, place): Panel[] => {
    const mine = byArm.get(place) ?? [];
    if (mine.length === 0) return [];
    const present = new Set(mine.flatMap(({ points }) => points.map(({ step }) => step)));
    const own = arm.steps.filter((step) => present.has(step));
    const at = new Map(own.map((step, x) => [step, x]));
    const values = own.map((): number[] => []);
    const drawn = mine.map(({ row, points }) => {
      const coords = points.map(({ step, value }): [number, number] => [at.get(step) ?? 0, value]);
      for (const [x, value] of coords) values[x]?.push(value);
      return {
        trial: rows.trial[row] ?? '',
        case: cases[rows.case[row] ?? -1] ?? '',
        kind: kindOf(rows.correct[row]),
        crosses: (rows.flips[row] ?? 0) > 0,
        points: coords,
      };
    });
    const summary = values.map((all) => {
      const sorted = all.toSorted((one, other) => one - other);
      const [low, median, high] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
      return { n: sorted.length, low: low ?? 0, median: median ?? 0, high: high ?? 0 };
    });
    return [{ arm: arm.name, steps: own.map((step) => steps[step]?.name ?? ''), lines: drawn, shown: drawn, summary }];
  });
}

/**
 * Panels with as many lines as can be drawn: of each arm its share, by selection sampling (D. E. Knuth, The Art of Computer
 * Programming 2, algorithm 3.4.2 S), the same for the same trials. Evenly spaced ones could be all of one kind.
 */
function thinned(panels: readonly Panel[]): Panel[] {
  const all = panels.reduce((sum, { lines }) => sum + lines.length, 0);
  if (all <= mostLines) return [...panels];
  return panels.map((panel) => {
    const random = randomSource(1, panel.arm);
    let wanted = Math.floor((panel.lines.length * mostLines) / all);
    return {
      ...panel,
      shown: panel.lines.filter((_, place) => {
        const isChosen = random.next() * (panel.lines.length - place) < wanted;
        if (isChosen) wanted -= 1;
        return isChosen;
      }),
    };
  });
}

const why = (source: DeliberationFigures): string => {
  const { rows, labels } = source;
  if (labels.length === 0) return 'The questions of this experiment are open: without labels there is no belief to follow.';
  if (rows.recalled.includes(1)) {
    return 'The beliefs were recalled at the end and not held at the time, so that they are no timeline. An arm of agentic-sim with "beliefUpdates": "live" records what the judge holds after each speech.';
  }
  return 'No finished trial has a role that rules and that told what it believed on the way. Arms of agentic-sim with "beliefUpdates": "live", of debate-feedback and of evince do.';
};

/** What the role that rules believed from step to step: each trial a line, with median and quartiles, arm by arm. */
export const beliefTimelinesFigure: Figure<Data> = {
  id: 'belief-timelines',
  title: 'How sure the judge was on the way to the verdict',
  paper: null,
  group: 'deliberation',
  needs: ['deliberation'],
  data(sources: FigureSources) {
    const source = deliberationIn(sources);
    if (isAbsent(source)) return source;
    const all = panelsOf(source);
    if (all.length === 0) return { absent: why(source) };
    const panels = thinned(all.slice(0, mostPanels));
    const byArm = rowsByArm(source);
    const mine = panels.flatMap(({ arm }) => byArm.get(source.arms.findIndex(({ name }) => name === arm)) ?? []);
    const isDecided = (row: number) => source.outcomes[source.rows.outcome[row] ?? -1] === 'decided';
    const decided = mine.filter(isDecided);
    const drawn = new Set(panels.flatMap(({ lines }) => lines.map(({ trial }) => trial)));
    const without = decided.filter((row) => !drawn.has(source.rows.trial[row] ?? ''));
    return {
      panels,
      leftOut: all.slice(mostPanels).map(({ arm }) => arm),
      follows: followedWords(source.follows),
      crosses: source.follows.rule === 'positive',
      sets: setWords(source.follows),
      without: without.length,
      recalled: without.filter((row) => source.rows.recalled[row] === 1).length,
      failed: mine.length - decided.length,
    };
  },
  caption({ panels, leftOut, crosses, sets, without, recalled, failed }) {
    const counted = panels.map(({ arm, lines }) => {
      const changed = lines.filter((line) => line.crosses).length;
      const verb = changed === 1 ? ['crosses', 'changes'] : ['cross', 'change'];
      const what = crosses ? `${verb[0]} the line` : `${verb[1]} the likeliest label`;
      const words =
        sets === null ? `${quantityOf(changed, lines.length, 'trial')} ${what} at least once` : quantity(lines.length, 'trial');
      return panels.length === 1 ? words : `${arm}: ${words}`;
    });
    const missing = [
      ...(failed === 0 ? [] : [`${quantity(failed, 'failed trial')} ${failed === 1 ? 'has' : 'have'} no verdict and no line`]),
      ...(without === 0
        ? []
        : [
            `${quantity(without, 'decided trial')} ${without === 1 ? 'has' : 'have'} no line${recalled === 0 ? '' : `, ${recalled} of them because beliefs were recalled at the end`}`,
          ]),
      ...(leftOut.length === 0 ? [] : [`${quantityIs(leftOut.length, 'further arm')} not drawn: ${leftOut.join(', ')}`]),
    ];
    const [all, shown] = [panels.flatMap(({ lines }) => lines).length, panels.flatMap((panel) => panel.shown).length];
    const drawn =
      shown === all
        ? 'Every trial is drawn'
        : `${quantityOf(shown, all, 'trial')} are drawn, chosen at random and always the same; all numbers, the median and the band are of all`;
    const fewest = Math.min(...panels.map(({ lines }) => new Set(lines.map((line) => line.case)).size));
    return `${sets === null ? '' : `${sets} `}${counted.join('. ')}. ${drawn}; heavy line: median, band: the middle half of the trials. Drag to pan, zoom with Ctrl and the wheel.${missing.map((each) => ` ${each}.`).join('')}${smallN(fewest)}`;
  },
  height: ({ panels }) => 44 + panels.length * panelHeight,
  option: ({ panels, follows, crosses }, paint, size) => timelinesOption({ panels, follows, crosses }, paint, size),
  table: ({ panels, follows }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'step', as: 'text' },
      { name: 'n', as: 'count' },
      { name: `${follows}, lower quartile`, as: 'share' },
      { name: `${follows}, median`, as: 'share' },
      { name: `${follows}, upper quartile`, as: 'share' },
    ],
    rows: panels.flatMap(({ arm, steps, summary }) =>
      steps.map((step, x) => {
        const { n, low, median, high } = summary[x] ?? { n: 0, low: null, median: null, high: null };
        return [arm, step, n, low, median, high];
      }),
    ),
  }),
  behind({ panels }, { seriesId, dataIndex }) {
    const [what, place] = (seriesId ?? '').split(':');
    const panel = panels[Number(place)];
    if (panel === undefined) return null;
    if (what === 'median') return stepTrials(panel, dataIndex);
    const kind = kinds.find((each) => each.kind === what)?.kind;
    const line = kind === undefined ? undefined : panel.shown.filter((each) => each.kind === kind)[dataIndex];
    return line === undefined ? null : namedTrials([line.trial]);
  },
  behindRow({ panels }, row) {
    const places = panels.flatMap((panel) => panel.steps.map((_, x) => ({ panel, x })));
    const found = places[row];
    return found === undefined ? null : stepTrials(found.panel, found.x);
  },
};

/** Trials with a belief at a step. */
const stepTrials = ({ lines }: Panel, x: number) =>
  namedTrials(lines.filter(({ points }) => points.some(([at]) => at === x)).map(({ trial }) => trial));
