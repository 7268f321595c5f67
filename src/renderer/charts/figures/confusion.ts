import { percent } from '../../../core/figures/shares.ts';
import { labelNoun, retitled } from '../../../shared/decidedBy.ts';
import type { ArmStatistics } from '../../../shared/outputs.ts';
import { brokenLines, cutNames, lettersIn, nameAxis, shownName, smallN, textStyle, valueAxis, widthOf } from '../kit/axes.ts';
import { countsAsText } from '../kit/counts.ts';
import type { FigureSize, Paint, Plot, TrialsBehind } from '../kit/figure.ts';
import { armPanels, inPanels, mostPanels, panelText } from '../kit/layout.ts';
import { bar } from '../kit/marks.ts';
import { count, figure, share, table, text } from '../kit/plot.ts';
import { plainArms } from '../kit/points.ts';
import { matrix } from '../kit/shapes.ts';

/** Labels up to which a matrix can be read. */
const mostLabels = 12;
const slantedRoom = 56;
/** Further pixels below a matrix whose labels may be slanted, or in two lines. */
const slantedHeight = 16;
/** Pairs of labels that are drawn where there are more labels. */
const mostPairs = 20;
/** Arms with their own bar; more of them share one bar. */
const mostArms = 8;

interface Cell {
  readonly arm: string;
  readonly truth: string;
  readonly prediction: string;
  readonly n: number;
  /** Of the trials of the truth; null where there are none. */
  readonly share: number | null;
}

type Pair = Pick<Cell, 'truth' | 'prediction'>;
const isOf =
  (pair: Pair) =>
  ({ truth, prediction }: Pair) =>
    truth === pair.truth && prediction === pair.prediction;
const sumOf = (cells: readonly { readonly n: number }[]) => cells.reduce((sum, { n }) => sum + n, 0);

/** Cells with a trial, truth by truth; for a matrix of few labels the empty ones too. */
function cellsOf({ arm, confusion }: ArmStatistics, labels: readonly string[]): Cell[] {
  const whole = Map.groupBy(confusion, ({ truth }) => truth);
  const cell = ({ truth, prediction }: Pair): Cell => {
    const n = confusion.find(isOf({ truth, prediction }))?.n ?? 0;
    const of = sumOf(whole.get(truth) ?? []);
    return { arm, truth, prediction, n, share: of === 0 ? null : n / of };
  };
  if (labels.length > mostLabels) return confusion.map(cell);
  return labels.flatMap((truth) => labels.map((prediction) => cell({ truth, prediction })));
}

function trialsOf({ arm, truth, prediction, n }: Cell): TrialsBehind | null {
  return n === 0 ? null : { arm, outcome: 'decided', truth, prediction, counts: { n, of: 'trials' } };
}

const tip = ({ arm, truth, prediction, n, share: part }: Cell) =>
  `${shownName(arm)}\nlabel ${shownName(truth)}, verdict ${shownName(prediction)}: ${n}${part === null ? '' : `, ${percent(part)} of this label`}`;

type Drawn = Pick<Plot, 'height' | 'layout' | 'legend' | 'marks'>;

/** @param rowTitle what the rows are */
function matrices(arms: readonly string[], cells: readonly Cell[], labels: readonly string[], rowTitle: string): Drawn {
  const shown = arms.slice(0, mostPanels);
  const isMany = labels.length > 6;
  // As much as the longest label needs, so that a narrow window keeps its cells.
  const room = Math.min(96, 22 + 8 * Math.max(3, ...labels.map((label) => shownName(label).length)));
  const further = labels.some((label) => shownName(label).length > 7) ? slantedHeight : 0;
  const inArm = (name: string) => cells.filter(({ arm }) => arm === name);
  const panels = armPanels({
    titles: shown,
    notes: shown.map((name) => ` (${sumOf(inArm(name))})`),
    under: shown.map(() => `rows: ${shownName(rowTitle)}`),
    around: { left: room, right: 12, top: 42, bottom: 58 + further },
    columns: isMany ? 1 : 2,
    head: 8,
    high: 112 + further + Math.max(2, labels.length) * (isMany ? 26 : 36),
  });
  const names = (paint: Paint, wide: number, upright: boolean, lines = 1) => ({
    ...nameAxis(paint, labels, { room: wide, upright, lines }),
    axisLine: { show: false },
    splitArea: { show: false },
  });
  const verdictAxis = (paint: Paint, inside: number) => {
    const wide = inside / labels.length;
    // A label has the width of its column, in two lines if it must; a slanted one has room beyond it.
    const letters = lettersIn(wide - 4, labels.map(shownName));
    const lines = Math.max(...labels.map((label) => brokenLines(shownName(label), letters).length));
    const slanted =
      lines > 2 ||
      labels.some((label) =>
        shownName(label)
          .split(' ')
          .some((word) => widthOf(word) > wide - 4),
      );
    const axis = names(paint, slanted ? slantedRoom : wide - 4, false, slanted ? 1 : lines);
    return {
      ...axis,
      name: 'verdict',
      nameLocation: 'middle',
      nameGap: slanted || lines > 1 ? 42 : 24,
      nameTextStyle: textStyle(paint),
      axisLabel: { ...axis.axisLabel, ...(slanted ? { rotate: wide < 26 ? 75 : 40, width: slantedRoom } : {}) },
    };
  };
  return {
    ...inPanels(panels, shown, (_arm, paint, { width }) => ({
      x: verdictAxis(paint, width),
      y: names(paint, room - 14, true, isMany ? 1 : 2),
    })),
    marks: shown.map((name, panel) =>
      matrix({
        id: `cells-${panel}`,
        panel,
        rows: inArm(name),
        column: ({ prediction }) => labels.indexOf(prediction),
        row: ({ truth }) => labels.indexOf(truth),
        count: ({ n }) => n,
        shade: (cell) => cell.share ?? 0,
        isMarked: ({ truth, prediction }) => truth === prediction,
        colours: ['good', 'bad'],
        tip,
        behind: trialsOf,
      }),
    ),
  };
}

