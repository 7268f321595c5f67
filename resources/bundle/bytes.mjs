// Bytes, hashes and lines, in the forms that a record has them.
import { need, Tampered } from './zip.mjs';

export const { subtle } = globalThis.crypto ?? (await import('node:crypto')).webcrypto;
export const utf8 = new TextEncoder();

export function joined(...parts) {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export const sha256 = async (bytes) => new Uint8Array(await subtle.digest('SHA-256', bytes));
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
export const unhex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
export const base64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
/** Of several texts that mean the same bytes, one is taken. */
export function unbase64(text) {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  need(base64(bytes) === text, 'base64 is not written as it is written here');
  return bytes;
}
export const base64url = (bytes) => base64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

export function big(value, size) {
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  if (size === 8) view.setBigUint64(0, BigInt(value));
  else view.setUint32(0, value);
  return bytes;
}
export function sized(text) {
  const bytes = utf8.encode(text);
  return joined(big(bytes.length, 4), bytes);
}
export const hashParts = (...parts) => sha256(joined(...parts.map(sized)));

/** A list of a million cases has three million. */
const mostMarks = 2 ** 22;

/** Brackets and commas become objects: a text that has far too many was made to fill a memory. */
function isMadeToFill(text) {
  let marks = 0;
  for (let at = 0; text.length > mostMarks && at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 44 || unit === 91 || unit === 123) marks += 1;
  }
  return marks > mostMarks;
}

/** JSON as this format has it: written by one rule, so that no two texts mean the same. */
export function parse(text, place, subject = null) {
  need(!isMadeToFill(text), `${place}: it is larger than a record has it`, subject);
  let [value, written] = [];
  try {
    value = JSON.parse(text);
    written = JSON.stringify(value);
  } catch (error) {
    const problem = error instanceof SyntaxError ? 'it is not JSON' : 'it is nested deeper than a record has it';
    throw new Tampered(`${place}: ${problem}`, subject);
  }
  need(written === text, `${place}: it is not written as JSON is written here`, subject);
  need(typeof value === 'object' && value !== null, `${place}: it is no JSON object`, subject);
  return value;
}

/** A file that is one line of JSON. */
export function parseFile(name, bytes) {
  const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  need(text.endsWith('\n'), `${name}: its last line is cut`);
  return parse(text.slice(0, -1), name);
}

const mostInLine = 2 ** 26;

/** The lines of a JSON Lines file; each line is decoded by itself, so that a large file needs no second copy. */
export function* linesOf(name, bytes) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const end = bytes.indexOf(10, start);
    const subject = { file: name, line: number };
    need(end >= 0, `${name}: its last line is cut`, subject);
    need(end - start <= mostInLine, `${name}, line ${number}: it is larger than a record has it`, subject);
    let text;
    try {
      text = decoder.decode(bytes.subarray(start, end));
    } catch {
      throw new Tampered(`${name}, line ${number}: it is not UTF-8`, subject);
    }
    yield parse(text, `${name}, line ${number}`, subject);
    start = end + 1;
  }
}

/** The lines of a JSON Lines file as text, of one that may be damaged; those that are too long are empty. */
export function* rawLinesOf(bytes) {
  const decoder = new TextDecoder();
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(10, start);
    const end = found < 0 ? bytes.length : found;
    yield end - start <= mostInLine ? decoder.decode(bytes.subarray(start, end)) : '';
    start = end + 1;
  }
}

export function needFields(value, fields, place) {
  need(Object.keys(value).join() === fields.join(), `${place}: its fields are not ${fields.join(', ')}`);
}
