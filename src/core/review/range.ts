// Ranges of a text, counted in code points: no range can cut a character in two, and every language counts the same.
// W3C, Web Annotation Data Model (2017), 4.2.4, counts so too.

export interface TextRange {
  /** From 0. */
  readonly start: number;
  /** Not in the range. */
  readonly end: number;
}

/** The words of a range; null where the text does not have it, or it is empty. */
export function quoteOf(text: string, { start, end }: TextRange): string | null {
  const characters = [...text];
  return start < 0 || start >= end || end > characters.length ? null : characters.slice(start, end).join('');
}

/** A range in UTF-16 code units, as pages count, in code points. One that would cut a character has all of it. */
export function rangeOfUnits(text: string, start: number, end: number): TextRange {
  const cuts = (at: number) => at > 0 && at < text.length && /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(at - 1, at + 1));
  const count = (units: number) => [...text.slice(0, units)].length;
  return { start: count(cuts(start) ? start - 1 : start), end: count(cuts(end) ? end + 1 : end) };
}

/** Where words are in a text, in code units: in the chosen range, else nearest to its start; -1 where they are nowhere. */
export function nearest(text: string, words: string, { start, end }: TextRange): number {
  const [before, after] = [text.lastIndexOf(words, start), text.indexOf(words, start)];
  const isWithin = after + words.length <= end || after - start < start - before;
  return before < 0 || (after >= 0 && isWithin) ? after : before;
}

function placesOf(words: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) places.push(at);
  return places;
}

/** Where the words of a range are in another form of a text; null where their counts differ. @param written how it has them */
export function rangeIn(other: string, text: string, range: TextRange, written: (words: string) => string): TextRange | null {
  const quote = quoteOf(text, range);
  if (quote === null) return null;
  if (quote === text) return { start: 0, end: [...other].length };
  const words = written(quote);
  const [here, there] = [placesOf(quote, text), placesOf(words, other)];
  const at = there[here.indexOf(unitsOfRange(text, range).start)];
  return at === undefined || here.length !== there.length ? null : rangeOfUnits(other, at, at + words.length);
}

/** The same range in UTF-16 code units. */
export function unitsOfRange(text: string, { start, end }: TextRange): TextRange {
  const characters = [...text];
  const units = (count: number) => characters.slice(0, count).join('').length;
  return { start: units(start), end: units(end) };
}
