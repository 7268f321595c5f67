/** One thing that is known of the case. */
export interface CaseFact {
  /** A feature's name, or the part of the case that a passage stands in; empty for a plain text. */
  readonly name: string;
  /** A feature's value, or a passage's words. */
  readonly value: string;
  /** Whether the value is a passage of running text. */
  readonly passage: boolean;
  /** Whether the passage is cut out of a longer sentence. */
  readonly cut: boolean;
}

const mostWords = 14;
/** A long text is known by this many of its passages, taken from all of it. */
const mostPassages = 40;
const wordsOf = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');
const entry = (name: string, value: string): CaseFact => ({ name: name.trim(), value: value.trim(), passage: false, cut: false });

/** Words that begin a sentence without being a name, and so lose their capital inside another one. */
export const plainStart =
  /^(?:the|an?|this|that|these|those|there|it|its|he|she|they|his|her|their|no|nobody|nothing|none|someone|somebody|something|everyone|everybody|all|some|many|most|each|every|one|two|three|four|five|six|several|both|few|after|before|when|while|since|during|until|at|in|on|for|from|with|by|two|people|men|women|children|\d+)\b/i;

/** Parts of a sentence that can stand alone. */
function clausesOf(sentence: string): string[] {
  const parts: string[] = [];
  for (const part of sentence.split(/;\s+|\s+[–—-]\s+|,\s+(?=(?:and|but|so|while|although|though|yet)\s)/)) {
    const bare = part.replace(/^(?:and|but|so|while|although|though|yet)\s+/i, '');
    const stands = plainStart.test(bare) || /^\p{Lu}/u.test(bare);
    if (parts.length === 0 || (stands && wordsOf(bare).length >= 4)) parts.push(parts.length === 0 ? part : bare);
    else parts[parts.length - 1] += `, ${part}`;
  }
  return parts.filter((part) => wordsOf(part).length >= 2);
}

function passagesOf(name: string, text: string): CaseFact[] {
  const sentences = text
    .replace(/\s+/g, ' ')
    .split(/(?<=[.!?]["”’)]?)\s+(?=["“‘(]?[\p{Lu}\d])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => wordsOf(sentence).length >= 2);
  return sentences.flatMap((sentence) =>
    clausesOf(sentence).map((clause) => {
      const words = wordsOf(clause.replace(/["“”`]/g, '').replace(/[\s.,;:!]+$/, ''));
      const cut = words.length > mostWords;
      const kept = words.slice(0, mostWords).join(' ');
      return {
        name,
        value: cut ? kept.replace(/[\s.,;:!]+$|(?:\s+(?:the|an?|of|to|and|or|in|on|at|by|for|with|from))+$/g, '') : kept,
        passage: true,
        cut,
      };
    }),
  );
}

/** `sex is male; age is 22`, or null when the text is no such row. */
function readRow(text: string): CaseFact[] | null {
  const parts = text.replace(/\.$/, '').split(/;\s+/);
  const facts: CaseFact[] = [];
  let fitting = 0;
  for (const part of parts) {
    const found = /^(?:[-*•]\s+)?(\S.{0,79}?)\s+(?:is|are|was)\s+(\S.{0,300})$/s.exec(part.trim());
    const last = facts.at(-1);
    if (found?.[1] !== undefined && found[2] !== undefined && wordsOf(found[1]).length <= 8) {
      facts.push(entry(found[1], found[2]));
      fitting += 1;
    } else if (last !== undefined) {
      facts[facts.length - 1] = entry(last.name, `${last.value}; ${part.trim()}`);
    }
  }
  const sentence = /^(?:an?|the|he|she|it|they|there|this|that|i|we|you|his|her|my|our)\b/i.test(text);
  if (sentence || fitting === 0 || fitting * 2 <= parts.length) return null;
  if (parts.length === 1 && (text.length > 80 || /[.!?]$/.test(text))) return null;
  return facts;
}

const namedPart = /^(?:[-*•]\s+)?([\p{L}\p{N}][\p{L}\p{N}_ ()'’/-]{0,47}?)\s*[:=]\s+(\S.*)$/su;

/** `name: value`, one to a line or paragraph; a text after it goes on with the part before. */
function readNamed(parts: readonly string[]): CaseFact[] | null {
  const facts: { name: string; value: string }[] = [];
  for (const part of parts) {
    const found = namedPart.exec(part.trim());
    const last = facts.at(-1);
    if (found?.[1] !== undefined && found[2] !== undefined && wordsOf(found[1]).length <= 6) {
      facts.push({ name: found[1].trim(), value: found[2].trim() });
    } else if (last === undefined) {
      return null;
    } else {
      last.value += ` ${part.trim()}`;
    }
  }
  return facts.flatMap(({ name, value }) => {
    const passages = wordsOf(value).length > 5 || /[.!?]$/.test(value) ? passagesOf(name, value) : [];
    return passages.length > 0 ? passages : [entry(name, value)];
  });
}

/** The facts that the case's paragraphs tell: a row of features, named parts, or running text. */
export function readFacts(paragraphs: readonly string[]): CaseFact[] {
  if (paragraphs.length === 0) return [];
  const whole = paragraphs.join('\n');
  const row = paragraphs.length === 1 ? readRow(whole) : null;
  if (row !== null) return row;
  const lines = whole.split('\n').filter((line) => line.trim() !== '');
  const listed = lines.length >= 3 && lines.every((line) => namedPart.test(line.trim()));
  const facts = readNamed(listed ? lines : paragraphs) ?? passagesOf('', whole);
  const step = Math.max(1, facts.length / mostPassages);
  return facts.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
