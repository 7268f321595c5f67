import { percent, points } from '../../../core/figures/shares.ts';
import {
  brokenLines,
  cutNames,
  differenceAxis,
  dodge,
  lettersIn,
  nameAxis,
  reachOf,
  shareAxis,
  shownName,
  valueAxis,
} from './axes.ts';
import type { FigureSize, Mark, Paint, Plot } from './figure.ts';
import { rule } from './marks.ts';
import { type Column, number, share, table, text } from './plot.ts';
import { countText, estimate, fewWords, type Point, pointColumns, pointText, twoDigits } from './points.ts';
import { link } from './shapes.ts';

/** An estimate of each row, as one kind of mark. */
export interface DotChannel<Row> {
  readonly id: string;
  readonly name: string;
  of(row: Row): Point | null;
  /** Its place in the palette; that among its panel's channels without it. */
  readonly colour?: number;
}

export interface DotPanel<Row> {
  readonly id: string;
  /** Under the scale. */
  readonly title?: string;
  /** `share`: 0 to 1 in percent; `number`: 0 to 1; `signed`: -1 to 1; `difference`: around 0 as far as it goes, in points; `gain`: from -100% as far as it goes; `free`: any number. */
  readonly scale: keyof typeof scales;
  readonly channels: readonly DotChannel<Row>[];
  /** Lines of reference. */
  readonly lines?: readonly { readonly value: number; readonly name: string }[];
  /** Joins the first two marks of a row. */
  readonly joined?: boolean;
}

interface DotRows<Row> {
  readonly rows: readonly Row[];
  name(row: Row): string;
  /** Rows of one group are under its name; the first of them has it. */
  group?(row: Row): string;
  readonly panels: readonly DotPanel<Row>[];
  /** Panels side by side; what is more goes below. */
  readonly columns?: number;
  /** False where the titles of the scales say all. */
  readonly legend?: boolean;
}

const scales = {
  share: { words: percent, axis: shareAxis, zero: false },
  number: {
    words: twoDigits,
    axis: (paint: Paint, words: object) => valueAxis(paint, { min: 0, max: 1, ...words }),
    zero: false,
  },
  signed: {
    words: twoDigits,
    axis: (paint: Paint, words: object) => valueAxis(paint, { min: -1, max: 1, ...words }),
    zero: true,
  },
  difference: {
    words: points,
    axis: (paint: Paint, words: object, reach: number) => differenceAxis(paint, reach, words),
    zero: true,
  },
  gain: { words: points, axis: gainAxis, zero: true },
  free: { words: twoDigits, axis: valueAxis, zero: false },
};

function gainAxis(paint: Paint, words: object) {
  const axis = valueAxis(paint, words);
  return {
    ...axis,
    // A gain is never under -100%, for any round number below it.
    min: ({ min }: { min: number }) => Math.max(-1, Math.floor(min * 5) / 5),
    axisLabel: { ...axis.axisLabel, formatter: (value: number) => `${points(value)}%` },
  };
}

/** The ends of an axis if its lines of reference are beyond all numbers; elsewhere they are round numbers. */
const upTo = (lines: readonly number[]) => ({
  min: ({ min }: { min: number }) => (Math.min(...lines) < min ? Math.min(...lines) : null),
  max: ({ max }: { max: number }) => (Math.max(...lines) > max ? Math.max(...lines) : null),
});

