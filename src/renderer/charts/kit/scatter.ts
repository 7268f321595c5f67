import { cutNames, dodge, shareAxis, shownName, valueAxis } from './axes.ts';
import type { FigureSize, Plot } from './figure.ts';
import { dot } from './marks.ts';
import { estimate, type Point, pointText } from './points.ts';

/** An arm as a mark: x is known exactly, y with its interval. */
export interface ScatterRow {
  readonly arm: string;
  /** Arms of one condition are one series. */
  readonly condition: string;
  readonly x: number;
  readonly y: Point;
  /** Ringed, and named where there is room. */
  readonly isBest?: boolean;
}

interface Scatter<Row extends ScatterRow> {
  readonly rows: readonly Row[];
  readonly x: { readonly name: string; readonly base: 2 | 10; readonly words: (value: number) => string };
  readonly y: { readonly name: string };
  /** Series are a little apart, where many have the same x. */
  readonly dodged?: boolean;
}

const grid = { left: 62, right: 26, top: 40, bottom: 50 };
/** Under this ratio of largest to smallest, a logarithmic axis has next to no ticks. */
const narrow = 5;
/** Part of a power that stays free at both ends of a logarithmic axis. */
const edge = 0.1;
const letter = 6.5;
const lineHeight = 14;

interface Scale {
  readonly logarithmic: boolean;
  readonly min: number;
  readonly max: number;
}

/** An axis a little wider than the marks; logarithmic from end to end of whole powers where they are far apart. */
function scaleOf(values: readonly number[], base: number): Scale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (most / least < narrow) return { logarithmic: false, min: 0, max: most * 1.15 };
  const power = (round: (exponent: number) => number, value: number) => base ** round(Math.log(value) / Math.log(base));
  return {
    logarithmic: true,
    min: power((exponent) => Math.floor(exponent - edge), least),
    max: power((exponent) => Math.ceil(exponent + edge), most),
  };
}

const besideMark = 10;
const mostLetters = 24;

/** What each arm is called next to its mark, so that no two long names are cut to the same text. */
function namesOf(rows: readonly ScatterRow[]): (row: ScatterRow) => string {
  const arms = [...new Set(rows.map(({ arm }) => arm))];
  const cut = cutNames(arms, mostLetters);
  const names = new Map(arms.map((arm, place) => [arm, cut[place]]));
  return ({ arm }) => names.get(arm) ?? arm;
}

/**
 * The side of the mark on which each name is, for the rows whose names fit without meeting another name or mark, the best
 * marks first. A name next to its mark is not crossed by its upright interval.
 */
function namesThatFit(
  rows: readonly ScatterRow[],
  { logarithmic, min, max }: Scale,
  { width, height }: FigureSize,
): Map<ScatterRow, 'left' | 'right'> {
  const along = (value: number) => (logarithmic ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min));
  const across = (value: number) => grid.left + along(value) * (width - grid.left - grid.right);
  const down = (share: number) => grid.top + (1 - share) * (height - grid.top - grid.bottom);
  const lines = rows.map(({ x, y: { value, low, high } }) => ({
    x: across(x),
    from: down(high ?? value) - besideMark,
    to: down(low ?? value) + besideMark,
  }));
  const nameOf = namesOf(rows);
  const best = rows.filter(({ isBest = false }) => isBest).toSorted((one, other) => other.y.value - one.y.value);
  const kept: { row: ScatterRow; side: 'left' | 'right'; from: number; to: number; y: number }[] = [];
  for (const row of best) {
    const [x, y] = [across(row.x), down(row.y.value)];
    const wide = nameOf(row).length * letter + besideMark;
    const sides = [
      { row, side: 'right' as const, from: x, to: x + wide, y },
      { row, side: 'left' as const, from: x - wide, to: x, y },
    ];
    const fitting = sides.find(
      ({ from, to }) =>
        from >= 0 &&
        to <= width &&
        !kept.some((other) => from < other.to && other.from < to && Math.abs(other.y - y) < lineHeight) &&
        !lines.some((line) => line.x !== x && from < line.x && line.x < to && line.from < y && y < line.to),
    );
    if (fitting !== undefined) kept.push(fitting);
  }
  return new Map(kept.map(({ row, side }) => [row, side]));
}

export function scatter<Row extends ScatterRow>({
  rows,
  x,
  y,
  dodged = false,
}: Scatter<Row>): Pick<Plot, 'layout' | 'legend' | 'marks'> {
  const groups = [...Map.groupBy(rows, ({ condition }) => condition)].map(([condition, mine], place) => ({
    id: `condition-${place}`,
    name: shownName(mine.length === 1 ? (mine[0]?.arm ?? condition) : condition),
    mine,
  }));
  const nameOf = namesOf(rows);
  const scale = scaleOf(
    rows.map((row) => row.x),
    x.base,
  );
  return {
    legend: groups.map(({ name }) => name),
    layout(paint) {
      const axis = valueAxis(paint, { name: x.name, nameGap: 30, min: scale.min, max: scale.max });
      return {
        grid,
        xAxis: {
          ...axis,
          ...(scale.logarithmic ? { type: 'log', logBase: x.base } : {}),
          // The end of an even axis lies where the marks want it, and is no round number.
          axisLabel: { ...axis.axisLabel, formatter: x.words, showMaxLabel: scale.logarithmic },
        },
        yAxis: shareAxis(paint, { name: y.name, nameGap: 46 }),
      };
    },
    marks: groups.flatMap(({ id, name, mine }, colour) => {
      const offset = dodged ? dodge(colour, groups.length, Math.min(10, 24 / groups.length)) : 0;
      return [
        ...estimate({
          id,
          name,
          rows: mine,
          of: (row) => row.y,
          at: (row) => row.x,
          along: 'y',
          colour,
          size: 11,
          offset,
          label: (row, paint, size) => ({
            show: namesThatFit(rows, scale, size).has(row),
            position: namesThatFit(rows, scale, size).get(row) ?? 'right',
            distance: besideMark - 5,
            formatter: nameOf(row),
            color: paint.colour('ink'),
            textBorderColor: paint.colour('panel'),
            textBorderWidth: 3,
            fontFamily: paint.colour('sans'),
            fontSize: 11,
          }),
          tip: (row, point) => `${shownName(row.arm)}\n${x.words(row.x)}\n${y.name}: ${pointText(point)}`,
        }),
        dot({
          id: `${id}-ring`,
          rows: mine.filter(({ isBest = false }) => isBest),
          x: (row) => row.x,
          y: (row) => row.y.value,
          silent: true,
          symbol: 'circle',
          size: 19,
          colour: 'ink',
          style: (paint) => ({ color: 'transparent', borderColor: paint.colour('ink'), borderWidth: 1.5 }),
        }),
      ];
    }),
  };
}