const arrow = ' → ';

function wrongPairs(cells: readonly Cell[]): Pair[] {
  const wrong = cells.filter(({ truth, prediction }) => truth !== prediction);
  const pairs = [...Map.groupBy(wrong, ({ truth, prediction }) => JSON.stringify([truth, prediction])).values()];
  return pairs
    .toSorted((one, other) => sumOf(other) - sumOf(one))
    .slice(0, mostPairs)
    .flatMap(([first]) => first ?? []);
}

function wrongBars(arms: readonly string[], cells: readonly Cell[], pairs: readonly Pair[]): Drawn {
  const letter = 7.2;
  const longest =
    Math.max(8, ...pairs.map(({ truth, prediction }) => shownName(`${truth}${arrow}${prediction}`).length)) * letter;
  const layout = (paint: Paint, { width }: FigureSize) => {
    const room = Math.round(Math.min(longest, 300, Math.max(110, width * 0.38)));
    const half = Math.max(4, Math.floor((room / letter - arrow.length) / 2));
    const truths = cutNames(
      pairs.map(({ truth }) => truth),
      half,
    );
    const predictions = cutNames(
      pairs.map(({ prediction }) => prediction),
      half,
    );
    const names = pairs.map((_pair, place) => `${truths[place]}${arrow}${predictions[place]}`);
    return {
      grid: { left: room + 10, right: 20, top: 40, bottom: 46 },
      xAxis: { ...valueAxis(paint, { min: 0, name: 'trials' }), minInterval: 1 },
      yAxis: nameAxis(paint, names, { room, upright: true }),
    };
  };
  const terms = { stack: 'arms', width: 13, value: ({ n }: Cell) => n };
  const cellIn = (arm: string, pair: Pair): Cell =>
    cells.find((cell) => cell.arm === arm && isOf(pair)(cell)) ?? { arm, ...pair, n: 0, share: null };
  const together = pairs.map((pair) => ({ ...pair, arm: 'all arms', n: sumOf(cells.filter(isOf(pair))), share: null }));
  const isTogether = arms.length > mostArms;
  const series = isTogether
    ? [{ id: 'all', name: 'all arms', rows: together }]
    : arms.map((arm, place) => ({ id: `arm-${place}`, name: shownName(arm), rows: pairs.map((pair) => cellIn(arm, pair)) }));
  const ofAll = ({ truth, prediction, n }: Cell): TrialsBehind => {
    return { outcome: 'decided', truth, prediction, subset: { arms: [...arms] }, counts: { n, of: 'trials' } };
  };
  return {
    height: 40 + Math.max(1, pairs.length) * 24 + 46,
    layout,
    legend: series.map(({ name }) => name),
    marks: series.map((each, colour) => bar<Cell>({ ...terms, ...each, colour, tip, behind: isTogether ? ofAll : trialsOf })),
  };
}

function pairsText(pairs: readonly Pair[], labels: number): string {
  const shown =
    pairs.length === 0
      ? 'No label was taken for another one'
      : pairs.length === 1
        ? 'The one confusion'
        : `The ${pairs.length} most frequent confusions`;
  return `${shown} among ${labels} labels; the table has every cell that holds a trial.`;
}

export const confusionFigure = figure({
  id: 'confusion',
  title: 'True labels against verdicts',
  paper: 'AgenticSimLLM: confusion counts, table 3',
  requires: 'decided trials of cases with one true label; cases of several labels, and open ones, have no such table',
  plot({ report }) {
    const { labels } = report;
    const found = plainArms(report).filter(({ confusion }) => confusion.length > 0);
    if (found.length === 0) return null;
    const arms = found.map(({ arm }) => arm);
    const cells = found.flatMap((arm) => cellsOf(arm, labels));
    const isMatrix = labels.length <= mostLabels;
    const pairs = isMatrix ? [] : wrongPairs(cells);
    const counts = countsAsText(found, ({ confusion }) => sumOf(confusion), {
      noun: 'decided trial',
      about: retitled('with a known truth', report),
    });
    const cases = found.map(
      ({ measures }) => measures.find(({ name, over }) => name === 'accuracy' && over === 'decided')?.cases ?? 0,
    );
    const what = isMatrix
      ? `${retitled('Rows are the truth, columns the verdict; the shade is the share of the trials of a truth.', report)}${panelText(arms.length)}`
      : pairsText(pairs, labels.length);
    return {
      caption: `${counts}. ${what}${smallN(Math.min(...cases))}`,
      ...(isMatrix ? matrices(arms, cells, labels, labelNoun(report)) : wrongBars(arms, cells, pairs)),
      table: table(
        cells,
        [
          text('arm', ({ arm }: Cell) => arm),
          text(retitled('truth', report), ({ truth }) => truth),
          text('verdict', ({ prediction }) => prediction),
          count('trials', ({ n }) => n),
          share(retitled('share of the truth', report), (cell) => cell.share),
        ],
        trialsOf,
      ),
    };
  },
});
