import { percent, points as pointsText } from '../../../core/figures/shares.ts';
import { benjaminiHochberg } from '../../../core/statistics/adjustedPValues.ts';
import { mcnemarExact } from '../../../core/statistics/mcnemarExact.ts';
import { isSame } from '../../../core/statistics/sameNumber.ts';
import { capitalized } from '../../../core/text/visible.ts';
import type { DeliberationFigures } from '../../../shared/api/deliberation.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import { quantity } from '../../ui/quantity.ts';
import { differenceAxis, dodge, reachOf, shownName, smallN } from '../kit/axes.ts';
import { countsAsText } from '../kit/counts.ts';
import type { FigureFinding, Mark } from '../kit/figure.ts';
import { inPanels, placesAxis, stackedPanels, stepPlaces } from '../kit/layout.ts';
import { dot, rule } from '../kit/marks.ts';
import { count, figure, number, table, text } from '../kit/plot.ts';
import { endColumns, endsText, estimate, namedTrials, type Point, plainArms } from '../kit/points.ts';

const sides = [
  { side: 'prosecution', symbol: 'circle' },
  { side: 'defense', symbol: 'rect' },
] as const;
type Side = (typeof sides)[number]['side'];

interface Row extends Point {
  readonly arm: string;
  readonly side: Side;
  /** Null: all turns together. */
  readonly turn: string | null;
  /** Single changes; none where they are too many, and in the mark of all turns, which is not drawn. */
  readonly dots: readonly { readonly trial: string; readonly towards: number }[];
  /** p of the exact sign test over the mean change of each case; null if single speeches are not listed. */
  readonly p: number | null;
}

interface Panel {
  readonly arm: string;
  readonly turns: readonly string[];
  readonly rows: readonly Row[];
  readonly whole: readonly Row[];
}

/** Speeches of one mark beyond which they are not drawn one by one. */
const mostDots = 150;

