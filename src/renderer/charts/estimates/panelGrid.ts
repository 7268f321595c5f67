import { cutName, textStyle } from '../kit/axes.ts';
import type { FigureSize, Paint } from '../kit/figure.ts';

/** Small panels of one kind, one for each arm. */
export interface PanelGrid {
  readonly names: readonly string[];
  /** Behind each name, never cut. */
  readonly notes?: readonly string[];
  /** Pixels around the area of a panel. */
  readonly around: { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
  /** Panels side by side, 2 without it. */
  readonly columns?: number;
  /** Pixels above all panels. */
  readonly head: number;
  /** Pixels of a panel from one to the next below it. */
  readonly high: number;
}

/** Pixels of an average letter of a name. */
const letter = 7.4;

/** Panels that are drawn; what more arms there are is in the table. */
export const mostPanels = 24;

const columnsOf = ({ names, columns = 2 }: PanelGrid) => Math.max(1, Math.min(columns, names.length));

/** Height of all panels in pixels. */
export const panelsHeight = (panels: PanelGrid): number =>
  panels.head + Math.ceil(panels.names.length / columnsOf(panels)) * panels.high;

/** Place of each panel in the drawing, in pixels, and the names over them. */
export function panelGrid(panels: PanelGrid, paint: Paint, { width, height }: FigureSize) {
  const columns = columnsOf(panels);
  const { around, head, names, notes = [] } = panels;
  const wide = width / columns;
  const high = (height - head) / Math.ceil(names.length / columns);
  const corner = (place: number) => ({ left: (place % columns) * wide, top: head + Math.floor(place / columns) * high });
  const inside = wide - around.left - around.right;
  return {
    grids: names.map((_name, place) => {
      const { left, top } = corner(place);
      return {
        left: left + around.left,
        top: top + around.top,
        width: inside,
        height: high - around.top - around.bottom,
      };
    }),
    titles: names.map((name, place) => {
      const { left, top } = corner(place);
      return {
        text: `${cutName(name, Math.max(8, Math.floor((wide - 24) / letter) - (notes[place] ?? '').length))}${notes[place] ?? ''}`,
        left: left + 12,
        top,
        padding: 0,
        textStyle: { ...textStyle(paint), color: paint.colour('ink'), fontWeight: 600 as const },
      };
    }),
  };
}

/** ` The first 24 of 60 arms are drawn; the table has all.`; empty where all are. */
export const panelWords = (arms: number): string =>
  arms > mostPanels ? ` The first ${mostPanels} of ${arms} arms are drawn; the table has all.` : '';
