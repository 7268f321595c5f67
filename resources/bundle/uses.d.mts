/** What uses a text, or an event or a row itself. */
export interface TextUse {
  /** The chain: a trial's id, or `experiment/NAME`. */
  readonly trial: string;
  readonly experiment: string | null;
  readonly arm: string | null;
  readonly case: string | null;
  /** From 0; absent where it is not known. */
  readonly replicate?: number | undefined;
  /** Of the first event that names it, with its kind and the field; null for a row of results. */
  readonly seq: number | null;
  readonly kind: string;
  readonly field: string | null;
  readonly role: string | null;
  readonly phase: string | null;
  /** Which speech of the trial it is, from 1. */
  readonly number: number | null;
  /** Events of this trial that use it so. */
  readonly times: number;
  /** All this in words. */
  readonly what: string;
}

export interface Uses {
  readonly uses: TextUse[];
  readonly more_uses: number;
  /** Trials, and other chains, that use it. */
  readonly used_in: number;
}

type About = (trial: string) => Pick<TextUse, 'experiment' | 'arm' | 'case' | 'replicate'> | undefined;
/** A text, by its ref or the beginning of it, or an event, a row of results (`seq` null) or a report of a trial. */
export type Subject =
  | { readonly ref: string; readonly isGone?: boolean }
  | { readonly trial: string; readonly seq: number | null; readonly kind: string };

interface NamingEvent {
  readonly trial: string;
  readonly seq: number;
  readonly kind: string;
  readonly payload: { includes(part: string): boolean };
}

export function usesOf(ref: string, events: Iterable<NamingEvent>, aboutOf: About): Uses;
export function placesOfTexts(
  refs: readonly string[],
  count: number,
  events: () => Iterable<NamingEvent>,
  aboutOf: About,
): string[];
export const mostTexts: number;
export function placeOf(place: { trial: string; seq: number | null; kind: string }, aboutOf: About): Uses;
/** A changed text as it is now, and how many characters follow of one that is too long to show. */
export interface Passage {
  readonly text: string;
  readonly more: number;
}

export function passageOf(text: string): Passage;
export function onOneLine(text: string): string;
export function linesOfPassage(passage: Passage): string[];
/** How many texts and events do not have their hash, or their place; of a bundle, files that are not as its manifest lists them. */
export interface Counted {
  readonly texts: number;
  readonly bad_texts: number;
  readonly events: number;
  readonly bad_events: number;
  readonly files?: number | undefined;
  readonly bad_files?: number | undefined;
  /** Of several such texts, where they are: lines to read. */
  readonly bad_text_places?: string[] | undefined;
  /** At most 20 of them. */
  readonly bad_file_names?: string[] | undefined;
  /** All this in words. */
  readonly words: string;
}
export function countedOf(counted: Omit<Counted, 'words'>, aboutOf?: About): Counted;
export function fileInWords(name: string, aboutOf: About): string;
/** The root over the events and the one that a manifest names, hexadecimal; null where there is none. */
export interface Roots {
  readonly found: string | null;
  readonly named: string | null;
  /** Both in words. */
  readonly words: string[];
}
export function rootsOf(found: string | null, named: string | null): Roots;
export function eventInWords(event: { readonly seq: number; readonly kind: string }): string;
export function meaningOf(fault: {
  readonly subject: Subject | null;
  readonly uses: readonly TextUse[];
  readonly areEventsSound: boolean;
  readonly checked?: readonly string[] | null;
  readonly left?: readonly string[];
  readonly isListed?: boolean | null;
}): string;
export function plainOf(fault: {
  readonly subject: (Subject & { readonly now?: unknown }) | null;
  readonly uses: readonly TextUse[];
  readonly isListed?: boolean | null;
}): string | undefined;
export function isCaseIn(lists: readonly (string | null)[], ref: string): boolean | null;
export function chainInWords(chain: string, about: ReturnType<About>): string;
export function linesOfUses(uses: Uses): string[];
