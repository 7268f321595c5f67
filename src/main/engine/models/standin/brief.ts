export interface PromptMessage {
  readonly role: string;
  readonly content: string;
}

export interface CaseFact {
  readonly name: string;
  readonly value: string;
}

export const sides = ['prosecution', 'defense', 'judge', 'neutral'] as const;
export type Side = (typeof sides)[number];

/** Something that another role has said earlier in the trial. */
export interface Speech {
  readonly side: Side;
  readonly text: string;
}

/** What the stand-in understands of a prompt. */
export interface Brief {
  readonly facts: readonly CaseFact[];
  /** Short passages of a case told in free text. */
  readonly quotes: readonly string[];
  /** Candidate labels that the prompt lists. */
  readonly labels: readonly string[];
  readonly side: Side;
  /** The role as the prompt names it, such as `agent a`. */
  readonly speaker: string;
  /** The label that the prompt tells the speaker to argue for. */
  readonly assigned: string | null;
  readonly speeches: readonly Speech[];
  /** Contentiousness between 0 and 1, where the prompt sets one. */
  readonly contentiousness: number | null;
}

const prosecutionWords = /\b(?:prosecut\w*|plaintiff|accus(?:er|ation))\b/i;
const defenseWords = /\b(?:defen[cs]e|defender|attorney)\b/i;
const judgeWords = /\b(?:judge|clerk|court|critic|juror|jury|panel|assessor|classifier|predictor|voter|moderator)\b/i;
const roleNames =
  'prosecut(?:or|ion)|plaintiff|defen[cs]e(?: attorney| counsel| lawyer)?|(?:defen[cs]e )?attorney|agent[ _-]?[ab0-9]|debater[ _-]?[a-d0-9]|judge[ _-]?[0-9]*|clerk|critic|assistant|voter[ _-]?[0-9]*|moderator';
const address = new RegExp(
  `\\b(?:you (?:are|act as|speak as|speak for)|act as|as|your role(?: is|:)?|role:)\\s+(?:the |an? )?(${roleNames})\\b`,
  'gi',
);
const speechHead = new RegExp(`^[\\W_]*(?:the )?(${roleNames})\\b([^:\\n]{0,60}?)(?::\\s*(.*)|[\\W_]*)$`, 'i');

function sideOf(text: string): Side {
  if (prosecutionWords.test(text)) return 'prosecution';
  if (defenseWords.test(text)) return 'defense';
  return judgeWords.test(text) ? 'judge' : 'neutral';
}

/** The parts of a line such as `sex is male; age is 22`, or null when it is not such a line. */
function readNarrative(line: string): CaseFact[] | null {
  const parts = line.split(/;\s+/);
  if (parts.length < 3) return null;
  const facts: CaseFact[] = [];
  for (const part of parts) {
    const found = /^\W*(.{1,80}?)\s+(?:is|are|was)\s+(.{1,200}?)\.?$/.exec(part.trim());
    const name = found?.[1]?.replace(/^.*:\s*/, '');
    if (name !== undefined && found?.[2] !== undefined) facts.push({ name, value: found[2] });
  }
  return facts.length * 2 > parts.length ? facts : null;
}

const listHead = /^\W*(?:candidate |possible |allowed )?(?:labels?|answers|options|classes|verdicts|contentious\w*)\b/i;

function factLines(lines: readonly string[]): CaseFact[] {
  let best: CaseFact[] = [];
  let run: CaseFact[] = [];
  for (const line of lines) {
    const found = /^\s*(?:[-*•]\s+)?([\p{L}\p{N}_ ()/-]{1,60}?)\s*(?:[:=]| is )\s*(\S.{0,200})$/u.exec(line);
    if (found?.[1] !== undefined && found[2] !== undefined && !listHead.test(line) && !speechHead.test(line)) {
      run.push({ name: found[1].trim(), value: found[2].trim() });
    } else if (line.trim() !== '') {
      run = [];
    }
    if (run.length > best.length) best = [...run];
  }
  return best.length >= 3 ? best : [];
}

/** The facts of the case itself: worked examples and precedents are told apart by the words around them. */
function readFacts(lines: readonly string[]): CaseFact[] {
  let best: CaseFact[] | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  lines.forEach((line, index) => {
    const facts = readNarrative(line);
    if (facts === null) return;
    const before =
      lines
        .slice(Math.max(0, index - 2), index)
        .join(' ')
        .slice(-150) + line.slice(0, 40);
    const after = lines
      .slice(index + 1, index + 3)
      .join(' ')
      .slice(0, 80);
    let score = index / lines.length;
    if (/\b(?:case|facts|individual|subject|narrative)\b/i.test(before)) score += 2;
    if (/example|precedent|similar|earlier case|training|shot/i.test(before)) score -= 4;
    if (/^\W*(?:label|answer|outcome|verdict|prediction|true|result)\b/i.test(after)) score -= 3;
    if (score > bestScore) [best, bestScore] = [facts, score];
  });
  return best ?? factLines(lines);
}

const instruction =
  /\b(?:you are|your (?:task|role|answer|private|own)|answer (?:in|with|only)|respond|json|schema|must (?:not|be)|do not|at most \d+ words|confidence)\b/i;

