import type { ChatBody } from './bodies.ts';

/** One thing that is known of the case: a row's cell, or a sentence of a text, whose name may be empty. */
export interface CaseFact {
  readonly name: string;
  readonly value: string;
}

/** What somebody else has said, under the heading that the prompt puts above it. */
export interface Speech {
  readonly heading: string;
  readonly text: string;
}

const heading = /^[^"\n]{3,80}:$/;
/** How the speaker's own instruction begins: no heading separates it from the text before it. */
const instruction =
  /^(?:You |Your |Answer |Compare |Give |Keep |Reply |Say |Summarise |The right answer |What is wrong |Which |Work |Write )/;

const sentences = (text: string): string[] => text.split(/(?<=[.!?])\s+|\n+/).filter((sentence) => sentence.trim() !== '');

/** `sex is male; age is 22`, or `premise: …` and plain text, sentence by sentence. */
function factsIn(paragraphs: readonly string[]): CaseFact[] {
  const cells = (paragraphs[0] ?? '').split('; ').map((cell) => /^(.{1,80}?) is (.*)$/s.exec(cell));
  if (paragraphs.length === 1 && cells.length > 1 && cells.every((cell) => cell !== null)) {
    return cells.map((cell) => ({ name: cell?.[1] ?? '', value: cell?.[2] ?? '' }));
  }
  return paragraphs.flatMap((paragraph) => {
    const [, name = '', text = paragraph] = /^([^\n:.]{1,40}): (.*)$/s.exec(paragraph) ?? [];
    return sentences(text).map((value) => ({ name, value }));
  });
}

/** The first of these labels that is a whole word in a text; of two at one place the longer. */
export function firstLabel(labels: readonly string[], text: string): string | null {
  const words = labels.toSorted((one, other) => other.length - one.length).map(RegExp.escape);
  const found = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words.join('|')})(?![\\p{L}\\p{N}_])`, 'u').exec(text)?.[0];
  return labels.length === 0 ? null : (found ?? null);
}

/** The label that the speaker should argue for, by its own instruction, else by what the rules say of its role. */
function assignedIn(own: string, rules: string, labels: readonly string[]): string | null {
  const role = /^You are (Agent \w+)\./m.exec(own)?.[1] ?? 'nobody';
  const side = /(?:You argue that|The position that you defend:)(.+)/.exec(own) ?? new RegExp(`${role} defends (.+)`).exec(rules);
  return firstLabel(labels, side?.[1] ?? '');
}

/** The texts of a prompt under their headings; a heading without its own text, such as that of the whole record, is left out. */
function speechesIn(paragraphs: readonly string[]): Speech[] {
  const speeches: Speech[] = [];
  for (const paragraph of paragraphs) {
    const [line = '', ...lines] = paragraph.split('\n');
    const last = speeches.at(-1);
    if (heading.test(line) || last === undefined) speeches.push({ heading: line, text: lines.join('\n') });
    else speeches.splice(-1, 1, { ...last, text: `${last.text}\n${paragraph}`.trim() });
  }
  return speeches.filter(({ text }) => text !== '');
}

function partsOf(content: string) {
  const [before = '', after] = content.split(/^Facts of the case:$/m);
  const paragraphs = (after ?? before).trim().split(/\n{2,}/);
  const placeOf = (begins: (paragraph: string) => boolean): number => {
    const place = paragraphs.findIndex(begins);
    return place < 0 ? paragraphs.length : place;
  };
  const isHeaded = (paragraph: string): boolean => heading.test(paragraph.split('\n')[0] ?? '');
  const own = placeOf((paragraph) => instruction.test(paragraph) && !isHeaded(paragraph));
  const record = Math.min(own, placeOf(isHeaded));
  return {
    facts: after === undefined ? [] : paragraphs.slice(0, record),
    record: paragraphs.slice(record, own),
    own: paragraphs.slice(own),
  };
}

export type Brief = Readonly<ReturnType<typeof readBrief>>;

/** Reads facts, labels, side and public record out of a request, by the headings and the order of its prompt. */
export function readBrief(messages: readonly ChatBody['messages'][number][]) {
  const whole = messages.map(({ content }) => content).join('\n\n');
  const parts = messages.filter(({ role }) => role === 'user').map(({ content }) => partsOf(content));
  const facts = factsIn(parts.flatMap((part) => part.facts));
  const listed = /^Possible answers:\n((?:- .+(?:\n|$))+)/m.exec(whole)?.[1]?.trim().split('\n') ?? [];
  const labels = listed.map((label) => label.slice(2).replace(/^"|"$/g, ''));
  const question = /^Question:\n(.+)/m.exec(whole)?.[1] ?? '';
  return {
    facts: facts.length > 0 ? facts : sentences(question).map((value) => ({ name: '', value })),
    /** Candidate labels; none where the question is an open one. */
    labels,
    /** The label that the speaker should argue for, by the prompt. */
    assigned: assignedIn(parts.flatMap(({ own }) => own).join('\n'), whole, labels),
    speeches: speechesIn(parts.flatMap(({ record }) => record)),
  };
}
