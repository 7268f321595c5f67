// Finds absolute paths in what other programs wrote, which may be anything: every repetition is bounded, so that the time
// stays linear in the length. Of a last part with spaces and without quotes only the first word belongs to the path.

/** `/…`, `C:\…`, `\\server\…`, `file:…`, where it cannot be the rest of a word or of a relative path. */
const root = String.raw`(?:(?:file:\/+(?:localhost(?=\/))?|\\\\(?:[?.]\\)?)[\\/]*(?:[a-z]:[\\/]+)?|(?<![\p{L}\p{N}])[a-z]:[\\/]+|(?<![\p{L}\p{N}_/\\.)%~*])\/+(?![\s/]|$))`;
const apostrophe = String.raw`(?<=\p{L})'(?=\p{L})`;
/** Words before a separator; behind a file's extension they are no folder. */
const folder = String.raw`(?:(?!\.[a-z]\w{0,7}[\s)])(?:\([^\\/()]{0,255}\)|${apostrophe}|[^\\/:"${'`'},;()'])){1,255}(?<!\s)[\\/]+`;
const name = String.raw`(?:\([^\\/\s()]{0,255}\)|${apostrophe}|[^\\/:\s"${'`'},;\])}>|('])*`;
/** Addresses and closing tags hold something like a path, and are none. */
const noPath = String.raw`[a-z][a-z+.-]{1,30}(?<!file):\/\/[^\s'"${'`'}<>),;]+|<\/[\w:-]+>`;
/** Within quotes a path goes up to the closing one. */
const quoted = String.raw`(?<quote>['"${'`'}])(?<inside>(?:\/|\\\\|[a-z]:[\\/]|file:\/)(?:(?!\k<quote>(?![\p{L}\p{N}])).){0,4096})\k<quote>`;
const pattern = new RegExp(`(?<kept>${noPath})|${quoted}|${root}(?:${folder})*${name}`, 'giu');

/** The text with something else in the place of each absolute path. A path never reaches over the end of a line. */
export const replacePaths = (text: string, replacement: (path: string) => string): string =>
  text.replace(/[^\r\n\u2028\u2029]+/g, (line) =>
    line.replace(pattern, (found: string, ...rest: unknown[]) => {
      const { kept, quote, inside } = rest.at(-1) as Readonly<Record<string, string | undefined>>;
      if (kept !== undefined) return kept;
      return inside === undefined ? replacement(found) : `${quote}${replacement(inside)}${quote}`;
    }),
  );
