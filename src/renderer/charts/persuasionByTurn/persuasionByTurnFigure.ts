import { percent, points as pointsWords } from '../../../core/figures/shares.ts';
import { benjaminiHochberg } from '../../../core/statistics/benjaminiHochberg.ts';
import { mcnemarExact } from '../../../core/statistics/mcnemarExact.ts';
import { isSame } from '../../../core/statistics/sameNumber.ts';
import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import type { ArmStatistics, StatsReport } from '../../../shared/outputs.ts';
import type { Measure } from '../../../shared/statistics.ts';
import { quantity } from '../../ui/quantity.ts';
import { deliberationIn } from '../deliberation/ways.ts';
import { baselineLine, cutName, dodge, legend, shownName, smallN, tooltip, valueAxis, whiskers } from '../kit/axes.ts';
import { countsWords, quantityIs } from '../kit/counts.ts';
import { type Figure, type FigureFinding, type FigureSources, isAbsent, type Paint, type TrialsBehind } from '../kit/figure.ts';
import { namedTrials } from '../kit/namedTrials.ts';
import { stackedPanels } from '../panels/stackedPanels.ts';

const sides = [
  { side: 'prosecution', symbol: 'circle' },
  { side: 'defense', symbol: 'rect' },
] as const;
type Side = (typeof sides)[number]['side'];

interface Dot {
  readonly trial: string;
  readonly towards: number;
}

/** Speeches of one side in one turn. */
interface Point {
  readonly side: Side;
  /** Null: all turns together. */
  readonly turn: string | null;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
  readonly cases: number;
  /** Single changes; none where they are too many, and in the mark of all turns, which is not drawn. */
  readonly dots: readonly Dot[];
  /** Trials with such a speech; null where single speeches are not told. */
  readonly trials: readonly string[] | null;
  /** p of the exact sign test over the mean change of each case; null where single speeches are not told. */
  readonly p: number | null;
}

interface Panel {
  readonly arm: string;
  readonly turns: readonly string[];
  readonly points: readonly Point[];
  readonly whole: readonly Point[];
}

interface Data {
  readonly panels: readonly Panel[];
  readonly leftOut: number;
  readonly level: number;
}

/** Speeches of one mark beyond which they are not drawn one by one. */
const mostDots = 150;
const mostPanels = 6;
const panelHeight = 230;
const top = 34;

const isSide = (side: Measure['side']): side is Side => side !== null;

function pointsOf({ arm, measures }: ArmStatistics, { arms, effects, rows }: DeliberationFigures): Point[] {
  const place = arms.findIndex(({ name }) => name === arm);
  return measures.flatMap(({ name, side, turn, value, low, high, n, cases }): Point[] => {
    if (name !== 'persuasion' || !isSide(side) || value === null) return [];
    const mine = [...effects.row.keys()].filter(
      (index) =>
        rows.arm[effects.row[index] ?? -1] === place &&
        effects.side[index] === side &&
        (turn === null || effects.turn[index] === turn),
    );
    const told = mine.map((index) => ({
      trial: rows.trial[effects.row[index] ?? -1] ?? '',
      case: rows.case[effects.row[index] ?? -1] ?? -1,
      towards: effects.towards[index] ?? 0,
    }));
    const whole = told.length === n && n > 0;
    return [
      {
        side,
        turn,
        value,
        low,
        high,
        n,
        cases,
        dots: turn === null || told.length > mostDots ? [] : told,
        trials: whole ? [...new Set(told.map(({ trial }) => trial))] : null,
        p: whole ? signTest(told) : null,
      },
    ];
  });
}

/** Exact sign test of the cases' mean changes against 0: cases are independent of each other, speeches of a case are not. */
function signTest(changes: readonly { readonly case: number; readonly towards: number }[]): number {
  const sums = [...Map.groupBy(changes, (change) => change.case).values()].map((mine) =>
    mine.reduce((sum, { towards }) => sum + towards, 0),
  );
  const moved = sums.filter((sum) => !isSame(sum, 0));
  return mcnemarExact(moved.filter((sum) => sum > 0).length, moved.filter((sum) => sum < 0).length).p;
}

