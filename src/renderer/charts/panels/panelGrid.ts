import { fewCases, shownName, textStyle, valueAxis } from '../kit/axes.ts';
import type { FigureSize, Paint } from '../kit/figure.ts';

/** Several small charts of one figure, each with its title: up to two stand one over the other, more in two columns. */

const head = 34;
const rowHeight = 176;
const edge = { left: 46, right: 14, top: 26, bottom: 26 } as const;
const nameRoom = 22;

const columnsOf = (panels: number): number => (panels > 2 ? 2 : 1);

/** Height of a figure of so many panels in pixels. */
export const panelsHeight = (panels: number): number => head + Math.ceil(panels / columnsOf(panels)) * rowHeight + nameRoom;

export interface PanelGrid {
  readonly title: object[];
  readonly grid: object[];
  /** Whether a panel has none under it. */
  isLast(place: number): boolean;
}

/** Titles and grids of panels, under a legend. @param beside pixels left of each axis for its name */
export function panelGrid(titles: readonly string[], paint: Paint, { width }: FigureSize, beside = 0): PanelGrid {
  const columns = columnsOf(titles.length);
  const across = width / columns;
  const left = (place: number) => (place % columns) * across;
  const top = (place: number) => head + Math.floor(place / columns) * rowHeight;
  return {
    title: titles.map((text, place) => ({
      text: shownName(text),
      left: left(place),
      top: top(place),
      textStyle: {
        ...textStyle(paint),
        color: paint.colour('ink'),
        fontWeight: 600,
        width: across - 2 * edge.right,
        overflow: 'truncate' as const,
      },
    })),
    grid: titles.map((_text, place) => ({
      left: left(place) + edge.left + beside,
      width: across - edge.left - beside - edge.right,
      top: top(place) + edge.top,
      height: rowHeight - edge.top - edge.bottom,
    })),
    isLast: (place) => place + columns >= titles.length,
  };
}

/** An axis of steps or values at given places, on which marks can stand beside each other. */
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

/** As `smallN`, where trials are counted and not their cases. */
export const fewTrials = (trials: number): string =>
  trials >= fewCases ? '' : ` Only ${trials} ${trials === 1 ? 'trial' : 'trials'}: one more could change the picture.`;