function readQuotes(lines: readonly string[]): string[] {
  const passages = lines.filter(
    (line) => line.trim().length > 25 && !instruction.test(line) && !speechHead.test(line) && !listHead.test(line),
  );
  const longest = [...passages].sort((left, right) => right.length - left.length).slice(0, 3);
  const sentences = passages.filter((line) => longest.includes(line)).flatMap((line) => line.split(/(?<=[.!?;])\s+/));
  return sentences
    .map((sentence) => sentence.replace(/^[\p{L} ]{1,20}:\s+/u, '').replace(/["“”]/g, ''))
    .map((sentence) =>
      sentence
        .split(/\s+/)
        .slice(0, 14)
        .join(' ')
        .replace(/[\s.,;:!?]+$/, ''),
    )
    .filter((sentence) => sentence.split(' ').length >= 3)
    .slice(0, 12);
}

/** A short text has too few sentences to speak about: parts of them stand in as well. */
function withFragments(quotes: readonly string[]): string[] {
  if (quotes.length >= 6) return [...quotes];
  const parts = quotes.flatMap((quote) => {
    const words = quote.split(' ');
    const starts = words.map((_, index) => index).filter((index) => (words[index]?.length ?? 0) > 3 && index + 3 <= words.length);
    return starts.map((start) =>
      words
        .slice(start, start + 4)
        .join(' ')
        .replace(/[,;:]$/, ''),
    );
  });
  return [...new Set([...quotes, ...parts])].slice(0, 16);
}

function cleanLabel(text: string): string {
  return text
    .trim()
    .replace(/^["'`“”‘’\s\-*\d.)]+(?=[^\d\s])|["'`“”‘’.\s]+$/gu, '')
    .trim();
}

function readLabels(text: string): string[] {
  const heads =
    /\b(?:candidate labels?|possible (?:labels|answers)|labels|classes|options|verdicts|allowed answers|one of)\b[^:\n]{0,40}:[ \t]*([^\n]*)((?:\n[ \t]*[-*][ \t]+[^\n]+)*)/gi;
  for (const found of text.matchAll(heads)) {
    const [, inline = '', bullets = ''] = found;
    const raw = inline.trim() === '' ? bullets.split('\n') : inline.replace(/[[\]]/g, '').split(/\s*(?:[,;|]|\bor\b)\s*/);
    const labels = [...new Set(raw.map(cleanLabel).filter((label) => label !== '' && label.length <= 60))];
    if (labels.length >= 2 && labels.length <= 60) return labels;
  }
  const either = /\b(?:either|answer with)\s+["'`]([^"'`\n]{1,60})["'`]\s+or\s+["'`]([^"'`\n]{1,60})["'`]/i.exec(text);
  return either?.[1] !== undefined && either[2] !== undefined ? [either[1], either[2]] : [];
}

/** The candidate label that an instruction asks the speaker to argue for. */
export function assignedLabel(instructions: string, labels: readonly string[]): string | null {
  const asked =
    /\b(?:argue|argues|arguing|defend|defends|support|supports|position|in favou?r of|stance|your label|case for|side of|convince)\b[^\n]{0,160}/gi;
  let best: string | null = null;
  for (const [passage] of instructions.matchAll(asked)) {
    const positive = passage.split(/\bagainst\b|\brather than\b|\bnot for\b/i)[0] ?? passage;
    let at = Number.POSITIVE_INFINITY;
    for (const label of labels) {
      const found = findLabel(positive, label);
      if (found >= 0 && found < at) [best, at] = [label, found];
    }
    if (best !== null) return best;
  }
  return best;
}

/** Where a label stands in a text as a word of its own, or -1. */
export function findLabel(text: string, label: string): number {
  const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.search(new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_-])`, 'iu'));
}

function readSpeeches(lines: readonly string[]): { speeches: Speech[]; rest: string[] } {
  const speeches: Speech[] = [];
  const rest: string[] = [];
  let head: string | null = null;
  let body: string[] = [];
  const finish = (): void => {
    const text = body.join(' ').trim();
    if (head !== null && text.length > 40) speeches.push({ side: sideOf(head), text });
    head = null;
    body = [];
  };
  for (const line of lines) {
    const found = speechHead.exec(line);
    if (found !== null && !instruction.test(line.slice(0, 60))) {
      finish();
      head = found[1] ?? '';
      if (found[3] !== undefined && found[3] !== '') body = [found[3]];
    } else if (head !== null && line.trim() === '' && body.length > 0) {
      finish();
    } else if (head !== null && line.trim() !== '') {
      body.push(line);
    } else if (head === null) {
      rest.push(line);
    }
  }
  finish();
  return { speeches, rest };
}

function lastRole(text: string): string | null {
  const found = [...text.matchAll(address)].at(-1)?.[1];
  return found === undefined ? null : found.toLowerCase();
}

/** Reads case, record and assignment out of the messages of a request. */
export function readBrief(messages: readonly PromptMessage[], schemaLabels: readonly string[]): Brief {
  const asked = messages.filter(({ role }) => role !== 'assistant').map(({ content }) => content);
  const text = asked.join('\n\n');
  const lines = text.split(/\r?\n/);
  const { speeches, rest } = readSpeeches(lines);
  // What others said may name labels and roles too; only the prompt's own words assign them.
  const own = rest.join('\n');
  const tail = own.slice(-1600);
  const listed = schemaLabels.length > 1 ? schemaLabels : readLabels(text);
  const speaker = lastRole(tail) ?? lastRole(own) ?? '';
  const facts = readFacts(rest);
  const contention = [...text.matchAll(/contentious\w*[^0-9\n]{0,60}([01](?:\.\d+)?)\b/gi)].at(-1)?.[1];
  return {
    facts,
    quotes: facts.length > 0 ? [] : withFragments(readQuotes([...rest, ...speeches.map((speech) => speech.text)])),
    labels: listed,
    side: speaker === '' ? sideOf(tail.slice(-400)) : sideOf(speaker),
    speaker,
    assigned: assignedLabel(tail, listed),
    speeches,
    contentiousness: contention === undefined ? null : Math.min(1, Number(contention)),
  };
}