/** Where a turn stands in a trial; the report has the first speech last, where it moves nobody without a prior. */
const rankOf = (turn: string) => ({ opening: 0, closing: 2 })[turn] ?? 1;

function panelOf(arm: ArmStatistics, source: DeliberationFigures): Panel[] {
  const all = pointsOf(arm, source);
  const own = all.filter(({ turn }) => turn !== null);
  if (own.length === 0) return [];
  const turns = [...new Set(own.flatMap(({ turn }) => turn ?? []))].toSorted((one, other) => rankOf(one) - rankOf(other));
  return [{ arm: arm.arm, turns, points: own, whole: all.filter(({ turn }) => turn === null) }];
}

const isFirst = (point: Point, side: Side) => point.turn === 'opening' && point.side === side;

const largestP = 0.05;

type Said = 'moves' | 'backfires' | 'unknown';

const does = ({ low, high }: Point, adjusted: number | null): Said => {
  if (adjusted === null || adjusted > largestP) return 'unknown';
  return low !== null && low > 0 ? 'moves' : high !== null && high < 0 ? 'backfires' : 'unknown';
};

/** What the sides of one arm do; null where neither can be told. */
function sentenceOf(points: readonly { readonly point: Point; readonly adjusted: number | null }[]): string | null {
  const known = points.map(({ point, adjusted }) => {
    const { side, value } = point;
    const what = does(point, adjusted);
    const by = pointsWords(Math.abs(value)).slice(1);
    return {
      what,
      words: {
        moves: `a speech of the ${side} moves the judge ${by} points towards its side`,
        backfires: `a speech of the ${side} moves the judge ${by} points away from its side`,
        unknown: `whether one of the ${side} moves the judge at all cannot be told`,
      }[what],
    };
  });
  return known.every(({ what }) => what === 'unknown') ? null : known.map(({ words }) => words).join('; ');
}

const rule =
  'A side is said to move the judge where the interval of its mean change over all its turns lies above 0, to move it away where it lies below 0, and where besides the exact sign test over the mean change of each case, ' +
  'adjusted after Benjamini and Hochberg over the sides of all arms drawn, gives at most 5%; else it cannot be told. An interval alone is too sure of itself with few cases. Turns are not tested against each other.';

function findingOf({ panels, leftOut }: Data): FigureFinding | null {
  const whole = panels.flatMap((panel) =>
    sides.flatMap(({ side }) => {
      const point = panel.whole.find((each) => each.side === side);
      return point === undefined ? [] : [{ panel, point }];
    }),
  );
  const adjusted = benjaminiHochberg(whole.map(({ point }) => point.p));
  const tested = whole.map((each, place) => ({ ...each, adjusted: adjusted[place] ?? null }));
  const said = panels.flatMap((panel) => {
    const sentence = sentenceOf(tested.filter((each) => each.panel === panel));
    return sentence === null ? [] : [panels.length + leftOut === 1 ? sentence : `in ${shownName(panel.arm)} ${sentence}`];
  });
  if (said.length === 0 || said.length > 2) return null;
  const sentence = `${said.join('. In ').replaceAll('. In in ', '. In ')}.`;
  return { sentence: sentence.charAt(0).toUpperCase() + sentence.slice(1), rule };
}

const pointWords = ({ side, turn, value, low, high, n }: Point) =>
  `${side}, ${turn}, n = ${quantity(n, 'speech', 'speeches')}\n${pointsWords(value)} points${low === null || high === null ? '' : `, ${pointsWords(low)} to ${pointsWords(high)}`}`;

