// Finds the one JSON object that an answer is, behind thinking and inside a fence.
import { isRecord } from './fields.ts';

export interface SoleObject {
  readonly value: Record<string, unknown>;
  /** Its text in the answer, and the index at which that begins. */
  readonly json: string;
  readonly from: number;
  readonly embedded: boolean;
}

const name = '(?:\\w{1,20}:)?(?:thinking|thoughts?|think|reasoning|reason|reflection)';
/** Where thinking begins: `<think>`, `<seed:think>`, `[THINK]`, `◁think▷`, `<|begin_of_thought|>`. */
const opening = `<${name}>|\\[think\\]|\u25c1think\u25b7|<\\|begin_of_thought\\|>`;
/** Where it ends: the same with a slash, and the final channel of gpt-oss. */
const closing = `</${name}>|\\[/think\\]|\u25c1/think\u25b7|<\\|end_of_thought\\|>|<\\|channel\\|>final<\\|message\\|>`;

const startOfThinking = new RegExp(`^(?:${opening})`, 'i');
export const endOfThinking = new RegExp(closing, 'gi');
const firstTag = new RegExp(`(?<opens>${opening})|${closing}`, 'i');

/** Most blocks of thinking removed: each needs a pass over the whole answer. */
const mostBlocks = 8;

const startOfObject = /\{\s*(?:\}|"(?:[^"\\]|\\.)*"\s*:)/s;

const openFence = /^(```|~~~)\w*\s*(?=\{)/;

/** The JSON value that a text is; undefined where it is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text after a block of thinking that was never opened; all of it if it cannot be distinguished from an answer. */
function afterUnopened(text: string): string {
  const tag = firstTag.exec(text);
  if (tag === null || tag.groups?.opens !== undefined) return text;
  const thinking = text.slice(0, tag.index);
  const object = thinking.search(startOfObject);
  return object >= 0 && thinking.includes('}', object) ? text : text.slice(tag.index + tag[0].length).trimStart();
}

/** The text without the thinking in front of it: blocks to their closing tags, or all before a closing tag that comes first. */
function afterThinking(raw: string): string {
  let text = raw.trimStart();
  for (let taken = 0; taken < mostBlocks; taken++) {
    const open = startOfThinking.exec(text)?.[0].toLowerCase();
    if (open === undefined) return taken === 0 ? afterUnopened(text) : text;
    const close = open.startsWith('<|') ? '<|end_of_thought|>' : `${open.charAt(0)}/${open.slice(1)}`;
    let end = 0;
    for (const { 0: tag, index } of text.matchAll(endOfThinking)) {
      if (end === 0 && tag.toLowerCase() === close) end = index + close.length;
    }
    if (end === 0) return text;
    text = text.slice(end).trimStart();
  }
  return text;
}

/** Why a text that is no answer is none, for the model and for the reader of a record. */
function problemOf(raw: string, answer: string): string {
  const text = answer.trimEnd();
  if (text === '') return raw.trim() === '' ? 'empty answer' : 'nothing but thinking';
  if (startOfThinking.test(text)) return 'the thinking never ends';
  if (parsed(text) !== undefined) return 'the answer is no JSON object';
  if (!text.includes('{')) return 'there is no JSON object';
  return text.startsWith('{') && text.endsWith('}')
    ? 'the answer is not one valid JSON object'
    : 'there is text before or after the JSON object, or the object is cut off';
}

function withoutFence(text: string): string {
  const [open, mark] = openFence.exec(text) ?? [];
  return open !== undefined && mark !== undefined && text.endsWith(mark) ? text.slice(open.length, -mark.length).trimEnd() : text;
}

/** The object that an answer is, after thinking and in a fence or not; else what is wrong. Nothing else may be there. */
export function soleObject(raw: string): SoleObject | string {
  const answer = afterThinking(raw);
  // Tags may be in the strings of an object.
  for (const rest of new Set([raw.trimStart(), answer])) {
    const text = rest.trimEnd();
    const json = withoutFence(text);
    const value = parsed(json);
    if (isRecord(value)) return { value, json, from: raw.length - rest.length + text.indexOf('{'), embedded: json !== text };
  }
  return problemOf(raw, answer);
}

/** A key that occurs twice in one object of a valid JSON text, or null; `JSON.parse` would keep the last. */
export function repeatedKey(json: string): string | null {
  const open: Set<unknown>[] = [];
  for (const [text, , colon] of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g)) {
    if (text === '{') open.push(new Set());
    else if (text === '}') open.pop();
    else if (colon !== undefined) {
      const key: unknown = JSON.parse(text.slice(0, -colon.length));
      if (open.at(-1)?.has(key)) return String(key);
      open.at(-1)?.add(key);
    }
  }
  return null;
}