const lane = 11;
/** Pixels of an average letter of a label, and how much wider it is in the name of a group. */
const letter = 7;
const bold = 1.15;
/** Between panels side by side: half of the last label of one, and of the first of the next. */
const between = 40;
const lineHeight = 14;
/** Letters of a line under a scale in the narrowest window, by panels side by side. */
const narrowest = [32, 14, 9];
/** Pixels of a row with two lines, and the letters of a name from which on rows have them. */
const twoLinesHigh = 30;
const longName = 24;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Pixels of the parts of a drawing, for any width: titles have room for their lines in a narrow window too. */
function heightsOf<Row>({ rows, name, panels, columns = 1, group, legend = true }: DotRows<Row>) {
  const isLong = rows.some((row) => shownName(name(row)).length > longName);
  const least = group !== undefined || isLong ? twoLinesHigh : 0;
  const letters = narrowest[Math.min(columns, panels.length, narrowest.length) - 1] ?? 9;
  const titles = panels.map(({ title }) => (title === undefined ? 0 : brokenLines(shownName(title), letters).length));
  const lines = Math.max(0, ...titles);
  const below = lines === 0 ? 28 : 46 + (lines - 1) * lineHeight;
  const head = (legend ? 34 : 10) + (panels.some((panel) => (panel.lines ?? []).length > 0) ? 18 : 0);
  const bands = Array.from({ length: Math.ceil(panels.length / columns) }, (_none, band) => {
    const lanes = Math.max(1, ...panels.slice(band * columns, (band + 1) * columns).map(({ channels }) => channels.length));
    return rows.length * Math.max(lanes * lane + 13, least) + below;
  });
  return { head, below, bands };
}

function gridsOf<Row>(terms: DotRows<Row>, { width, height }: FigureSize) {
  const { rows, name, group, panels, columns = 1 } = terms;
  const { head, below, bands } = heightsOf(terms);
  const side = Math.min(columns, panels.length);
  const longest = Math.max(...rows.flatMap((row) => [shownName(name(row)).length, shownName(group?.(row) ?? '').length * bold]));
  const room = Math.round(Math.min(longest * letter + 8, 240, Math.max(84, width * (side > 1 ? 0.24 : 0.34))));
  const span = (width - room - 26 - between * (side - 1)) / side;
  const stretch = (height - head) / sum(bands);
  const grids = panels.map((_panel, place) => {
    const band = Math.floor(place / columns);
    return {
      left: room + 10 + (place % columns) * (span + between),
      width: span,
      top: head + sum(bands.slice(0, band)) * stretch,
      height: (bands[band] ?? 0) * stretch - below,
    };
  });
  return { room, grids };
}

/** Labels of rows in groups: the first of a group has its name above its own. */
function groupLabels<Row>(
  rows: readonly Row[],
  name: (row: Row) => string,
  group: (row: Row) => string,
  paint: Paint,
  room: number,
) {
  const cut = (names: readonly string[], across: number) => cutNames(names, lettersIn(across, names));
  const [own, groups] = [cut(rows.map(name), room), cut(rows.map(group), room / bold)];
  return {
    lineHeight,
    rich: {
      group: { color: paint.colour('ink'), fontFamily: paint.colour('sans'), fontWeight: 600, fontSize: 12, lineHeight },
    },
    color: paint.colour('muted'),
    formatter: (_name: string, at: number) => {
      const [row, before] = [rows[at], rows[at - 1]];
      if (row === undefined) return '';
      const label = own[at] ?? '';
      return before !== undefined && group(before) === group(row) ? label : `{group|${groups[at]}}\n${label}`;
    },
  };
}

function marksOf<Row>({ rows, name, group, panels }: DotRows<Row>): Mark[] {
  const several = panels.length > 1;
  return panels.flatMap(({ id, scale, channels, joined = false, lines = [] }, place): Mark[] => {
    const panel = several ? { panel: place } : {};
    const offsets = channels.map((_channel, index) => dodge(index, channels.length, lane));
    const { words, zero } = scales[scale];
    const title = (row: Row) => [...(group === undefined ? [] : [group(row)]), name(row)].map(shownName).join(', ');
    const dots = channels.flatMap((channel, index) =>
      estimate({
        ...panel,
        id: channel.id,
        name: channel.name,
        rows,
        of: channel.of,
        along: 'x',
        colour: channel.colour ?? index,
        offset: offsets[index] ?? 0,
        tip: (row, point) => `${title(row)}\n${channel.name}: ${pointText(point, words)}`,
      }),
    );
    const [from, to] = channels;
    const joint = link<Row>({
      ...panel,
      id: `${id}-joint`,
      rows,
      from: (row) => from?.of(row)?.value,
      to: (row) => to?.of(row)?.value,
      offsets: [offsets[0] ?? 0, offsets[1] ?? 0],
    });
    const reference = zero ? [{ value: 0, name: '' }, ...lines] : lines;
    return [...dots, ...(joined ? [joint] : []), rule({ ...panel, id: `${id}-lines`, on: 'x', lines: reference })];
  });
}

