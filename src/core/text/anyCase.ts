/** Beyond upper and lower case, what a pattern with the flags `i` and `u` takes for the same letter. */
const furtherForms: Readonly<Record<string, string>> = { s: 'ſ', k: '\u212a', ß: 'ẞ' };

const word = '[\\wſ\u212a]';
const escapes: Readonly<Record<string, string>> = {
  '\\w': word,
  '\\b': `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`,
};

const formsOf = (letter: string): string => {
  const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
  return `[${lower}${upper.length === 1 ? upper : ''}${furtherForms[lower] ?? ''}]`;
};

/**
 * A pattern for the flags `gu` that finds letters in either case, as the flag `i` does; only what a character class or an escape such
 * as `\p{Lu}` says of letters stays as it is.
 *
 * V8 has `(?-i:…)` for that. But once a process has compiled more than a megabyte of patterns, V8 compiles further ones in another
 * way, and then such a group makes letters outside of it miss their other case: what is found would depend on the age of the process.
 */
export const anyCase = (pattern: string): string =>
  pattern.replace(
    /\\[pP]\{\w+\}|\\.|\[(?:\\.|[^\]\\])*\]|\p{L}/gu,
    (part) => escapes[part] ?? (/^[\\[]/.test(part) ? part : formsOf(part)),
  );