function rowsOf({ arm, measures }: ArmStatistics, { arms, effects, rows }: DeliberationFigures): Row[] {
  const place = arms.findIndex(({ name }) => name === arm);
  return measures.flatMap(({ name, side, turn, value, low, high, n, cases, interval_method: method }): Row[] => {
    if (name !== 'persuasion' || side === null || value === null) return [];
    const listed = [...effects.row.entries()].flatMap(([index, row]) =>
      rows.arm[row] === place && effects.side[index] === side && (turn === null || effects.turn[index] === turn)
        ? [{ trial: rows.trial[row] ?? '', case: rows.case[row] ?? -1, towards: effects.towards[index] ?? 0 }]
        : [],
    );
    const isWhole = listed.length === n && n > 0;
    const counts = { n, of: 'speeches' } as const;
    const behind = isWhole
      ? namedTrials([...new Set(listed.map(({ trial }) => trial))], counts)
      : { arm, outcome: 'decided' as const, counts };
    const dots = turn === null || listed.length > mostDots ? [] : listed;
    return [{ arm, side, turn, value, low, high, n, cases, method, behind, dots, p: isWhole ? signTest(listed) : null }];
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

/** The place of a turn in a trial; the report has the first speech last if without a prior it moves no one. */
const rankOf = (turn: string) => ({ opening: 0, closing: 2 })[turn] ?? 1;

function panelOf(arm: ArmStatistics, source: DeliberationFigures): Panel[] {
  const all = rowsOf(arm, source);
  const rows = all.filter(({ turn }) => turn !== null);
  const turns = [...new Set(rows.flatMap(({ turn }) => turn ?? []))].toSorted((one, other) => rankOf(one) - rankOf(other));
  return rows.length === 0 ? [] : [{ arm: arm.arm, turns, rows, whole: all.filter(({ turn }) => turn === null) }];
}

const largestP = 0.05;

/** What a side does, in words; null where it is unknown. */
function doesText({ side, value, low, high }: Row, adjusted: number | null): string | null {
  if (adjusted === null || adjusted > largestP) return null;
  const way = low !== null && low > 0 ? 'nearer to' : high !== null && high < 0 ? 'further from' : null;
  return (
    way &&
    `after a speech of the ${side} the judge’s belief is ${pointsText(Math.abs(value)).slice(1)} points ${way} its side on average`
  );
}

const written =
  'The belief is nearer to a side if the interval of the mean change over all its turns lies above 0, and further from it if the interval lies below 0. It does not show that the speech caused it. In both cases the exact sign test over the mean change of each case, ' +
  'adjusted after Benjamini and Hochberg over the sides of all arms drawn, must give at most 5%. Otherwise we do not know. With few cases an interval alone is too narrow. Turns are not tested against each other.';

function findingOf(panels: readonly Panel[], isAlone: boolean): FigureFinding | null {
  const whole = panels.flatMap((panel) => sides.flatMap(({ side }) => panel.whole.find((each) => each.side === side) ?? []));
  const adjusted = benjaminiHochberg(whole.map(({ p }) => p));
  const said = panels.flatMap(({ arm }) => {
    const known = whole.flatMap((row, place) =>
      row.arm === arm ? [{ side: row.side, words: doesText(row, adjusted[place] ?? null) }] : [],
    );
    if (known.every(({ words }) => words === null)) return [];
    const unknown = (side: Side) => `whether it moves after one of the ${side} is unknown`;
    const sentence = known.map(({ side, words }) => words ?? unknown(side)).join('; ');
    return [isAlone ? sentence : `in ${shownName(arm)} ${sentence}`];
  });
  if (said.length === 0 || said.length > 2) return null;
  return { sentence: `${said.map(capitalized).join('. ')}.`, rule: written };
}

/** Place across of one of many dots: the golden ratio spreads them evenly, and the same way each time. */
const spread = (index: number) => ((index * 0.618_033_988_75) % 1) - 0.5;

function marksOf({ turns, rows }: Panel, panel: number): Mark[] {
  return sides.flatMap(({ side, symbol }, place) => {
    const mine = rows.filter((row) => row.side === side);
    const x = ({ turn }: Row) => turns.indexOf(turn ?? '') + dodge(place, sides.length, 0.36);
    const terms = { id: `${side}:${panel}`, panel, rows: mine };
    return [
      dot({
        id: `dots-${side}:${panel}`,
        panel,
        rows: mine.flatMap((row) => row.dots.map((each, index) => ({ ...each, x: x(row) + spread(index) * 0.26 }))),
        x: (each) => each.x,
        y: ({ towards }) => towards,
        colour: side,
        symbol: 'circle',
        size: 4,
        z: 0,
        style: () => ({ opacity: 0.3 }),
        tip: ({ towards }) => `${pointsText(towards)} points in one trial`,
        behind: ({ trial }) => namedTrials([trial], { n: 1, of: 'speeches' }),
      }),
      ...estimate<Row>({
        ...terms,
        name: side,
        of: (row) => row,
        at: x,
        along: 'y',
        colour: side,
        symbol,
        size: 12,
        z: 4,
        style: (paint) => ({ borderColor: paint.colour('panel'), borderWidth: 1.5 }),
        line: { colour: 'ink', z: 3 },
        ends: 5,
        width: 2,
        tip: (row, point) => {
          const [value, ...ends] = endsText(point, pointsText).split(', ');
          return `${side}, ${row.turn}, n = ${quantity(row.n, 'speech', 'speeches')}\n${[`${value} points`, ...ends].join(', ')}`;
        },
      }),
    ];
  });
}

/** Mean change of the judge's belief at the speeches of each side, turn by turn, towards the label that the side argues for. */
export const persuasionByTurnFigure = figure({
  id: 'persuasion-by-turn',
  title: 'Which side and which turn moves the judge',
  requires:
    'a speech of a side between two beliefs that the judge held just before and just after it: an arm of agentic-sim whose judge is asked after every speech records them; “Ask the judge before anyone speaks” adds the first speech',
  needs: ['deliberation'],
  plot({ report, deliberation }) {
    const all = plainArms(report).flatMap((arm) => panelOf(arm, deliberation));
    if (all.length === 0) return null;
    const { shown, panels, more } = stackedPanels(all, ({ arm }) => arm, { left: 58, high: 230, below: 30 });
    const rows = shown.flatMap((panel) => panel.rows);
    const counts = countsAsText(rows, ({ n }) => n, { noun: 'speech', plural: 'speeches', each: 'behind each mark' });
    const hasFirst = (panel: Panel, side: Side) => panel.rows.some((row) => row.turn === 'opening' && row.side === side);
    const first = shown.every((panel) => sides.every(({ side }) => hasFirst(panel, side)))
      ? ''
      : ' The first speech of a trial comes before the judge states a belief, so it does not count; “Ask the judge before anyone speaks” adds it.';
    const dots = rows.some((row) => row.dots.length > 0) ? ' Small dots: single speeches.' : '';
    const ends = rows.flatMap((row) => [row.value, row.low ?? 0, row.high ?? 0, ...row.dots.map(({ towards }) => towards)]);
    return {
      caption: `${counts}. Lines are ${percent(report.interval.level)} bootstrap intervals over cases. Above 0: towards the label that the speaker’s side argues for; below: the speech backfired. Changes after several speeches or a lost turn count for nobody and are left out.${first}${dots}${more}${smallN(Math.min(...rows.map(({ cases }) => cases)))}`,
      finding: findingOf(shown, all.length === 1),
      legend: sides.map(({ side }) => side),
      ...inPanels(panels, shown, ({ turns }, paint) => ({
        x: placesAxis(paint, stepPlaces(turns), { margin: 0.5 }),
        y: differenceAxis(paint, reachOf(ends), { name: 'change, points', nameGap: 40 }),
      })),
      marks: shown.flatMap((each, panel) => [
        ...marksOf(each, panel),
        rule({ id: `none:${panel}`, on: 'y', panel, lines: [{ value: 0, name: '' }] }),
      ]),
      table: table(
        shown.flatMap((panel) => [...panel.rows, ...panel.whole]),
        [
          text('arm', ({ arm }: Row) => arm),
          text('side', ({ side }) => side),
          text('turn', ({ turn }) => turn ?? 'all turns'),
          ...endColumns(['mean change towards its side', 'low', 'high'], number, (row: Row) => row),
          count('speeches', ({ n }) => n),
          count('cases', ({ cases }) => cases),
        ],
        ({ behind }) => behind,
      ),
    };
  },
});