/** Rows of dots with their intervals on one or several scales; marked by colour and symbol. */
export function dotRows<Row>(terms: DotRows<Row>): Pick<Plot, 'height' | 'layout' | 'legend' | 'marks'> {
  const { rows, name, group, panels, columns = 1, legend = true } = terms;
  const { head, bands } = heightsOf(terms);
  const named = panels.flatMap(({ channels }) => channels.filter(({ of }) => rows.some((row) => of(row) !== null)));
  return {
    height: head + sum(bands),
    ...(legend ? { legend: [...new Set(named.map((channel) => channel.name))] } : {}),
    marks: marksOf(terms),
    layout(paint, size) {
      const { room, grids } = gridsOf(terms, size);
      const lines = (grids[0]?.height ?? 0) < rows.length * 2 * lineHeight ? 1 : 2;
      return {
        grid: grids,
        xAxis: panels.map(({ scale, title, channels, lines: reference = [] }, place) => {
          const letters = lettersIn(grids[place]?.width ?? 0, [title ?? '']);
          const words = title === undefined ? {} : { name: brokenLines(shownName(title), letters).join('\n'), nameGap: 24 };
          const drawn = channels.flatMap(({ of }) => rows.map(of));
          const reach = reachOf(drawn.flatMap((point) => [point?.value, point?.low, point?.high]));
          const axis = scales[scale].axis(paint, words, reach);
          return {
            ...axis,
            ...(scale === 'free' && reference.length > 0 ? upTo(reference.map(({ value }) => value)) : {}),
            gridIndex: place,
            splitNumber: columns > 1 ? 2 : 5,
            nameTextStyle: { ...axis.nameTextStyle, lineHeight, align: 'center', verticalAlign: 'top' },
          };
        }),
        yAxis: panels.map(({ scale }, place) => {
          const axis = nameAxis(paint, rows.map(name), { room, upright: true, lines });
          const grouped = group === undefined ? {} : groupLabels(rows, name, group, paint, room);
          return {
            ...axis,
            // A line at 0 would look like one of reference.
            axisLine: { ...axis.axisLine, onZero: scale !== 'free' },
            gridIndex: place,
            axisLabel: { ...axis.axisLabel, ...grouped, show: place % columns === 0 },
          };
        }),
      };
    },
  };
}

interface Estimates<Row> extends DotRows<Row> {
  /** Name of the first column; `arm` without it. */
  readonly first?: string;
  /** The estimate whose trials a row of the table opens; the first that it has without it. */
  readonly main?: DotChannel<Row>['of'];
  /** Further columns of the table. */
  readonly more?: readonly Column<Row>[];
  /** What the caption counts; every estimate that is drawn without it. */
  readonly counted?: readonly (Point | null)[];
  /** A kind of trials, and the place of each count. */
  readonly noun: string;
  readonly each?: string;
  /** Of the intervals. */
  readonly level: number;
  /** What the caption says between the counts and how few they are. */
  readonly says?: string;
}

/** Such rows with their caption and their table; nothing where there is no row. */
export function estimates<Row>(terms: Estimates<Row>): Plot | null {
  const { rows, name, panels, first = 'arm', main, more = [], noun, each, level, says = '' } = terms;
  if (rows.length === 0) return null;
  const channels = panels.flatMap((panel) => panel.channels.map((channel) => ({ ...channel, scale: panel.scale })));
  const points = terms.counted ?? channels.flatMap(({ of }) => rows.map(of));
  return {
    caption: `${countText(points, level, { noun, ...(each === undefined ? {} : { each }) })}${says}${fewWords(points)}`,
    ...dotRows(terms),
    table: table(
      rows,
      [
        text(first, name),
        ...channels.flatMap(({ name: title, scale, of }) => pointColumns(title, scale === 'share' ? share : number, of)),
        ...more,
      ],
      (row) => (main?.(row) ?? channels.map(({ of }) => of(row)).find((point) => point !== null))?.behind ?? null,
    ),
  };
}
