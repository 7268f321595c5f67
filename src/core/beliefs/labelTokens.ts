import { utf8ToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import type { TokenLogprob, TokenReport } from '../../shared/model.ts';
import { soleObject } from '../answers/soleObject.ts';

/**
 * The tokens with which a model wrote a label into its JSON answer, cut out of the whole answer's.
 *
 * Tokens are byte strings: one character, U+0000 to U+00FF, for each byte of the UTF-8, since a token may
 * end inside a character.
 */

const tokenSchema = z.tuple([z.string(), z.number()]);
const stepSchema = z.tuple([z.string(), z.number(), z.array(tokenSchema)]);
const placeSchema = z.strictObject({
  /** Keys and indexes from the answer's top to the label, joined by dots. */
  path: z.string(),
  /** The part of the first token before the label; it ends with the opening quote. */
  lead: z.string(),
  /** Each token written, its logarithm, and the likeliest tokens in its place; up to where one label alone is left. */
  steps: z.array(stepSchema),
});
export type LabelTokens = z.infer<typeof placeSchema>;

const recordSchema = z.strictObject({ v: z.literal(1), places: z.array(placeSchema) });

export const writeLabelTokens = (places: readonly LabelTokens[]): string => JSON.stringify({ v: 1, places });

/** Reads what `writeLabelTokens` wrote. Throws on anything else. */
export const readLabelTokens = (text: string): readonly LabelTokens[] => recordSchema.parse(JSON.parse(text)).places;

const fromBytes = (bytes: Iterable<number>): string => Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
const byteString = (text: string): string => fromBytes(utf8ToBytes(text));

export const writtenLabel = (label: string): string => byteString(JSON.stringify(label).slice(1));

interface StringPlace {
  readonly path: string;
  /** Index of the opening quote. */
  readonly start: number;
  /** Index after the closing quote. */
  readonly end: number;
}

/** Every string that is a value, not a key, in a valid JSON text. */
function stringValues(json: string): StringPlace[] {
  const found: StringPlace[] = [];
  const open: { key: string | null; index: number; isArray: boolean }[] = [];
  for (const token of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],]/g)) {
    const [text] = token;
    const inner = open.at(-1);
    if (text === '{' || text === '[') open.push({ key: null, index: 0, isArray: text === '[' });
    else if (text === '}' || text === ']') open.pop();
    else if (text === ',') {
      if (inner !== undefined) Object.assign(inner, { key: null, index: inner.index + 1 });
    } else if (inner !== undefined && !inner.isArray && inner.key === null) {
      inner.key = String(JSON.parse(text));
    } else {
      const path = open.map(({ key, index, isArray }) => (isArray ? String(index) : (key ?? ''))).join('.');
      found.push({ path, start: token.index, end: token.index + text.length });
    }
  }
  return found;
}

/**
 * Index of the answer's first byte among those of all tokens, or -1. The answer comes last: a thought that the
 * server keeps out of its text may hold a draft in the same words. Behind it there is white space at most, and
 * one token that ends the turn; where more follows, what was found is not the answer.
 */
function startOfAnswer(answer: string, pieces: readonly string[], ends: readonly number[]): number {
  const start = pieces.join('').lastIndexOf(answer);
  const behind = pieces.filter((piece, index) => (ends[index] ?? 0) - piece.length >= start + answer.length);
  return behind.filter((piece) => piece.trim() !== '').length > 1 ? -1 : start;
}

const tokenBytes = ({ token, bytes }: TokenLogprob): string =>
  bytes === undefined || bytes === null || bytes.length === 0 ? byteString(token) : fromBytes(bytes);

/** Six digits after the point: more is noise, and would fill the record. */
const rounded = (logprob: number): number => Number(logprob.toFixed(6));

/**
 * The tokens of every label in a JSON answer: of the strings under one of the names in `fields`, at any
 * depth. None where the answer has no object, or more than one, or where the tokens do not spell it as the last
 * thing that they say.
 *
 * @param labels the candidate labels; a string that is spelled like none of them is left out
 */
export function labelTokens(
  answer: string,
  reports: readonly TokenReport[],
  fields: readonly string[],
  labels: readonly string[],
): LabelTokens[] {
  const object = soleObject(answer);
  const pieces = reports.map(tokenBytes);
  const ends: number[] = [];
  for (const piece of pieces) ends.push((ends.at(-1) ?? 0) + piece.length);
  const shift = startOfAnswer(byteString(answer), pieces, ends);
  if (typeof object === 'string' || shift < 0) return [];
  const endings = labels.map(writtenLabel);

  const cut = ({ path, start, end }: StringPlace): LabelTokens[] => {
    const written = byteString(object.json.slice(start + 1, end));
    if (!endings.includes(written)) return [];
    const quote = shift + byteString(answer.slice(0, object.from + start)).length;
    const first = ends.findIndex((at) => at > quote);
    const piece = pieces[first] ?? '';
    const lead = piece.slice(0, quote + 1 - ((ends[first] ?? 0) - piece.length));
    const steps: LabelTokens['steps'] = [];
    for (let index = first; index < reports.length; index++) {
      const report = reports[index];
      if (report === undefined) break;
      steps.push([
        pieces[index] ?? '',
        rounded(report.logprob),
        report.top.map((other) => [tokenBytes(other), rounded(other.logprob)] as [string, number]),
      ]);
      const sofar = written.slice(0, Math.max(0, (ends[index] ?? 0) - quote - 1));
      if (endings.filter((ending) => ending.startsWith(sofar)).length === 1) break;
    }
    return [{ path, lead, steps }];
  };
  return stringValues(object.json)
    .filter(({ path }) => fields.includes(path.slice(path.lastIndexOf('.') + 1)))
    .flatMap(cut);
}
