import { percent } from '../../../core/figures/shares.ts';
import { segmentsOf } from '../../../core/text/visible.ts';
import { quantity } from '../../ui/quantity.ts';
import type { Paint } from './figure.ts';

/** What figures have in common: axes, intervals, lines of reference, words about n. Options for ECharts, and plain data. */

/** A name from outside as a chart shows it: what would not be seen is named, as `HiddenText` does. */
export const shownName = (text: string): string =>
  segmentsOf(text)
    .map(({ kind, text: part, name }) => (kind === 'plain' ? part : `[${name}]`))
    .join('');

/** A name cut to so many characters, with an ellipsis. */
export function cutName(text: string, most: number): string {
  const letters = [...shownName(text)];
  return letters.length <= most ? letters.join('') : `${letters.slice(0, most - 1).join('')}…`;
}

/** A text in lines of so many letters, broken between words. */
export function brokenLines(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= letters) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** `a, b, c and 2 more`. */
export function listedNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).map(shownName).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** Under so many cases an interval is wide and one case moves it: every caption says so. */
export const fewCases = 30;

/** ` Only 12 cases: a few more could change the result.`; empty from 30 cases on. Stands at the end of a caption. */
export const smallN = (cases: number, noun = 'case'): string =>
  cases >= fewCases ? '' : ` Only ${quantity(cases, noun)}: a few more could change the result.`;

/** As `smallN`, where trials are counted and not their cases. */
export const fewTrials = (trials: number): string => smallN(trials, 'trial');

export const textStyle = (paint: Paint) => ({ color: paint.colour('muted'), fontFamily: paint.colour('sans'), fontSize: 12 });

interface AxisWords {
  /** Under or beside the axis. */
  readonly name?: string;
  readonly min?: number | 'dataMin';
  readonly max?: number | 'dataMax';
  /** Distance of the name from the axis in pixels. */
  readonly nameGap?: number;
}

const named = (paint: Paint, { name, nameGap = 28 }: AxisWords) =>
  name === undefined ? {} : { name, nameLocation: 'middle' as const, nameGap, nameTextStyle: textStyle(paint) };

/** An axis of numbers. */
export function valueAxis(paint: Paint, words: AxisWords = {}) {
  return {
    type: 'value' as const,
    ...named(paint, words),
    ...(words.min === undefined ? {} : { min: words.min }),
    ...(words.max === undefined ? {} : { max: words.max }),
    axisLabel: { ...textStyle(paint), hideOverlap: true },
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: paint.colour('line') } },
  };
}

/** An axis of shares from 0 to 1, written in percent. */
export function shareAxis(paint: Paint, words: AxisWords = {}) {
  const axis = valueAxis(paint, { min: 0, max: 1, ...words });
  return { ...axis, axisLabel: { ...axis.axisLabel, formatter: percent } };
}

/** An axis of names, cut with an ellipsis; from above to below where it stands upright. @param room pixels of a label */
export function nameAxis(
  paint: Paint,
  names: readonly string[],
  { room, upright = false, ...words }: AxisWords & { room: number; upright?: boolean },
) {
  return {
    type: 'category' as const,
    ...named(paint, words),
    data: names.map(shownName),
    inverse: upright,
    axisLabel: { ...textStyle(paint), color: paint.colour('ink'), interval: 0, width: room, overflow: 'truncate' as const },
    axisLine: { lineStyle: { color: paint.colour('line-strong') } },
    axisTick: { show: false },
  };
}

/** Shades of fields, from hardly told from the page to the first colour of the palette. */
export const heatScale = (paint: Paint, min: number, max: number) => ({
  type: 'continuous' as const,
  show: false,
  min,
  max,
  dimension: 2,
  seriesIndex: 0,
  inRange: { color: [paint.colour('sunken'), paint.series(0).colour] },
});

/** Tooltips are drawn and never HTML. */
export const tooltip = (paint: Paint) => ({
  renderMode: 'richText' as const,
  confine: true,
  backgroundColor: paint.colour('panel'),
  borderColor: paint.colour('line-strong'),
  textStyle: { ...textStyle(paint), color: paint.colour('ink') },
});

export const legend = (paint: Paint) => ({
  type: 'scroll' as const,
  top: 0,
  left: 0,
  itemHeight: 10,
  itemWidth: 14,
  itemGap: 20,
  textStyle: { ...textStyle(paint), width: 180, overflow: 'truncate' as const },
  pageTextStyle: textStyle(paint),
});

/** Pixels by which the n-th of several marks of one place stands beside its middle. @param step pixels between two */
export const dodge = (index: number, of: number, step: number): number => (index - (of - 1) / 2) * step;
