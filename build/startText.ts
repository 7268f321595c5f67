import { parseArgs } from 'node:util';

/** What the words after `npm start --` say. */
export function readStartText(words: readonly string[]) {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { store: { type: 'string' }, port: { type: 'string' }, fetch: { type: 'boolean' } },
    strict: false,
  });
  const { store, fetch = false, ...rest } = values;
  return {
    /** The store, as given; undefined for the usual one. */
    store: typeof store === 'string' ? store : undefined,
    /** Whether to fetch Electron's runtime although that failed a short while ago. */
    fetchAgain: fetch !== false,
    /** Whether there are words that only `assize web` knows, or that nothing does, which it reports. */
    browser: typeof store === 'boolean' || Object.keys(rest).length > 0 || positionals.length > 0,
    /** The words for `assize web`. */
    forWeb: words.filter((word) => word !== '--fetch'),
  };
}
