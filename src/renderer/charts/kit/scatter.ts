import { cutNames, dodge, shareAxis, shownName, valueAxis } from './axes.ts';
import type { Plot } from './figure.ts';
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

/** An axis a little wider than the marks; logarithmic from end to end of whole powers where they are far apart. */
function scaleOf(values: readonly number[], base: number) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (most / least < narrow) return { logarithmic: false, min: 0, max: most * 1.15 };
  const power = (round: (exponent: number) => number, value: number) => base ** round(Math.log(value) / Math.log(base));
  return {
    logarithmic: true,
    min: power((exponent) => Math.floor(exponent - edge), least),
    max: power((exponent) => Math.ceil(exponent + edge), most),
  };
}

const mostLetters = 24;

/** What each arm is called next to its mark, so that no two long names are cut to the same text. */
function namesOf(rows: readonly ScatterRow[]): (row: ScatterRow) => string {
  const arms = [...new Set(rows.map(({ arm }) => arm))];
  const cut = cutNames(arms, mostLetters);
  const names = new Map(arms.map((arm, place) => [arm, cut[place]]));
  return ({ arm }) => names.get(arm) ?? arm;
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
          // Over the names, which may cross it.
          line: { colour, z: 3 },
          label: (row, paint) => ({
            show: row.isBest === true,
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
