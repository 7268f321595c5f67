/**
 * Absolute paths in a text, in time linear in its length: it is run over what other programs wrote, which may be anything.
 *
 * Within quotes a path goes up to the closing one. Elsewhere it begins where it cannot be the rest of a word or of a
 * relative path (`/…`, `C:\…`, `\\server\…`, `file:…`) and goes on from separator to separator, with words before each,
 * and up to the next space after the last. Between two separators the text is looked through at most once for each of
 * them. Addresses (`http://…`) and closing tags, which hold something alike, are passed over.
 * Limits: of a last part with spaces and without quotes only the first word belongs to the path.
 */
const letterOrDigit = /[\p{L}\p{N}]/u;
const letter = /\p{L}/u;
/** What stands before a `/` that goes on with a word or a relative path. */
const continued = /[\p{L}\p{N}_/\\.)%~*]/u;
const space = /\s/;
const schemePart = /[A-Za-z+.-]/;
const addressEnd = /[\s'"`<>),;]/;
const closingTag = /<\/[\w:-]+>/y;
const drive = /[A-Za-z]:[\\/]/y;
const fileAddress = /file:\/+(?:localhost(?=\/))?/iy;
const share = /\\\\(?:[?.]\\)?/y;
/** The end of a file's name with its extension: words behind it are no folder. */
const extension = /\.[A-Za-z]\w{0,7}[\s)]/y;
/** What no folder outside quotes has in its name, and no file. */
const endsFolder = /[:"`,;)]/;
const endsName = /[:\s"`),;\]}>|]/;

const isSeparator = (character: string | undefined): boolean => character === '/' || character === '\\';

/** Where a sticky pattern that begins at a place ends; -1 where it does not match there. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** The whole characters around a place, where half of one may stand. */
function before(text: string, at: number): string {
  const code = text.charCodeAt(at - 1);
  return code >= 0xdc00 && code <= 0xdfff ? text.slice(Math.max(0, at - 2), at) : text.slice(Math.max(0, at - 1), at);
}
const after = (text: string, at: number): string => (at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : '');

function skipSeparators(text: string, from: number): number {
  let at = from;
  while (isSeparator(text[at])) at += 1;
  return at;
}

/** Where each address begins and ends. Those of files are none: they are paths. */
function addressesIn(text: string): Map<number, number> {
  const found = new Map<number, number>();
  for (let colon = text.indexOf('://'); colon >= 0; colon = text.indexOf('://', colon + 3)) {
    let start = colon;
    while (start > 0 && schemePart.test(text[start - 1] ?? '')) start -= 1;
    while (start < colon && !/[A-Za-z]/.test(text[start] ?? '')) start += 1;
    let end = colon + 3;
    while (end < text.length && !addressEnd.test(text[end] ?? '')) end += 1;
    if (colon - start >= 2 && end > colon + 3 && !/file$/i.test(text.slice(start, colon))) found.set(start, end);
    // What belongs to one address begins no other.
    if (end > colon + 3) colon = end - 3;
  }
  return found;
}

/** Where what an absolute path of Windows, of a share or of an address begins with ends; -1 where there is none. */
function rootEnd(text: string, at: number): number {
  const file = endOf(fileAddress, text, at);
  const start = file >= 0 ? file : endOf(share, text, at);
  if (start >= 0) {
    const first = skipSeparators(text, start);
    return Math.max(first, endOf(drive, text, first));
  }
  return letterOrDigit.test(before(text, at)) ? -1 : endOf(drive, text, at);
}

/** Where a pair of parentheses ends that begins here and in which no character is one that ends it; -1 where there is none. */
function parenthesesEnd(text: string, at: number, ends: RegExp): number {
  let end = at + 1;
  while (end < text.length && text[end] !== ')' && !ends.test(text[end] ?? '')) end += 1;
  return text[end] === ')' ? end + 1 : -1;
}

const isApostrophe = (text: string, at: number): boolean => letter.test(before(text, at)) && letter.test(after(text, at + 1));

/** Where a part of a path goes on behind a character of it; -1 where it does not belong to the part. */
function nextInPart(text: string, at: number, ends: RegExp, endsParentheses: RegExp): number {
  const character = text[at] ?? '';
  if (character === '(') return parenthesesEnd(text, at, endsParentheses);
  if (character === "'") return isApostrophe(text, at) ? at + 1 : -1;
  return ends.test(character) ? -1 : at + 1;
}

/** Where a folder's name with its separators ends; -1 where none begins here. */
function folderEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isSeparator(text[at])) {
    if (endOf(extension, text, at) >= 0) return -1;
    at = nextInPart(text, at, endsFolder, /[\\/(]/);
    if (at < 0) return -1;
  }
  if (at === from || at >= text.length || space.test(text[at - 1] ?? '')) return -1;
  return skipSeparators(text, at);
}

function nameEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isSeparator(text[at])) {
    const next = nextInPart(text, at, endsName, /[\\/\s(]/);
    if (next < 0) return at;
    at = next;
  }
  return at;
}

/** Where a path without quotes ends that begins here; -1 where none does. */
function bareEnd(text: string, start: number): number {
  let at = rootEnd(text, start);
  if (at < 0) {
    if (text[start] !== '/' || continued.test(before(text, start))) return -1;
    at = start;
    while (text[at] === '/') at += 1;
    if (at >= text.length || space.test(text[at] ?? '')) return -1;
  }
  for (let next = folderEnd(text, at); next >= 0; next = folderEnd(text, at)) at = next;
  return nameEnd(text, at);
}

/** Finds closing quotes, each of which is looked for further on than the one before. */
function closingQuotes(text: string) {
  const last = new Map<string, number>();
  return (quote: string, from: number): number => {
    const known = last.get(quote) ?? -1;
    if (known >= from) return known;
    let at = text.indexOf(quote, from);
    while (at >= 0 && letterOrDigit.test(after(text, at + 1))) at = text.indexOf(quote, at + 1);
    const found = at < 0 ? Number.POSITIVE_INFINITY : at;
    last.set(quote, found);
    return found;
  };
}

function replaceInLine(text: string, replacement: (path: string) => string): string {
  if (!/[\\/]/.test(text)) return text;
  const addresses = addressesIn(text);
  const closing = closingQuotes(text);
  let result = '';
  let told = 0;
  const put = (start: number, end: number) => {
    result += text.slice(told, start) + replacement(text.slice(start, end));
    told = end;
    return end;
  };
  /** Where the search goes on. */
  const step = (at: number): number => {
    const passed = addresses.get(at) ?? (text[at] === '<' ? endOf(closingTag, text, at) : -1);
    if (passed >= 0) return passed;
    const character = text[at] ?? '';
    if (character === "'" || character === '"' || character === '`') {
      const root = text[at + 1] === '/' ? at + 2 : rootEnd(text, at + 1);
      const end = root < 0 ? Number.POSITIVE_INFINITY : closing(character, root);
      return Number.isFinite(end) ? put(at + 1, end) + 1 : at + 1;
    }
    const end = bareEnd(text, at);
    return end < 0 ? at + 1 : put(at, end);
  };
  for (let at = 0; at < text.length; ) at = step(at);
  return result + text.slice(told);
}

/** The text with something else in the place of each absolute path. A path never reaches over the end of a line. */
export const replacePaths = (text: string, replacement: (path: string) => string): string =>
  text.replace(/[^\r\n\u2028\u2029]+/g, (line) => replaceInLine(line, replacement));
