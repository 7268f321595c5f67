import type { Mention } from '../../../core/figures/mentions.ts';

/** A piece of a text that looks the same throughout. */
export interface Stretch {
  readonly start: number;
  readonly text: string;
  /** Indexes of the facts that it mentions. */
  readonly facts: readonly number[];
  /** Whether it is of what the facts do not have, and the last piece of that. */
  readonly unfounded: 'ends' | 'continues' | null;
  /** It is what was searched for; `here`: the current place of the search. */
  readonly found: 'here' | 'also' | null;
  /** It names a field of a structured answer. */
  readonly isName: boolean;
  readonly isCommented: boolean;
}

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Field names that begin lines, `critique: `, and all fields of an item, `- factor: age; weight: low`. */
export const fieldNamesIn = (text: string): Range[] =>
  [...text.matchAll(/(?<=^(?:- )*|^(?:- )+\p{Ll}[\p{L} ]{0,40}: .*; )\p{Ll}[\p{L} ]{0,40}:(?= )/gmu)].map(
    ({ index, 0: name }) => ({ start: index, end: index + name.length }),
  );

/** The stretches of each line; the ends of the lines are left out. */
export function byLine(stretches: readonly Stretch[]): Stretch[][] {
  const lines: Stretch[][] = [[]];
  for (const stretch of stretches) {
    let { start } = stretch;
    for (const [index, text] of stretch.text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ ...stretch, start, text });
      start += text.length + 1;
    }
  }
  return lines;
}

/** Divides a text where a mention or a find begins or ends; joined, the stretches are the text. */
export function stretchesOf(
  text: string,
  mentions: readonly Mention[],
  found: readonly (Range & { here: boolean })[],
  names: readonly Range[] = [],
  unfounded: readonly Range[] = [],
  commented: readonly Range[] = [],
): Stretch[] {
  const edges = new Set([0, text.length]);
  for (const { start, end } of [...mentions, ...found, ...names, ...unfounded, ...commented]) {
    edges.add(start);
    edges.add(end);
  }
  const cuts = [...edges].filter((edge) => edge <= text.length).toSorted((one, other) => one - other);
  const covers = ({ start, end }: Range, at: number) => start <= at && at < end;
  return cuts.slice(0, -1).map((start, index) => {
    const end = cuts[index + 1] ?? text.length;
    const without = unfounded.find((range) => covers(range, start));
    const finds = found.filter((range) => covers(range, start));
    return {
      start,
      text: text.slice(start, end),
      facts: [...new Set(mentions.filter((mention) => covers(mention, start)).map(({ fact }) => fact))],
      unfounded: without === undefined ? null : without.end === end ? 'ends' : 'continues',
      isName: names.some((range) => covers(range, start)),
      isCommented: commented.some((range) => covers(range, start)),
      found: finds.length === 0 ? null : finds.some(({ here }) => here) ? 'here' : 'also',
    };
  });
}
