import { parseArgs } from 'node:util';

/** What the words after `npm start --` say. */
export interface StartWords {
  /** The store, as given; undefined for the usual one. */
  readonly store: string | undefined;
  /** Whether to fetch Electron's runtime although that failed a short while ago. */
  readonly fetchAgain: boolean;
  /** Whether there are words that only `assize web` knows, or that nothing does, which it tells. */
  readonly browser: boolean;
  /** The words for `assize web`. */
  readonly forWeb: readonly string[];
}

export function readStartText(words: readonly string[]): StartWords {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: { store: { type: 'string' }, port: { type: 'string' }, fetch: { type: 'boolean' } },
    strict: false,
  });
  const { store, fetch = false, ...rest } = values;
  return {
    store: typeof store === 'string' ? store : undefined,
    fetchAgain: fetch !== false,
    browser: typeof store === 'boolean' || Object.keys(rest).length > 0 || positionals.length > 0,
    forWeb: words.filter((word) => word !== '--fetch'),
  };
}
