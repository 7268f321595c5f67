import { linesOf, type SpeechBlock, speechesIn } from '../../../core/telling/blocks.ts';
import type { ToldStep } from '../../../core/telling/steps.ts';
import type { TranscriptEntry } from '../../../shared/api/trials.ts';
import type { CourtItem } from './courtItems.ts';

/** What holds text in a row: what was settled before it, a speech, a plan, notes. */
type Part = SpeechBlock | ToldStep;

export interface Found {
  /** Index of the row. */
  readonly item: number;
  readonly part: Part;
  /** As they were sought, without spaces around them. */
  readonly words: string;
  /** In UTF-16 code units of the part's text; of a step its lines, title first. */
  readonly start: number;
  readonly end: number;
}

/** More are not listed. */
export const mostFound = 2_000;

export function partsOf(item: CourtItem): { part: Part; text: string }[] {
  if (item.kind !== 'turn' && item.kind !== 'steps') return [];
  const scores = item.kind === 'turn' ? item.scores : [];
  const textOf = (step: ToldStep) => ({ part: step, text: [step.title, ...linesOf(step.blocks)].join('\n') });
  const speeches = item.kind === 'turn' ? speechesIn([...item.said, ...item.notes]) : [];
  return [
    ...item.steps.map(textOf),
    ...speeches.flatMap((part) => (part.text === null ? [] : [{ part, text: part.text }])),
    ...scores.map(textOf),
  ];
}

/** What a role said aloud in a row: a speech, or the reasons of a ruling. */
export const recordedIn = (item: CourtItem | null): string => {
  const aloud = item?.kind === 'turn' ? item.said.findLast((block) => block.kind === 'speech') : undefined;
  return aloud?.text ?? '';
};

/** What the court heard in a row; empty also where it did not hear what was said. */
export const heardIn = (item: CourtItem | null): string => {
  const instead = item?.kind === 'turn' ? item.heardInstead : undefined;
  return instead === undefined ? recordedIn(item) : (instead ?? '');
};

/** Place of the event that a part of a row is from. */
function eventOf(part: Part, item: CourtItem | undefined): number | undefined {
  if (part.seq !== undefined) return part.seq;
  return item?.kind === 'turn' ? item.seq : undefined;
}

/** The first of some finds that is in the words of an event; -1 where none is. */
export const findOfEvent = (found: readonly Found[], items: readonly CourtItem[], seq: number): number =>
  found.findIndex(({ item, part }) => eventOf(part, items[item]) === seq);

/** The event whose words a transcript shows in place of those of another: of a draft that was revised, the joint proposal. */
export function shownFor(entries: readonly TranscriptEntry[], seq: number): number {
  const isDraft = entries.some((entry) => entry.seq === seq && entry.kind === 'proposal' && entry.stage === 'draft');
  const joint = entries.find((entry) => entry.kind === 'proposal' && entry.stage === 'joint');
  return isDraft && joint !== undefined ? joint.seq : seq;
}

const shows = (seq: number) => (step: { readonly seq: number }) => step.seq === seq;

/** Index of the row that shows an event; if none does, of the row that the trial had then reached. */
export function rowTelling(items: readonly CourtItem[], seq: number): number {
  const at = items.findIndex((item) => {
    if (item.kind === 'turn')
      return item.seq === seq || [item.beliefs, item.steps, item.scores].some((all) => all.some(shows(seq)));
    return item.kind === 'steps' && item.steps.some(shows(seq));
  });
  return at >= 0
    ? at
    : Math.max(
        0,
        items.findLastIndex((item) => item.kind === 'turn' && item.seq <= seq),
      );
}

export const patternOf = (words: string): RegExp => new RegExp(RegExp.escape(words).replaceAll(/(?:\\x20)+/g, '\\s+'), 'giu');

/** Where a text is in the transcript, plans and notes included, with any capitals. */
export function find(items: readonly CourtItem[], sought: string): Found[] {
  const words = sought.trim();
  if (words === '') return [];
  const pattern = patternOf(words);
  const found: Found[] = [];
  for (const [item, each] of items.entries()) {
    for (const { part, text } of partsOf(each)) {
      for (const match of text.matchAll(pattern)) {
        found.push({ item, part, words, start: match.index, end: match.index + match[0].length });
        if (found.length === mostFound) return found;
      }
    }
  }
  return found;
}