/** Place across of one of many dots: the golden ratio spreads them evenly, and the same way each time. */
const spread = (index: number) => ((index * 0.618_033_988_75) % 1) - 0.5;

function panelSeries({ turns, points: all }: Panel, index: number, paint: Paint) {
  const place = { xAxisIndex: index, yAxisIndex: index };
  return sides.flatMap(({ side, symbol }, sidePlace) => {
    const colour = paint.colour(side);
    const mine = all.filter((point) => point.side === side);
    const at = ({ turn }: Point) => turns.indexOf(turn ?? '');
    const offset = dodge(sidePlace, sides.length, 0.36);
    return [
      {
        type: 'scatter',
        ...place,
        id: `dots-${side}:${index}`,
        symbol: 'circle',
        symbolSize: 4,
        z: 0,
        itemStyle: { color: colour, opacity: 0.3 },
        data: mine.flatMap((point) => point.dots.map(({ towards }, dot) => [at(point) + offset + spread(dot) * 0.26, towards])),
      },
      {
        ...whiskers({
          id: `${side}:${index}-interval`,
          colour: paint.colour('ink'),
          ends: 5,
          width: 2,
          points: mine.map((point) => ({ at: at(point) + offset, low: point.low, high: point.high })),
        }),
        ...place,
        z: 3,
      },
      {
        type: 'scatter',
        ...place,
        id: `${side}:${index}`,
        name: side,
        symbol,
        symbolSize: 12,
        z: 4,
        itemStyle: { color: colour, borderColor: paint.colour('panel'), borderWidth: 1.5 },
        data: mine.map((point) => [at(point) + offset, point.value]),
      },
    ];
  });
}

/** Points of a mark, by the id of its series. */
function marked({ panels }: Data, seriesId: string | null) {
  const [what = '', place] = (seriesId ?? '').split(':');
  const panel = panels[Number(place)];
  const side = sides.find((each) => what.includes(each.side))?.side;
  return panel === undefined || side === undefined
    ? null
    : { panel, areDots: what.startsWith('dots'), points: panel.points.filter((point) => point.side === side) };
}

function behindPoint({ arm }: Panel, { trials, n }: Point): TrialsBehind {
  const counts = { n, of: 'speeches' } as const;
  return trials === null ? { arm, outcome: 'decided', counts } : namedTrials(trials, counts);
}

