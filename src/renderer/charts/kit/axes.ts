import { percent, points } from '../../../core/figures/shares.ts';
import { visibleText } from '../../../core/text/visible.ts';
import { quantity } from '../../ui/quantity.ts';
import type { Paint } from './figure.ts';

/** What figures have in common: axes, intervals, lines of reference, words about n. Options for ECharts, and plain data. */

/** A name from outside as a chart shows it: what would not be seen is named, as `HiddenText` does. */
export const shownName = visibleText;

export function cutName(text: string, most: number): string {
  const letters = [...shownName(text)];
  return letters.length <= most ? letters.join('') : `${letters.slice(0, most - 1).join('')}…`;
}

const narrow = /[ ijlftrI.,:;'|!()[\]-]/g;
const wide = /[\u2E80-\uD7FF\uF900-\uFAFF\uFF00-\uFF60]|[\uD800-\uDBFF][\uDC00-\uDFFF]/g;
const countIn = (text: string, kind: RegExp) => text.match(kind)?.length ?? 0;

/** Pixels of a label across, measured by how many of its letters are narrow or wide, so that every machine draws the same. */
export const widthOf = (text: string): number => 7.3 * [...text].length - 3.1 * countIn(text, narrow) + 5 * countIn(text, wide);

/** How many letters of labels there is room for: of all names together, and of each that has no room as it is. */
export function lettersIn(room: number, names: readonly string[]): number {
  const counted = [names.join('') || ' ', ...names.filter((name) => widthOf(name) > room)];
  return Math.max(3, Math.floor(Math.min(...counted.map((text) => (room * [...text].length) / widthOf(text)))));
}

/** A long name without its beginning, from the word in which it differs from others; cut once more before its last letters if it must be. */
function cutAround(letters: readonly string[], differs: number, most: number): string {
  const word = letters.lastIndexOf(' ', differs) + 1;
  const start = Math.min(differs - word < most / 2 ? word : differs, letters.length - most + 1);
  const rest = letters.slice(start);
  const last = Math.floor(most / 3);
  const part = rest.length < most ? rest : [...rest.slice(0, most - 2 - last), '…', ...rest.slice(rest.length - last)];
  return `…${part.join('')}`;
}

/** Names within so many letters, cut in the middle; earlier if that would remove the difference between two of them. */
export function cutNames(names: readonly string[], most: number): string[] {
  const whole = names.map((name) => [...shownName(name)]);
  const last = Math.floor((most - 1) / 2);
  const first = most - 1 - last;
  const startOf = (letters: readonly string[]) => letters.slice(0, first).join('');
  // Among names with one beginning, in their order, none differs sooner from a name than the first and the last of them.
  const farthest = new Map(
    [...Map.groupBy(whole, startOf)].map(([start, group]) => {
      const sorted = group
        .filter(({ length }) => length > most)
        .map((letters) => letters.join(''))
        .toSorted();
      return [start, [...new Set([sorted[0] ?? '', sorted.at(-1) ?? ''])].map((name) => [...name])];
    }),
  );
  return whole.map((letters) => {
    if (letters.length <= most) return letters.join('');
    const end = letters.length - last;
    const differs = (farthest.get(startOf(letters)) ?? [])
      .map((other) => letters.findIndex((letter, at) => letter !== other[at]))
      .filter((at) => at >= first && at < end);
    if (differs.length > 0) return cutAround(letters, Math.min(...differs), most);
    return `${letters.slice(0, first).join('')}…${letters.slice(end).join('')}`;
  });
}

export function brokenLines(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && longer.length <= letters) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Letters that a label may have less than there is room for, so that its lines end between words. */
const spare = [0, 2, 4, 6, 8];

function labelsOf(names: readonly string[], letters: number, lines: number): string[] {
  const cuts = spare.slice(0, lines === 1 ? 1 : spare.length).map((less) => cutNames(names, letters * lines - less));
  return names.map((_name, place) => {
    const choices = cuts.map((cut) => brokenLines(cut[place] ?? '', letters));
    const fits = choices.find((broken) => broken.length <= lines && broken.every((line) => line.length <= letters));
    return (fits ?? cuts[0]?.[place]?.match(new RegExp(`.{1,${letters}}`, 'gsu')) ?? []).join('\n');
  });
}

/** `a, b, c and 2 more`. */
export function listedNames(names: readonly string[]): string {
  const shown = names.slice(0, 3).map(shownName).join(', ');
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown;
}

/** Under so many cases an interval is wide and one case moves it: every caption says so. */
export const fewCases = 30;

/** ` Only 12 cases: a few more could change the result.`; empty from 30 cases on. Comes at the end of a caption. */
export const smallN = (cases: number, noun = 'case'): string =>
  cases >= fewCases ? '' : ` Only ${quantity(cases, noun)}: a few more could change the result.`;

/** As `smallN`, where trials are counted and not their cases. */
export const fewTrials = (trials: number): string => smallN(trials, 'trial');

export const textStyle = (paint: Paint) => ({ color: paint.colour('muted'), fontFamily: paint.colour('sans'), fontSize: 12 });

interface AxisWords {
  readonly name?: string;
  readonly min?: number | 'dataMin';
  readonly max?: number | 'dataMax';
  /** Distance of the name from the axis in pixels. */
  readonly nameGap?: number;
}

const named = (paint: Paint, { name, nameGap = 28 }: AxisWords) =>
  name === undefined ? {} : { name, nameLocation: 'middle' as const, nameGap, nameTextStyle: textStyle(paint) };

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

export function shareAxis(paint: Paint, words: AxisWords = {}) {
  const axis = valueAxis(paint, { min: 0, max: 1, ...words });
  return { ...axis, axisLabel: { ...axis.axisLabel, formatter: percent } };
}

/** An axis of shares to the right whose first number leaves the corner to that of the axis upwards. */
export function cornerAxis(paint: Paint, words: AxisWords = {}) {
  const axis = shareAxis(paint, words);
  return { ...axis, axisLabel: { ...axis.axisLabel, alignMinLabel: 'left' as const } };
}

/** How far a scale of differences reaches on both sides of 0: the next round number beyond all of them. */
export function reachOf(differences: readonly (number | null | undefined)[]): number {
  const most = Math.max(0, ...differences.map((each) => Math.abs(each ?? 0)));
  return [0.02, 0.05].find((each) => most <= each) ?? Math.min(1, Math.ceil(10 * most) / 10);
}

/** An axis of differences from -1 to 1, written in points, with 0 in the middle. */
export function differenceAxis(paint: Paint, reach: number, words: AxisWords = {}) {
  const axis = valueAxis(paint, { min: -reach, max: reach, ...words });
  return { ...axis, interval: reach / 2, axisLabel: { ...axis.axisLabel, formatter: points } };
}

/** An axis of names, from the top if vertical; tooltips show cut ones. @param room pixels across @param lines of a label */
export function nameAxis(
  paint: Paint,
  names: readonly string[],
  { room, upright = false, lines = 1, ...words }: AxisWords & { room: number; upright?: boolean; lines?: number },
) {
  const letters = lettersIn(room, names);
  const labels = labelsOf(names, letters, lines);
  return {
    type: 'category' as const,
    ...named(paint, words),
    data: names.map(shownName),
    inverse: upright,
    axisLabel: {
      ...textStyle(paint),
      ...{ color: paint.colour('ink'), lineHeight: 14, interval: 0, width: room, overflow: 'truncate' as const },
      formatter: (_name: string, place: number) => labels[place] ?? '',
    },
    tooltip: { show: labels.some((label) => label.includes('…')), formatter: ({ value }: { value: string }) => value },
    axisLine: { lineStyle: { color: paint.colour('line-strong') } },
    axisTick: { show: false },
  };
}

/** Shades of fields, from hardly visible to the first colour of the palette. */
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

/** Pixels from the middle of a place to the n-th of its marks. @param step pixels between two */
export const dodge = (index: number, of: number, step: number): number => (index - (of - 1) / 2) * step;
