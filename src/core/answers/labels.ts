/** Answers that decline to decide, as whole strings; underscores read as spaces. */
export const declinedAnswers = [
  'abstain',
  'abstained',
  'abstention',
  'cannot decide',
  'cannot determine',
  'cannot be determined',
  'cannot say',
  "can't decide",
  "can't determine",
  "can't say",
  'decline',
  'declined',
  'decline to answer',
  'decline to decide',
  "don't know",
  'i abstain',
  'i cannot decide',
  'i cannot determine',
  "i can't decide",
  "i can't determine",
  'i decline',
  "i don't know",
  'i do not know',
  'inconclusive',
  'indeterminate',
  'insufficient data',
  'insufficient evidence',
  'insufficient information',
  'n/a',
  'no answer',
  'no decision',
  'no prediction',
  'no verdict',
  'not determinable',
  'not determined',
  'not enough information',
  'not sure',
  'unable to decide',
  'unable to determine',
  'uncertain',
  'undecidable',
  'undecided',
  'undetermined',
  'unknown',
  'unsure',
] as const;

const declined: ReadonlySet<string> = new Set(declinedAnswers);

const wrapping = '"\'`*_.\u201c\u201d\u2018\u2019';

/** The text without white space, quotes, asterisks, underscores and periods around it. */
export function bare(text: string): string {
  const isWrapping = (character: string): boolean => character.trim() === '' || wrapping.includes(character);
  let start = 0;
  let end = text.length;
  while (start < end && isWrapping(text.charAt(start))) start += 1;
  while (end > start && isWrapping(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

/** The text without regard to case, and to whether its words are joined by spaces, underscores or hyphens. */
const normalForm = (text: string): string =>
  text
    .replaceAll('\u2019', "'")
    .split(/[\s_\u2010\u2011-]+/)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase();

interface LabelIndex {
  readonly exact: ReadonlySet<string>;
  /** The labels by their trimmed lower-case spelling. */
  readonly byCase: ReadonlyMap<string, readonly string[]>;
  /** The labels by their words. */
  readonly byWords: ReadonlyMap<string, readonly string[]>;
}

/** One for each list of labels: there may be a thousand of them, and as many texts that may be one. */
const indexes = new WeakMap<readonly string[], LabelIndex>();

function indexOf(labels: readonly string[]): LabelIndex {
  const known = indexes.get(labels);
  if (known !== undefined) return known;
  const index = {
    exact: new Set(labels),
    byCase: Map.groupBy(labels, (label) => label.trim().toLowerCase()),
    byWords: Map.groupBy(labels, normalForm),
  };
  indexes.set(labels, index);
  return index;
}

/**
 * The label that the whole text is: in its exact spelling, else the one label that equals it without
 * regard to case, else the same for the bare text, else for the words that it is made of. Null if there
 * is none, or more than one. The list of labels must not change.
 */
export function matchLabel(text: string, labels: readonly string[]): string | null {
  const { exact, byCase, byWords } = indexOf(labels);
  // The point of a fraction is no wrapping: .5 is no 5.
  if (/^[\s"'`*_]*\.\d/.test(text) && !exact.has(text.trim())) return null;
  for (const candidate of [text.trim(), bare(text)]) {
    if (exact.has(candidate)) return candidate;
    const equal = byCase.get(candidate.toLowerCase()) ?? [];
    if (equal.length === 1) return equal[0] ?? null;
    if (equal.length > 1) return null;
  }
  // A hyphen in front is a sign or a bullet, none of the label's own.
  const words = /^\p{Pd}/u.test(bare(text)) ? '' : normalForm(bare(text));
  const equal = words === '' ? [] : (byWords.get(words) ?? []);
  return equal.length === 1 ? (equal[0] ?? null) : null;
}

/** Whether the whole text openly declines to decide. Ask `matchLabel` first: a label may be such a word. */
export function isDeclined(text: string): boolean {
  const words = bare(text).replaceAll('\u2019', "'").replaceAll('_', ' ').toLowerCase();
  return declined.has(words);
}
