/** Whole texts with which a model declines to decide where a label is asked for; the one list of words that is left. */
const declined: ReadonlySet<string> = new Set([
  'abstain',
  'cannot decide',
  'cannot determine',
  "i don't know",
  'i do not know',
  'inconclusive',
  'insufficient evidence',
  'insufficient information',
  'n/a',
  'no answer',
  'no decision',
  'not sure',
  'undecided',
  'undetermined',
  'unknown',
  'unsure',
]);

const wrapping = '"\'`*_.\u201c\u201d\u2018\u2019';

/** The text without white space, quotes, asterisks, underscores and periods around it. */
function bare(text: string): string {
  const isWrapping = (character: string): boolean => character.trim() === '' || wrapping.includes(character);
  let start = 0;
  let end = text.length;
  while (start < end && isWrapping(text.charAt(start))) start += 1;
  while (end > start && isWrapping(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const normalForm = (text: string): string =>
  bare(text)
    .replaceAll('\u2019', "'")
    .split(/[\s_\u2010\u2011-]+/)
    .join(' ')
    .toLowerCase();

/** The one label that a whole text is: as spelled, else but for case, quotes, periods and how words are joined; else null. */
export function matchLabel(text: string, labels: readonly string[]): string | null {
  if (labels.includes(text)) return text;
  const wanted = normalForm(text);
  const equal = wanted === '' ? [] : labels.filter((label) => normalForm(label) === wanted);
  return equal.length === 1 ? (equal[0] ?? null) : null;
}

/** Whether the whole text openly declines to decide. Ask for labels first: a label may be such a word. */
export const isDeclined = (text: string): boolean => declined.has(normalForm(text));
