import { linesOf } from '../../../core/telling/lines.ts';
import type { CourtItem } from './courtItems.ts';

/** Parts of a row that hold text. `step 0` is what was settled first before it, `notes 0` the notes of its first belief. */
export type PartName = 'speech' | 'plan' | `notes ${number}` | `step ${number}`;

export interface Found {
  /** Index of the row. */
  readonly item: number;
  readonly part: PartName;
  /** In UTF-16 code units of the part's text. */
  readonly start: number;
  readonly end: number;
}

/** More are not listed. */
export const mostFound = 2_000;

/** The texts of a row, in the order in which they stand. */
export function partsOf(item: CourtItem): { part: PartName; text: string }[] {
  if (item.kind !== 'turn' && item.kind !== 'steps') return [];
  const parts: { part: PartName; text: string | null }[] = item.steps.map(({ title, blocks }, index) => ({
    ...{ part: `step ${index}`, text: [title, ...linesOf(blocks)].join('\n') },
  }));
  const { spoken, beliefs } = item.kind === 'turn' ? item : { spoken: null, beliefs: [] };
  if (spoken?.kind === 'utterance') parts.push({ part: 'speech', text: spoken.text }, { part: 'plan', text: spoken.plan });
  if (spoken?.kind === 'ruling') parts.push({ part: 'speech', text: spoken.opinion });
  for (const [index, { notes }] of beliefs.entries()) parts.push({ part: `notes ${index}`, text: notes });
  return parts.flatMap(({ part, text }) => (text === null ? [] : [{ part, text }]));
}

/** Where a text stands in the transcript, plans and notes included, whatever its capitals. */
export function find(items: readonly CourtItem[], sought: string): Found[] {
  const words = sought.trim();
  if (words === '') return [];
  const pattern = new RegExp(RegExp.escape(words).replaceAll(/(?:\\x20)+/g, '\\s+'), 'giu');
  const found: Found[] = [];
  for (const [item, each] of items.entries()) {
    for (const { part, text } of partsOf(each)) {
      for (const match of text.matchAll(pattern)) {
        found.push({ item, part, start: match.index, end: match.index + match[0].length });
        if (found.length === mostFound) return found;
      }
    }
  }
  return found;
}
