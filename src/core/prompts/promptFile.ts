// A prompt as a text file: front matter in YAML, a message for each role, and the texts that fill its slots.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { isMap, isPair, isScalar, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';

/** The words of one kind of call: its messages, role by role, and the texts that it is put together from. */
export interface PromptWords {
  /** Empty where the file has texts alone, for prompts of other files. */
  readonly messages: readonly PromptMessageText[];
  /** Name -> text with slots. */
  readonly texts: Readonly<Record<string, string>>;
}

export interface PromptMessageText {
  readonly role: 'system' | 'user' | 'assistant';
  readonly body: string;
}

export type PromptFile = PromptWords & Readonly<z.infer<typeof frontSchema>>;

export class PromptFileError extends Error {
  /** From 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = 'PromptFileError';
    this.line = line;
  }
}

const marker = /^=== (?:(system|user|assistant)|(text|prompt): (\S+)) ===$/;
const likeMarker = /^===.*===\s*$/;

/** Whether a line would begin another part of a file. @param besideRoles of messages, whose own markers name roles */
export const isMarker = (line: string, besideRoles: boolean): boolean =>
  likeMarker.test(line) && !(besideRoles && marker.exec(line)?.[1] !== undefined);

export interface Section {
  readonly kind: 'message' | 'text' | 'prompt';
  readonly name: string;
  readonly text: string;
  /** Of the marker, and of the first line of the text; from 1. */
  readonly line: number;
  readonly textLine: number;
}

export interface ParsedFile<T> {
  readonly front: T;
  /** Line of a key of the front matter. */
  readonly lineOf: (...path: readonly string[]) => number;
  readonly sections: readonly Section[];
}

const roles: ReadonlySet<string> = new Set(['system', 'user', 'assistant']);
const isRole = (name: string): name is PromptMessageText['role'] => roles.has(name);

/** Lines joined, without the blank ones around them; what lies between stays as it is. */
function trimmed(lines: readonly string[], firstLine: number): { text: string; textLine: number } {
  const first = lines.findIndex((line) => line.trim() !== '');
  if (first < 0) return { text: '', textLine: firstLine };
  const last = lines.findLastIndex((line) => line.trim() !== '');
  return { text: lines.slice(first, last + 1).join('\n'), textLine: firstLine + first };
}

/** A text as a file would have it: LF, and no blank lines around it. */
export const withoutBlankEnds = (text: string): string => trimmed(text.split(/\r?\n/), 1).text;

/** Aliases of nothing, and of more than a file of prompts can need, show only here. */
function contentOf(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS();
  } catch (error) {
    throw new PromptFileError(1, `front matter: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function frontMatter<T>(lines: readonly string[], schema: z.ZodType<T>): { front: T; lineOf: ParsedFile<T>['lineOf'] } {
  const counter = new LineCounter();
  // The opening line of three dashes is line 1.
  const document = parseDocument(`\n${lines.join('\n')}`, { lineCounter: counter, prettyErrors: false });
  const [error] = document.errors;
  const lineAt = (offset: number) => counter.linePos(offset).line;
  if (error !== undefined) throw new PromptFileError(lineAt(error.pos[0]), `front matter: ${error.message}`);
  const lineOf = (...path: readonly string[]): number => {
    let node: unknown = document.contents;
    let line = 1;
    for (const key of path) {
      if (!isMap(node)) break;
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === key);
      if (pair === undefined) break;
      if (isScalar(pair.key) && pair.key.range) line = lineAt(pair.key.range[0]);
      node = pair.value;
    }
    return line;
  };
  const parsed = schema.safeParse(contentOf(document));
  if (parsed.success) return { front: parsed.data, lineOf };
  const [issue] = parsed.error.issues;
  const path = (issue?.path ?? []).map(String);
  throw new PromptFileError(lineOf(...path), `front matter${path.length === 0 ? '' : `, ${path.join('.')}`}: ${issue?.message}`);
}

/** @param mayBeEmpty whether a text may have no words: then nothing is said there */
function sectionsIn(lines: readonly string[], from: number, mayBeEmpty = false): Section[] {
  const marks = lines.flatMap((line, index) => (index >= from && likeMarker.test(line) ? [index] : []));
  const stray = lines.slice(from, marks[0] ?? lines.length).findIndex((line) => line.trim() !== '');
  if (stray >= 0) {
    throw new PromptFileError(from + 1 + stray, 'there is text above the first marker; begin with a line such as === system ===');
  }
  return marks.map((index, at): Section => {
    const [, role, kind, name = ''] = marker.exec(lines[index] ?? '') ?? [];
    if (role === undefined && kind === undefined) {
      const known = '=== system ===, === user ===, === assistant ===, === text: NAME === or === prompt: NAME ===';
      throw new PromptFileError(index + 1, `${JSON.stringify(lines[index])} is no marker; write ${known}`);
    }
    const { text, textLine } = trimmed(lines.slice(index + 1, marks[at + 1] ?? lines.length), index + 2);
    if (text === '' && kind !== 'prompt' && !(mayBeEmpty && kind === 'text')) {
      throw new PromptFileError(index + 1, 'this part is empty: write a text or remove it');
    }
    const what = role !== undefined ? 'message' : kind === 'prompt' ? 'prompt' : 'text';
    return { kind: what, name: role ?? name, text, line: index + 1, textLine };
  });
}

/** Splits a file into front matter and sections before anything is filled in; CRLF is fine. Throws `PromptFileError`. */
export function parseSections<T>(content: string, schema: z.ZodType<T>, mayBeEmpty = false): ParsedFile<T> {
  const lines = content.replace(/^\uFEFF/, '').split(/\r?\n/);
  const end = lines.indexOf('---', 1);
  if (lines[0] !== '---' || end < 0) {
    throw new PromptFileError(1, 'the file must begin with front matter between two lines of three dashes (---)');
  }
  const front = frontMatter(lines.slice(1, end), schema);
  return { ...front, sections: sectionsIn(lines, end + 1, mayBeEmpty) };
}

export const messagesAsText = (messages: readonly PromptMessageText[]): string =>
  messages.map(({ role, body }) => `=== ${role} ===\n\n${body}`).join('\n\n');

export const messagesIn = (text: string): readonly PromptMessageText[] => wordsOf(sectionsIn(text.split('\n'), 0)).messages;

/** Messages and texts of sections. Throws `PromptFileError` on a text that occurs twice. */
export function wordsOf(sections: readonly Section[]): PromptWords {
  const messages = sections.flatMap(({ kind, name, text }) =>
    kind === 'message' && isRole(name) ? [{ role: name, body: text }] : [],
  );
  const texts: Record<string, string> = {};
  for (const { kind, name, text, line } of sections) {
    if (kind !== 'text') continue;
    if (Object.hasOwn(texts, name)) throw new PromptFileError(line, `the text ${name} is there twice: rename or remove one`);
    texts[name] = text;
  }
  return { messages, texts };
}

const frontSchema = z.strictObject({
  id: z.string().min(1),
  /** Id of the protocol, or `all`. */
  protocol: z.string().min(1),
  /** The step of a trial that asks it, in words. */
  step: z.string().min(1),
  /** Slot -> what fills it. */
  slots: z.record(z.string(), z.string()).default({}),
  /** Slots that no other words for it may leave out: the case, what was said, what the role is to do. */
  needed: z.array(z.string()).readonly().default([]),
});

/** Reads a prompt that comes with a protocol. Throws `PromptFileError`. */
export function parsePromptFile(content: string): PromptFile {
  const { front, sections } = parseSections(content, frontSchema);
  const nested = sections.find(({ kind }) => kind === 'prompt');
  if (nested !== undefined) throw new PromptFileError(nested.line, 'this file is one prompt already');
  return { ...front, ...wordsOf(sections) };
}

export const slotsIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name)),
];

const inOrder = (record: Readonly<Record<string, string>>) => Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Version of prompts: SHA-256, hexadecimal, over id, roles, slots and words as parsed, by id. Meanings of slots do not count. */
export function promptsHash(prompts: Readonly<Record<string, PromptWords>>): string {
  const content = Object.keys(prompts)
    .toSorted()
    .map((id) => {
      const { messages = [], texts = {} } = prompts[id] ?? {};
      const bodies = [...messages.map(({ body }) => body), ...Object.values(texts)];
      return [id, messages.map(({ role, body }) => [role, body]), inOrder(texts), bodies.flatMap(slotsIn).toSorted()];
    });
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify(content))));
}
