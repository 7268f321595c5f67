import { cutNames, lettersIn, shownName, textStyle, widthOf } from './axes.ts';
import type { FigureSize, Paint, Plot } from './figure.ts';

/** Pixels of the sign of a name, and of what stands around both. */
const aroundName = 44;
const rowHeight = 20;
/** So many names are always in view, or as many as so few rows hold; more have pages. */
const [mostNames, mostRows] = [8, 3];

type Name = NonNullable<Plot['legend']>[number];
const textOf = (name: Name): string => (typeof name === 'string' ? name : name.name);

/** Names of a legend as they are drawn, in rows from left to right. */
function rowsOf({ legend: names = [] }: Plot, width: number) {
  const texts = names.map(textOf);
  const room = width - aroundName;
  const isLong = texts.some((text) => widthOf(shownName(text)) > room);
  const cut = isLong ? cutNames(texts, lettersIn(room, texts)) : texts;
  const rows: { names: Name[]; left: number }[] = [];
  for (const [place, name] of names.entries()) {
    const taken = widthOf(cut[place] ?? '') + aroundName;
    const last = rows.at(-1);
    if (last === undefined || last.left < taken) rows.push({ names: [name], left: width - taken });
    else {
      last.names.push(name);
      last.left -= taken;
    }
  }
  const shown = new Map(texts.map((text, place) => [text, cut[place] ?? text]));
  return { shown, rows: names.length > mostNames && rows.length > mostRows ? null : rows };
}

/** Pixels of the rows of a legend under its first. */
export const belowLegend = (plot: Plot, width: number): number =>
  rowHeight * Math.max(0, (rowsOf(plot, width).rows?.length ?? 1) - 1);

/** The legend of a plot, a part for each of its rows. */
export function legendOf(plot: Plot, paint: Paint, { width }: FigureSize): object[] {
  const { shown, rows } = rowsOf(plot, width);
  const part = (data: readonly Name[], place: number, type: 'plain' | 'scroll') => ({
    ...{ type, left: 0, top: place * rowHeight, itemHeight: 10, itemWidth: 14, itemGap: 20, data },
    textStyle: textStyle(paint),
    pageTextStyle: textStyle(paint),
    formatter: (name: string) => shown.get(name) ?? name,
    tooltip: { show: true, formatter: ({ name }: { name: string }) => name },
  });
  return rows === null ? [part(plot.legend ?? [], 0, 'scroll')] : rows.map(({ names }, place) => part(names, place, 'plain'));
}
