import { cutNames, lettersIn, nameAxis, shownName, textStyle, valueAxis, widthOf } from './axes.ts';
import { quantityIs } from './counts.ts';
import type { FigureSize, Paint, Plot } from './figure.ts';

/** Layout of a drawing: rows of names next to one scale, or panels with a title each. */

/** Rows of names from top to bottom, next to one scale. @param high pixels of a row */
export const rowsLayout = (
  names: readonly string[],
  scale: (paint: Paint) => object,
  { head, high, foot = 30, right = 20 }: Readonly<Record<'head' | 'high', number>> & { foot?: number; right?: number },
): Pick<Plot, 'height' | 'layout'> => ({
  height: head + names.length * high + foot,
  layout(paint, { width }) {
    // As much as the longest name needs, within limits.
    const longest = Math.max(...names.map((name) => shownName(name).length)) * 7 + 8;
    const room = Math.round(Math.min(longest, 240, Math.max(84, width * 0.34)));
    return {
      grid: { left: room + 10, right, top: head, bottom: foot },
      xAxis: scale(paint),
      yAxis: nameAxis(paint, names, { room, upright: true, lines: high < 30 ? 1 : 2 }),
    };
  },
});

export interface Panels {
  readonly titles: readonly string[];
  /** After each title, never cut. */
  readonly notes?: readonly string[];
  /** On a line under each title. */
  readonly under?: readonly string[];
  /** Pixels around the area of a panel. */
  readonly around: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  /** Pixels of a title from the corner of its panel. */
  readonly at: readonly [number, number];
  /** Panels side by side. */
  readonly columns: number;
  /** Pixels above and below all panels. */
  readonly head: number;
  readonly foot?: number;
  /** Further pixels, shared by all panels. */
  readonly tail?: number;
  /** Pixels of a panel from one to the next below it. */
  readonly high: number;
}

/** Panels that are drawn; what more arms there are is in the table. */
export const mostPanels = 24;

export const armPanels = (
  terms: Pick<Panels, 'titles' | 'around' | 'head' | 'high'> & Partial<Pick<Panels, 'notes' | 'under' | 'columns'>>,
): Panels => ({ at: [7, -5], columns: 2, ...terms });

export const mostLargePanels = 6;

const columnsOf = ({ titles, columns }: Panels) => Math.max(1, Math.min(columns, titles.length));

const panelsHeight = (panels: Panels): number =>
  panels.head + Math.ceil(panels.titles.length / columnsOf(panels)) * panels.high + (panels.foot ?? 0) + (panels.tail ?? 0);

export const isLast = (panels: Panels, place: number): boolean => place + columnsOf(panels) >= panels.titles.length;

/** How much wider a letter of a title is than one of a label. */
const bold = 1.07;
const lineHeight = 14;

function panelGrid(panels: Panels, paint: Paint, { width, height }: FigureSize) {
  const columns = columnsOf(panels);
  const { around, at, head, foot = 0, titles, notes = [], under = [] } = panels;
  const wide = width / columns;
  const high = (height - head - foot) / Math.ceil(titles.length / columns);
  const room = (wide - 24) / bold - Math.max(0, ...notes.map(widthOf));
  const cut = cutNames(titles, Math.max(8, lettersIn(room, titles)));
  const corner = (place: number) => ({ left: (place % columns) * wide, top: head + Math.floor(place / columns) * high });
  return {
    grid: titles.map((_title, place) => {
      const { left, top } = corner(place);
      return {
        left: left + around.left,
        top: top + around.top,
        width: wide - around.left - around.right,
        height: high - around.top - around.bottom,
      };
    }),
    title: cut.map((title, place) => {
      const { left, top } = corner(place);
      return {
        text: `${title}${notes[place] ?? ''}`,
        left: left + at[0],
        top: top + at[1],
        textStyle: { ...textStyle(paint), lineHeight, color: paint.colour('ink'), fontWeight: 600 as const },
        ...(under[place] === undefined ? {} : { subtext: under[place], subtextStyle: { ...textStyle(paint), lineHeight } }),
        itemGap: 2,
      };
    }),
  };
}

/** Panels with the axes of each. @param axes of a panel, given the pixels of its area across @param more further terms of the drawing */
export const inPanels = <Each>(
  panels: Panels,
  shown: readonly Each[],
  axes: (
    each: Each,
    paint: Paint,
    at: { readonly place: number; readonly width: number },
  ) => { readonly x: object; readonly y: object },
  more: object = {},
): Pick<Plot, 'height' | 'layout'> => ({
  height: panelsHeight(panels),
  layout(paint, size) {
    const drawn = panelGrid(panels, paint, size);
    const both = shown.map((each, place) => axes(each, paint, { place, width: drawn.grid[place]?.width ?? 0 }));
    const placed = (axis: object, gridIndex: number) => ({ ...axis, gridIndex });
    return {
      ...drawn,
      xAxis: both.map(({ x }, place) => placed(x, place)),
      yAxis: both.map(({ y }, place) => placed(y, place)),
      ...more,
    };
  },
});

/** ` The first 24 of 60 arms are drawn; the table has all.`; empty where all are. */
export const panelText = (arms: number): string =>
  arms > mostPanels ? ` The first ${mostPanels} of ${arms} arms are drawn; the table has all.` : '';

/** Panels of steps, or of values step by step: one over the other, more than two in two columns. */
export const smallPanels = (titles: readonly string[], extra = 0): Panels => ({
  titles,
  around: { left: 46 + extra, right: 14, top: 26, bottom: 26 },
  at: [0, 0],
  columns: titles.length > 2 ? 2 : 1,
  head: 34,
  foot: 22,
  high: 176,
});

/** Large panels under each other at full width; those beyond the most are counted. @param below pixels under each area */
export function stackedPanels<Each>(
  all: readonly Each[],
  title: (each: Each) => string,
  { left, high, below }: Readonly<Record<'left' | 'high' | 'below', number>>,
) {
  const shown = all.slice(0, mostLargePanels);
  const panels: Panels = {
    titles: shown.map(title),
    around: { left, right: 14, top: 22, bottom: below },
    at: [left - 6, -4],
    columns: 1,
    head: 34,
    high,
  };
  const more = all.length - shown.length;
  return { shown, panels, more: more === 0 ? '' : ` ${quantityIs(more, 'further arm')} not drawn.` };
}

/** An axis of steps or values at given places, on which marks can be side by side. */
export function placesAxis(
  paint: Paint,
  places: readonly { readonly at: number; readonly name: string }[],
  { name, margin }: { readonly name?: string; readonly margin: number },
) {
  const at = places.map((place) => place.at);
  const names = new Map(places.map((place) => [place.at, place.name]));
  return {
    ...valueAxis(paint, { ...(name === undefined ? {} : { name }), nameGap: 24 }),
    min: Math.min(...at) - margin,
    max: Math.max(...at) + margin,
    splitLine: { show: false },
    axisLine: { show: true, onZero: false, lineStyle: { color: paint.colour('line-strong') } },
    axisLabel: {
      ...textStyle(paint),
      color: paint.colour('ink'),
      customValues: at,
      hideOverlap: true,
      formatter: (value: number) => names.get(value) ?? '',
    },
  };
}

/** Steps as places, from 0. */
export const stepPlaces = (steps: readonly string[]) => steps.map((step, at) => ({ at, name: shownName(step) }));