/** Mean change of the judge's belief at the speeches of each side, turn by turn, towards the label that the side argues for. */
export const persuasionByTurnFigure: Figure<Data> = {
  id: 'persuasion-by-turn',
  title: 'Which side and which turn moves the judge',
  paper: null,
  group: 'deliberation',
  needs: ['deliberation'],
  data(sources: FigureSources) {
    const source = deliberationIn(sources);
    if (isAbsent(source)) return source;
    const report: StatsReport = sources.report;
    const all = report.arms.filter(({ swap }) => swap === null).flatMap((arm) => panelOf(arm, source));
    if (all.length === 0) {
      return {
        absent:
          'No speech of a side stands between two beliefs that the judge held just before and just after it. An arm of agentic-sim with "beliefUpdates": "live" records them; "priorBelief": true adds the first speech.',
      };
    }
    return { panels: all.slice(0, mostPanels), leftOut: Math.max(0, all.length - mostPanels), level: report.interval.level };
  },
  finding: findingOf,
  caption({ panels, leftOut, level }) {
    const all = panels.flatMap((panel) => panel.points);
    const counts = countsWords(
      all.map(({ n }) => n),
      { noun: 'speech', plural: 'speeches', each: 'behind each mark' },
    );
    const unmoved = panels.some((panel) => sides.some(({ side }) => !panel.points.some((point) => isFirst(point, side))));
    const first = unmoved
      ? ' The first speech of a trial is heard before the judge has told a belief, and is not in it; "priorBelief": true adds it.'
      : '';
    const dots = all.some((point) => point.dots.length > 0) ? ' Small dots: single speeches.' : '';
    const more = leftOut === 0 ? '' : ` ${quantityIs(leftOut, 'further arm')} not drawn.`;
    return `${counts}. Lines are ${percent(level)} bootstrap intervals over cases. Above 0: towards the label that the speaker’s side argues for; below: the speech backfired. Changes after several speeches or a lost turn are put down to nobody and left out.${first}${dots}${more}${smallN(Math.min(...all.map(({ cases }) => cases)))}`;
  },
  height: ({ panels }) => top + panels.length * panelHeight,
  option(data, paint, size) {
    const { panels } = data;
    const reach = Math.max(
      0.1,
      ...panels.flatMap(({ points: all }) =>
        all
          .flatMap(({ value, low, high, dots }) => [value, low ?? 0, high ?? 0, ...dots.map(({ towards }) => towards)])
          .map(Math.abs),
      ),
    );
    const limit = Math.min(1, Math.ceil(reach * 10) / 10);
    return {
      animation: false,
      legend: { ...legend(paint), data: sides.map(({ side }) => side) },
      tooltip: {
        ...tooltip(paint),
        trigger: 'item',
        formatter: ({ seriesId = '', dataIndex }: { seriesId?: string; dataIndex: number }) => {
          const found = marked(data, seriesId);
          if (found === null) return '';
          if (!found.areDots) return found.points[dataIndex] === undefined ? '' : pointWords(found.points[dataIndex]);
          const dot = found.points.flatMap(({ dots }) => dots)[dataIndex];
          return dot === undefined ? '' : `${pointsWords(dot.towards)} points in one trial`;
        },
      },
      ...stackedPanels(
        {
          panels: panels.map(({ arm, turns }) => ({ title: cutName(arm, 60), steps: turns })),
          top,
          left: 58,
          around: 52,
          margin: 0.5,
        },
        paint,
        size,
      ),
      yAxis: panels.map((_, index) => {
        const axis = valueAxis(paint, { name: 'change, points', nameGap: 40, min: -limit });
        return { ...axis, max: limit, gridIndex: index, axisLabel: { ...axis.axisLabel, formatter: pointsWords } };
      }),
      series: panels.flatMap((panel, index) => [
        ...panelSeries(panel, index, paint),
        {
          ...baselineLine(paint, { id: `none:${index}`, lines: [{ value: 0, name: '' }] }),
          xAxisIndex: index,
          yAxisIndex: index,
        },
      ]),
    };
  },
  table: ({ panels }) => ({
    columns: [
      { name: 'arm', as: 'text' },
      { name: 'side', as: 'text' },
      { name: 'turn', as: 'text' },
      { name: 'mean change towards its side', as: 'number' },
      { name: 'low', as: 'number' },
      { name: 'high', as: 'number' },
      { name: 'speeches', as: 'count' },
      { name: 'cases', as: 'count' },
    ],
    rows: tableRows(panels).map(({ panel, point: { side, turn, value, low, high, n, cases } }) => [
      panel.arm,
      side,
      turn ?? 'all turns',
      value,
      low,
      high,
      n,
      cases,
    ]),
  }),
  behind(data, { seriesId, dataIndex }) {
    const found = marked(data, seriesId);
    if (found === null) return null;
    if (found.areDots) {
      const dot = found.points.flatMap(({ dots }) => dots)[dataIndex];
      return dot === undefined ? null : namedTrials([dot.trial], { n: 1, of: 'speeches' });
    }
    const point = found.points[dataIndex];
    return point === undefined ? null : behindPoint(found.panel, point);
  },
  behindRow({ panels }, row) {
    const found = tableRows(panels)[row];
    return found === undefined ? null : behindPoint(found.panel, found.point);
  },
};

const tableRows = (panels: readonly Panel[]) =>
  panels.flatMap((panel) => [...panel.points, ...panel.whole].map((point) => ({ panel, point })));
